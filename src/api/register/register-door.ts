// Registers the MCP server with a person's own agents, and takes it back: looks at all of them first, and writes all or nothing.
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram } from '../../agents/process/find-program.ts';
import { type CodingAgent, codingAgents } from '../../core/model/coding-agents.ts';
import { listWords } from '../../core/model/count-words.ts';
import { lineDiff } from '../../files/disk/line-diff.ts';
import { removeDeadDrafts, writeWhole } from '../../files/disk/write-whole.ts';
import { realPath } from '../files/real-path.ts';
import { replaceFile } from '../files/replace-file.ts';
import { asTheyWere, refuseOther } from '../init/own-place.ts';
import { Refusal } from '../refusal.ts';
import type { RegisterReport, UnregisterReport } from '../reports/register.ts';
import type { OwnCommand } from '../trust/own-command.ts';
import { statsOf } from '../trust/owner.ts';
import { type PersonalSettings, settingsOf } from './agent-settings.ts';
import type { OwnProgram } from './ask-claude.ts';
import { readPersonal } from './personal-file.ts';
import { type Planned, planRegistration, planRemoval } from './plan-registration.ts';
import { RegistrationRecord } from './registration-record.ts';
import { isPassing, serverCommand } from './server-command.ts';
import type { Entry } from './server-text.ts';

export interface RegisterOptions extends Omit<UnregisterOptions, 'shown'> {
  /** The server may answer decisions. */
  readonly decide?: boolean;
  readonly shown?: RegisterReport['changes'];
}

export interface UnregisterOptions {
  /** Kinds of agents, as they were typed. */
  readonly agents: readonly string[];
  readonly write: boolean;
  readonly shown?: UnregisterReport['changes'];
}

export interface RegisterParts {
  readonly workspace: { readonly userFolder: string | null };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly command: OwnCommand;
}

type Environment = RegisterParts['env'];

export async function register(parts: RegisterParts, options: RegisterOptions): Promise<RegisterReport> {
  const { env } = parts;
  const { write, decide = false, shown } = options;
  const record = new RegistrationRecord(parts.workspace.userFolder);
  const command = serverCommand(parts.command, env.PATH ?? '', decide);
  const all = kindsOf(options.agents).map((agent) => settingsOf(agent, env));
  const looked = all.map((settings) => ({
    settings,
    planned: planRegistration(settings, command, record.read(settings)),
  }));
  const planned = looked.flatMap((one) => one.planned ?? []);
  const report: RegisterReport = {
    agents: all.map(({ agent }) => agent),
    command,
    decide,
    changes: planned.map((one) => ({
      ...shownOf(one, env),
      action: one.from !== null ? 'replace' : one.before === null && one.settings.program === null ? 'create' : 'add',
    })),
    leftAlone: looked
      .filter((one) => one.planned === null)
      .map(({ settings: { file } }) => ({ path: file, because: 'already registers it like this' })),
    notes: notesOf(command, all, env),
    written: write && planned.length > 0,
  };
  if (!write) return report;
  refuseOther(report.changes, shown);
  await carryOutAll(planned, record, env);
  return report;
}

export async function unregister(parts: RegisterParts, options: UnregisterOptions): Promise<UnregisterReport> {
  const { env } = parts;
  const { write, shown } = options;
  const record = new RegistrationRecord(parts.workspace.userFolder);
  const planned: Planned[] = [];
  const stays: { path: string; because: string }[] = [];
  const agents = kindsOf(options.agents);
  for (const agent of agents) {
    const settings = settingsOf(agent, env);
    const recorded = record.read(settings);
    const step = recorded && planRemoval(settings, recorded);
    if (step && 'because' in step) stays.push({ path: settings.file, because: step.because });
    else if (step) planned.push(step);
  }
  const changing = planned.filter(({ before, after }) => before !== after);
  const report: UnregisterReport = {
    agents,
    changes: changing.map((one) => ({
      ...shownOf(one, env),
      action: one.after === null ? 'remove' : one.to === null ? 'cut' : 'restore',
    })),
    stays,
    written: write && changing.length > 0,
  };
  if (!write) return report;
  refuseOther(report.changes, shown);
  // One after the other, and each is whole: what is taken back already stays so.
  for (const one of planned) await carryOut(one, record, env);
  return report;
}

function kindsOf(agents: readonly string[]): readonly CodingAgent[] {
  const unknown = agents.find((agent) => !(codingAgents as readonly string[]).includes(agent));
  if (unknown !== undefined || agents.length === 0)
    throw new Refusal(2, `--mcp ${unknown ?? ''}: there is no such kind of agent`, {
      instead: `it is one of ${listWords(codingAgents)}`,
    });
  return codingAgents.filter((kind) => agents.includes(kind));
}

/** Lines beside the change stay untold: they may be keys and passwords of other servers. Of an agent that changes them itself, only the server is told. */
function shownOf({ settings, before, after, from, to }: Planned, env: Environment) {
  const { agent, file: path, text, program } = settings;
  if (program === null) return { agent, path, diff: lineDiff(before ?? '', after ?? '', 0), calls: [] };
  const alone = (entry: Entry | null) => (entry === null ? '' : text.set('', entry));
  const calls = program.calls(from, to).map((args) => [program.find(env), ...args]);
  return { agent, path, diff: lineDiff(alone(from), alone(to)), calls };
}

function notesOf(command: readonly string[], all: readonly PersonalSettings[], env: Environment): string[] {
  const missing = all.filter(({ agent }) => findProgram(agent, env.PATH ?? '') === null).map(({ agent }) => agent);
  return [
    ...(isPassing(command)
      ? ['Signalbox lies in the cache of npx, which npm may empty: npm install -g signalbox, then register again']
      : []),
    ...missing.map((agent) => `${agent} is not on your PATH; it finds the server once it is installed`),
  ];
}

async function carryOutAll(planned: readonly Planned[], record: RegistrationRecord, env: Environment): Promise<void> {
  const done: PersonalSettings[] = [];
  for (const one of planned) {
    try {
      await carryOut(one, record, env);
    } catch (error) {
      await takeBack(done, record, env);
      throw error;
    }
    done.push(one.settings);
  }
}

/** The first error says what is wrong. `init --undo` can do the rest later. */
async function takeBack(
  done: readonly PersonalSettings[],
  record: RegistrationRecord,
  env: Environment,
): Promise<void> {
  for (const settings of done) {
    const recorded = record.read(settings);
    const step = recorded && planRemoval(settings, recorded);
    if (step && !('because' in step)) await carryOut(step, record, env).catch(() => undefined);
  }
}

async function carryOut(planned: Planned, records: RegistrationRecord, env: Environment): Promise<void> {
  const { settings, record, folders } = planned;
  const { program } = settings;
  if (record !== null) records.write(settings, record);
  if (planned.before !== planned.after) await (program === null ? writeFile(planned) : tell(program, planned, env));
  if (record !== null) return;
  removeFolders(settings.file, folders);
  records.remove(settings);
}

async function tell(program: OwnProgram, { settings, from, to }: Planned, env: Environment): Promise<void> {
  await program.ask(program.find(env), program.calls(from, to), env);
  const text = readPersonal(settings.file);
  const found = text === null ? null : settings.text.find(text);
  if ((found === null) === (to === null)) return;
  throw new Refusal(7, `${settings.agent} said that it did it, and ${settings.file} does not show it`, {
    instead: `see what it has: ${settings.list}`,
  });
}

function writeFile({ settings: { file }, before, after }: Planned): void {
  asTheyWere(file, `${file} could not be written`, () => {
    if (after === null) {
      if (readPersonal(file) !== before) throw Object.assign(new Error(`${file} was changed`), { code: 'ECHANGED' });
      rmSync(file);
    } else if (before !== null) replaceFile(file, after, before);
    else {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeWhole(file, after, { isNew: true, mode: 0o600 });
    }
  });
}

/** Also what a killed call was writing. */
function removeFolders(file: string, folders: readonly string[]): void {
  const real = realPath(file);
  if (statsOf(dirname(real))) removeDeadDrafts(real);
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (
        /^(ENOTEMPTY|EEXIST|ENOENT|ENOTDIR|EACCES|EPERM|EROFS|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '')
      )
        return;
      throw error;
    }
  }
}
