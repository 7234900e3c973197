// The programs that Signalbox calls: git, the shells behind attempts, and the agents that the settings name.

import { kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { programVersion } from '../../agents/process/program-version.ts';
import type { AgentSettings } from '../../core/model/settings.ts';
import type { DoctorCheck } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';

export async function checkPrograms(
  workspace: Workspace,
  env: Readonly<Record<string, string | undefined>>,
  asksAll: boolean,
): Promise<DoctorCheck[]> {
  const base = baseEnvironment(env);
  const agents = Object.entries(workspace.settings.agents);
  return Promise.all([
    git(base),
    shell(),
    ...(process.platform === 'linux' ? [perl(base)] : []),
    ...agents.map(([name, agent]) => agentOf(name, agent, { workspace, env: base, personal: env, asksAll })),
  ]);
}

type Environment = Readonly<Record<string, string>>;

async function git(env: Environment): Promise<DoctorCheck> {
  const program = findProgram('git', env.PATH ?? '');
  const help = 'install git: Signalbox finds the root of a workspace with it, and agents work with it';
  if (program === null) return { id: 'git', status: 'warning', message: 'there is no git on the PATH', help };
  const answer = await programVersion({ program, env });
  if (answer.kind === 'version') return { id: 'git', status: 'ok', message: `${answer.text} (${program})` };
  return { id: 'git', status: 'warning', message: `${program}: ${answer.because}`, help };
}

async function shell(): Promise<DoctorCheck> {
  if (findProgram('/bin/sh', '') !== null) return { id: 'sh', status: 'ok', message: 'a shell in /bin/sh' };
  const help = 'attempts run in worker shells; install a POSIX shell there';
  return { id: 'sh', status: 'broken', message: 'there is no /bin/sh', help };
}

async function perl(env: Environment): Promise<DoctorCheck> {
  const program = findProgram('perl', env.PATH ?? '');
  if (program !== null) return { id: 'perl', status: 'ok', message: `perl (${program})` };
  const help = 'install perl: with it, Signalbox can also end processes that have left their parent';
  return { id: 'perl', status: 'warning', message: 'there is no perl on the PATH', help };
}

interface Asking {
  readonly workspace: Workspace;
  readonly env: Environment;
  /** All that the person has. */
  readonly personal: Readonly<Record<string, string | undefined>>;
  /** Also what only the settings name. */
  readonly asksAll: boolean;
}

async function agentOf(name: string, agent: AgentSettings, asking: Asking): Promise<DoctorCheck> {
  const { workspace, env, personal, asksAll } = asking;
  const id = `agent:${name}`;
  const { line } = agent;
  const kind = kindOf(agent);
  const wanted = kind?.program(agent, workspace.root) ?? agent.command[0] ?? agent.kind;
  const program = findProgram(wanted, env.PATH ?? '', workspace.root);
  const where = `agent ${name} (signalbox.yaml:${line})`;
  if (program === null) {
    const help = 'install it, or give its full path in signalbox.yaml; a run that needs it ends with exit code 7';
    return { id, status: 'broken', message: `${where}: there is no program ${wanted}`, help };
  }
  if (kind === null) {
    const help = 'any program can be an agent with kind: command';
    return { id, status: 'warning', message: `${where}: this version cannot drive the kind ${agent.kind} yet`, help };
  }
  const unusable = kind.known?.unusable?.(agent, personal);
  if (unusable) return { id, status: 'broken', message: `${where}: it ${unusable.because}`, help: unusable.help };
  // Asking runs the program: one that the settings of somebody's repository name is run when a person wants it to.
  if (!asksAll && !isBuiltIn(agent)) return { id, status: 'ok', message: `${where}: ${program}` };
  const answer = await programVersion({ program, env });
  if (answer.kind === 'failed') {
    const help = `try it yourself: ${program} --version`;
    return { id, status: 'warning', message: `${where}: ${answer.because} (${program})`, help };
  }
  const version = answer.kind === 'version' ? answer.text : answer.because;
  return { id, status: 'ok', message: `${where}: ${version} (${program})` };
}

/** A tool that this version knows by name: it is this user's own, found on the PATH. */
const isBuiltIn = (agent: AgentSettings): boolean =>
  kindOf(agent)?.known != null && agent.command.every((word, i) => i === 0 && word === agent.kind);
