// The agents that are used here: whether their programs are there, what their hooks do not cover, and whether Codex can run commands.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentKind, isGoverned, kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { programVersion } from '../../agents/process/program-version.ts';
import { shortRun } from '../../agents/process/short-run.ts';
import type { DoctorCheck } from '../reports/health.ts';
import { isOwnProgram } from '../trust/own-program.ts';
import type { Workspace } from '../workspace.ts';
import type { UsedAgent } from './agents-used.ts';

const patienceMs = 10_000;

export interface Asking {
  readonly workspace: Workspace;
  /** All that the person has. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Also what only the settings name. */
  readonly asksAll: boolean;
}

export async function checkAgents(asking: Asking, agents: readonly UsedAgent[]): Promise<DoctorCheck[]> {
  return (await Promise.all(agents.map((used) => agentOf(used, asking)))).flat();
}

async function agentOf(used: UsedAgent, asking: Asking): Promise<DoctorCheck[]> {
  const { name, agent, isDescribed } = used;
  const { workspace, env, asksAll } = asking;
  const base = baseEnvironment(env);
  const id = `agent:${name}`;
  const kind = kindOf(agent);
  const wanted = kind?.program(agent, workspace.root) ?? agent.command[0] ?? agent.kind;
  const program = findProgram(wanted, base.PATH ?? '', workspace.root);
  const where = `agent ${name} (${used.where})`;
  if (program === null) {
    const how = kind?.known ? `install it: npm install --global ${kind.known.package}` : 'install it';
    const help = `${how}, or give its full path in signalbox.yaml; a run that needs it ends with exit code 7`;
    // An old plan breaks nothing.
    const status = isDescribed ? 'broken' : 'warning';
    return [{ id, status, message: `${where}: there is no program ${wanted}`, help }];
  }
  if (kind === null) {
    const help = 'any program can be an agent with kind: command';
    return [{ id, status: 'warning', message: `${where}: this version cannot drive the kind ${agent.kind} yet`, help }];
  }
  const unusable = kind.known?.unusable?.(agent, env);
  if (unusable) return [{ id, status: 'broken', message: `${where}: it ${unusable.because}`, help: unusable.help }];
  const hooks = hooksOf(name, kind, workspace);
  // Asking runs the program: one that the settings or the files of somebody's repository name is run when a person wants it to.
  const isTheirs = isOwnProgram(agent, program, workspace.root);
  if (!asksAll && !isTheirs) return [{ id, status: 'ok', message: `${where}: ${program}` }, ...hooks];
  const version = await versionOf({ id, where, program, env: base, timeoutMs: kind.known ? patienceMs : 2_000 });
  return [version, ...hooks, ...(await trial(used, kind, program, base))];
}

interface Version {
  readonly id: string;
  readonly where: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Under load the large ones take their time. */
  readonly timeoutMs: number;
}

async function versionOf({ id, where, program, env, timeoutMs }: Version): Promise<DoctorCheck> {
  const answer = await programVersion({ program, env, timeoutMs });
  if (answer.kind === 'failed') {
    const help = `try it yourself: ${program} --version`;
    return { id, status: 'warning', message: `${where}: ${answer.because} (${program})`, help };
  }
  const version = answer.kind === 'version' ? answer.text : answer.because;
  return { id, status: 'ok', message: `${where}: ${version} (${program})` };
}

function hooksOf(name: string, kind: AgentKind, { settings }: Workspace): DoctorCheck[] {
  if (kind.hooks === null) return [];
  const id = `hooks:${name}`;
  if (!isGoverned(kind, settings)) {
    const message = `agent ${name}: no hooks (locks: advisory), so nothing holds it to its locks`;
    return [{ id, status: 'ok', message }];
  }
  const open = [...kind.hooks.notCovered, 'and shell commands until they have ended'].join(', ');
  return [{ id, status: 'ok', message: `agent ${name}: its edits take locks by themselves; not covered: ${open}` }];
}

/** In some containers Codex ends well and has run no command. A home of its own: nothing of the person's counts or is written. */
async function trial(
  { name }: UsedAgent,
  { known }: AgentKind,
  program: string,
  env: Record<string, string>,
): Promise<DoctorCheck[]> {
  if (!known?.trial) return [];
  const id = `commands:${name}`;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
  try {
    const file = join(folder, 'made');
    const own = { ...env, HOME: folder, CODEX_HOME: folder };
    const end = await shortRun({ program, args: known.trial(file), env: own, cwd: folder, timeoutMs: patienceMs });
    if (existsSync(file)) return [{ id, status: 'ok', message: `agent ${name}: it runs commands` }];
    const why = end.kind === 'failed' ? end.because : `it ended with exit code ${end.code}`;
    const help = 'a container may forbid what it needs: see the documentation of its sandbox, or run it outside';
    return [{ id, status: 'broken', message: `agent ${name}: a command that it was given did nothing (${why})`, help }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
