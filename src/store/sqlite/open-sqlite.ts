// Opens the workspace's database, creates or migrates it where asked, and refuses whatever would put it at risk. A broken
// database is never deleted: a reader gets an outage, a writer sets it aside and begins again.
import { existsSync, statSync } from 'node:fs';
import { CachedStore } from '../cached-store.ts';
import { Outage } from '../outage.ts';
import type { Store, StoreClock } from '../store.ts';
import { openCopy, openDatabase } from './database.ts';
import { writerOf } from './database-holder.ts';
import { refuseOldEngine } from './engine-gate.ts';
import { engineVersion } from './inspect-database.ts';
import type { LastRun } from './last-runs.ts';
import { identityOf, migrate } from './migrate.ts';
import { retryBusy } from './retry-busy.ts';
import { isOrphaned, setAside } from './set-aside.ts';
import { SqliteLog } from './sqlite-log.ts';
import { type Trouble, toOutage } from './sqlite-outage.ts';
import { createFiles, freeBytes, refuseUnsafe, type StateFiles, stateFiles } from './state-folder.ts';

export interface SqliteOptions {
  /** `.signalbox` of the workspace. */
  readonly folder: string;
  /** Makes the database if there is none, and sets a broken one aside. Without it nothing is ever created. */
  readonly create: boolean;
  /** Nothing is written, not even beside the database: for one that somebody else made. */
  readonly lookOnly?: boolean;
  /** Called with the id of a new store before anything of it is in the file. */
  readonly onCreate?: (workspace: string) => void;
  readonly programVersion: string;
  readonly clock?: StoreClock;
  /** How long a busy database is waited for. */
  readonly waitMs?: number;
  /** Whether the process of a run still lives: while one does, the schema is not changed. */
  readonly isAlive?: (run: LastRun) => boolean;
  /** Told when a broken database was kept aside, or an older runner is waited for. */
  readonly onNotice?: (text: string) => void;
}

/** Null when there is no state and none was to be created. */
export async function openSqlite(options: SqliteOptions): Promise<Store | null> {
  const files = stateFiles(options.folder);
  const trouble = { file: files.database, freeBytes: () => freeBytes(files.folder) };
  try {
    refuseUnsafe(files);
    const inode = statSync(files.database, { throwIfNoEntry: false })?.ino ?? null;
    if (!options.create) return inode === null ? null : await openExisting(files, options, trouble);
    try {
      return await openOrCreate(files, options, trouble);
    } catch (error) {
      const outage = toOutage(error, trouble);
      if (!(outage instanceof Outage && outage.kind === 'broken-database')) throw outage;
      const kept = setAside(files, inode, clockOf(options).now());
      if (kept) options.onNotice?.(keptNotice(files, kept, outage));
      return await openOrCreate(files, options, trouble);
    }
  } catch (error) {
    throw toOutage(error, trouble);
  }
}

async function openOrCreate(files: StateFiles, options: SqliteOptions, trouble: Trouble): Promise<Store | null> {
  refuseOrphaned(files);
  createFiles(files);
  const store = await connect(files, options, trouble);
  try {
    // The first load is the check: it reads all that matters, and it is needed anyway.
    await store?.read(() => undefined);
    return store;
  } catch (error) {
    await store?.close();
    throw error;
  }
}

async function openExisting(files: StateFiles, options: SqliteOptions, trouble: Trouble): Promise<Store | null> {
  refuseOrphaned(files);
  if (options.lookOnly) return connect(files, options, trouble, existsSync(files.wal) ? 'looking' : 'frozen');
  try {
    return await connect(files, options, trouble);
  } catch (error) {
    const outage = toOutage(error, trouble);
    const isClosed = outage instanceof Outage && (outage.kind === 'read-only' || outage.kind === 'disk-full');
    // While somebody has it open there is more than this one file, and it cannot be read without the rest.
    if (!isClosed || existsSync(files.wal)) throw outage;
    const store = await connect(files, options, trouble, 'frozen').catch(() => null);
    if (!store) throw outage;
    return store;
  }
}

/** `frozen`: nothing may be written beside it, not even to look at it. `looking`: somebody has it open, and it is only read. */
type Manner = 'using' | 'looking' | 'frozen';

async function connect(
  files: StateFiles,
  options: SqliteOptions,
  trouble: Trouble,
  manner: Manner = 'using',
): Promise<Store | null> {
  const busy = { file: files.database, waitMs: options.waitMs ?? 10_000, holder: () => writerOf(files.database) };
  const db =
    manner === 'frozen' ? openCopy(files.database) : openDatabase(files.database, { readonly: manner === 'looking' });
  try {
    refuseOldEngine(await retryBusy(() => engineVersion(db), busy));
    const { programVersion, create, isAlive = () => false } = options;
    const { onNotice = () => undefined, onCreate = () => undefined } = options;
    const about = { ...busy, programVersion, create, isAlive, onNotice, onCreate };
    const workspace =
      manner === 'using' ? await migrate(db, about) : await retryBusy(() => identityOf(db, about), busy);
    if (workspace === null) {
      db.close();
      return null;
    }
    const settings = { ...busy, ...trouble, db, workspace, clock: clockOf(options) };
    // Even preparing a statement reads the schema. Another process may lock it while it creates the database or is the last to close it.
    const log = await retryBusy(() => new SqliteLog(settings), busy);
    return new CachedStore(log, await retryBusy(() => log.head(), busy), clockOf(options));
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseOrphaned(files: StateFiles): void {
  if (!isOrphaned(files)) return;
  throw new Outage('broken-database', `${files.database} is missing or empty, though its ${files.wal} has content.`);
}

function keptNotice(files: StateFiles, kept: string, { cause, message }: Outage): string {
  const reason = cause instanceof Error ? cause.message : message;
  return `The database ${files.database} was broken (${reason}). It is kept as ${kept}; a new one takes the state from status.json, or else from the plan.`;
}

function clockOf(options: SqliteOptions): StoreClock {
  return options.clock ?? { now: () => Date.now() };
}
