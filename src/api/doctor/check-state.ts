// The state of the workspace: its folder, its database, and what dead runs have left in it. Only `fix` changes anything, and
// only what can be put right without losing a word: permissions, the .gitignore, journals that nobody will ever read.
import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { JournalReader } from '../../agents/process/journal.ts';
import { isAlive } from '../../agents/process/process-identity.ts';
import { pathArgument } from '../../core/model/command-line.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import type { State } from '../../core/state/state.ts';
import { trackedBelow } from '../../git/snapshots/their-repository.ts';
import { runnerIsAlive } from '../../runner/runner-alive.ts';
import { Outage } from '../../store/outage.ts';
import { inspectDatabase } from '../../store/sqlite/inspect-database.ts';
import { stateFiles } from '../../store/sqlite/state-folder.ts';
import type { Store } from '../../store/store.ts';
import type { StoreDoor } from '../open-store.ts';
import type { DoctorCheck } from '../reports/health.ts';
import { replaced, type Standing } from '../trust/state-record.ts';
import { typedPath, type Workspace } from '../workspace.ts';

export interface StateCheck {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly fix: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Pick<StoreDoor, 'open' | 'record'>;
}

export async function checkState({ workspace, cwd, fix, env, store: door }: StateCheck): Promise<DoctorCheck[]> {
  const files = stateFiles(workspace.stateFolder);
  const stat = lstatSync(files.folder, { throwIfNoEntry: false });
  if (stat === undefined) return [{ id: 'state', status: 'ok', message: 'no state yet; the first run makes it' }];
  // Something else in place of the folder was already reported with the file system.
  if (!stat.isDirectory()) return [];
  const access = permissions(files.folder, 'state', 0o700, fix);
  if (access.status === 'broken') return [access];
  const tracked = await trackedState(workspace, env);
  const isIgnored = existsSync(join(files.folder, '.gitignore'));
  const checks = [access, ...(tracked && isIgnored ? [] : [ignored(files.folder, fix)]), ...(tracked ? [tracked] : [])];
  if (lstatSync(files.database, { throwIfNoEntry: false })?.isFile())
    checks.push(permissions(files.database, 'database-mode', 0o600, fix));
  // Listed before the log is read: a journal is only made after its run is recorded.
  const odd = notAFolder(workspace.journalsFolder);
  if (odd) checks.push(odd);
  const journals = odd ? [] : journalsOf(workspace);
  const { check, store } = await database(files.database, door);
  checks.push(check);
  const trust = trustCheck(door.record.standing(), store);
  if (trust) checks.push(trust);
  // Nothing that foreign state says is worth a change.
  if (store && trust?.status === 'ok') {
    const found = await store.read((state) => look(state, workspace, journals));
    checks.push(
      orphans(found.orphans, (plan) => typedPath(workspace, cwd, plan)),
      ...(odd ? [] : [journalCheck(found.unneeded, fix)]),
    );
  }
  return [...checks, ...keptAside(files.folder)];
}

/** Null: there is nothing to be trusted. */
function trustCheck(standing: Standing, store: Store | null): DoctorCheck | null {
  const id = 'trust';
  if (standing.kind === 'none') return null;
  if (standing.kind === 'own' && (store === null || standing.store === store.workspace))
    return { id, status: 'ok', message: 'the state was made by you here' };
  const because = standing.kind === 'own' ? replaced : standing.because;
  return {
    id,
    status: 'broken',
    message: `the state is not known as yours (${because}): it is shown and not acted on`,
    help: 'if you made it: signalbox trust --state; if not, remove .signalbox',
  };
}

function permissions(path: string, id: string, wanted: number, fix: boolean): DoctorCheck {
  const { mode, uid } = lstatSync(path);
  const found = (mode & 0o777).toString(8);
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && uid !== me) {
    const help = `work as that user, or give it to yourself: chown -R "$USER" '${path}'`;
    return { id, status: 'broken', message: `${path} belongs to another user (${uid})`, help };
  }
  if ((mode & 0o777) === wanted) return { id, status: 'ok', message: `${path} is private (${found})` };
  if (fix) {
    chmodSync(path, wanted);
    return { id, status: 'ok', message: `${path} is private again (was ${found})`, fixed: true };
  }
  const isLocked = (mode & wanted & 0o700) !== (wanted & 0o700);
  const message = isLocked ? `${path} cannot be used (${found})` : `${path} can be read by others (${found})`;
  const help = `signalbox doctor --fix, or: chmod ${wanted.toString(8)} '${path}'`;
  return { id, status: isLocked ? 'broken' : 'warning', message, help };
}

function ignored(folder: string, fix: boolean): DoctorCheck {
  const file = join(folder, '.gitignore');
  const id = 'gitignore';
  if (existsSync(file)) return { id, status: 'ok', message: 'git ignores the state' };
  if (!fix) {
    const help = 'signalbox doctor --fix writes it again';
    return { id, status: 'warning', message: `${file} is missing: git would commit the state`, help };
  }
  writeFileSync(file, '*\n', { flag: 'wx', mode: 0o600 });
  return { id, status: 'ok', message: `${file} is there again`, fixed: true };
}

/** What is tracked is not ignored, whatever a pattern says. Null: nothing of it is. */
async function trackedState(workspace: Workspace, env: StateCheck['env']): Promise<DoctorCheck | null> {
  const { root, stateFolder } = workspace;
  const [first, ...more] = await trackedBelow({ root, environment: baseEnvironment(env) }, stateFolder);
  if (first === undefined) return null;
  const which = more.length === 0 ? first : `${countWords(more.length + 1, 'file')}, ${first} is one`;
  return {
    id: 'gitignore',
    status: 'warning',
    message: `git tracks the state (${which}): whoever clones the repository gets it`,
    help: `untrack it, and commit that: git rm -r --cached ${pathArgument(relative(root, stateFolder))}`,
  };
}

/** `doctor` does not set the database aside: whatever stands only in it would be gone from the state. */
const recovery =
  'copy the folder first; then signalbox validate --fix keeps the database aside and takes the state from status.json; if there is none, signalbox run takes it from the plan';

async function database(
  file: string,
  door: StateCheck['store'],
): Promise<{ readonly check: DoctorCheck; readonly store: Store | null }> {
  const id = 'database';
  try {
    const store = await door.open(false);
    if (store === null) return { check: { id, status: 'ok', message: 'no database yet' }, store };
    const events = await store.read((state) => state.seq);
    const found = inspectDatabase(file);
    if (found.length === 0)
      return { check: { id, status: 'ok', message: `the database is whole (${events} events)` }, store };
    return {
      check: { id, status: 'broken', message: `${file} is damaged: ${found.join('; ')}`, help: recovery },
      store,
    };
  } catch (error) {
    const isBroken = error instanceof Outage && error.kind === 'broken-database';
    const help = isBroken ? { help: recovery } : {};
    return { check: { id, status: 'broken', message: (error as Error).message, ...help }, store: null };
  }
}

/** Null: it is one, or it is missing. */
function notAFolder(path: string): DoctorCheck | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return null;
  const help = 'no run can start before it is gone: move it away; the next run makes the folder';
  return { id: 'journals', status: 'broken', message: `${path} is no folder`, help };
}

interface JournalFile {
  readonly run: string;
  readonly file: string;
}

function journalsOf({ journalsFolder }: Workspace): JournalFile[] {
  if (!existsSync(journalsFolder)) return [];
  return readdirSync(journalsFolder)
    .filter((name) => name.endsWith('.journal'))
    .map((name) => ({ run: name.slice(0, -'.journal'.length), file: join(journalsFolder, name) }));
}

interface Found {
  readonly orphans: readonly { readonly attempt: string; readonly plan: string }[];
  readonly unneeded: readonly string[];
}

function look(state: State, workspace: Workspace, journals: readonly JournalFile[]): Found {
  const needed = new Set<string>();
  const orphans: { attempt: string; plan: string }[] = [];
  for (const { run, attempt, plan } of state.live.values()) {
    needed.add(run);
    const current = state.plans.get(plan)?.run;
    if (!current || !runnerIsAlive(current, workspace.journalsFolder)) orphans.push({ attempt, plan });
  }
  for (const { run } of state.plans.values()) if (run && !run.ended) needed.add(run.run);
  const unneeded = journals.filter(({ run, file }) => !needed.has(run) && !isUsed(file)).map(({ file }) => file);
  return { orphans, unneeded };
}

/** A worker of a run that this log does not know (its database was lost) may still write to it. */
function isUsed(file: string): boolean {
  const reader = new JournalReader(file);
  reader.advance();
  return reader.workers().some((worker) => isAlive(worker) === true);
}

function orphans(found: Found['orphans'], typed: (plan: string) => string): DoctorCheck {
  const id = 'attempts';
  const [first] = found;
  if (!first) return { id, status: 'ok', message: 'no attempt without a runner' };
  const names = listWords(found.map(({ attempt }) => attempt));
  return {
    id,
    status: 'warning',
    message: `attempts whose runner is dead: ${names}`,
    help: `the next run takes them over: signalbox run ${pathArgument(typed(first.plan))}`,
  };
}

function journalCheck(unneeded: readonly string[], fix: boolean): DoctorCheck {
  const id = 'journals';
  const count = `${unneeded.length} ${unneeded.length === 1 ? 'journal' : 'journals'} of ended runs`;
  if (unneeded.length === 0) return { id, status: 'ok', message: 'no journals of ended runs' };
  if (!fix) {
    const help = 'no attempt needs them: signalbox doctor --fix removes them';
    return { id, status: 'warning', message: `${count} left`, help };
  }
  for (const file of unneeded) rmSync(file, { force: true });
  return { id, status: 'ok', message: `${count} removed`, fixed: true };
}

function keptAside(folder: string): DoctorCheck[] {
  const names = readdirSync(folder).filter(
    (name) => /^state\.db\.broken-[\w-]+$/.test(name) && !/-(wal|shm)$/.test(name),
  );
  if (names.length === 0) return [];
  return [
    {
      id: 'kept-aside',
      status: 'warning',
      message: `broken databases kept aside in ${folder}: ${names.join(', ')}`,
      help: 'save what you need from them (sqlite3 FILE .recover), then delete them with their -wal and -shm',
    },
  ];
}
