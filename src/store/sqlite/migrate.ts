// Brings a database to the newest schema, or refuses one that a newer program wrote. Two processes that create the same database
// at once end up with one workspace id, because everything is looked at again under the write lock.

import { monotonicMs } from '../monotonic-time.ts';
import { Outage } from '../outage.ts';
import { compareVersions } from './compare-versions.ts';
import type { Database } from './database.ts';
import { type LastRun, lastRuns } from './last-runs.ts';
import { metaTable, migrations } from './migrations.ts';
import { type BusyOptions, retryBusy } from './retry-busy.ts';
import { useWal } from './use-wal.ts';

export interface MigrateOptions extends BusyOptions {
  readonly programVersion: string;
  /** Whether an empty database may be made one of ours. */
  readonly create: boolean;
  /** Whether the process of a run still lives: it knows the tables as they are. */
  readonly isAlive: (run: LastRun) => boolean;
  readonly onNotice: (text: string) => void;
  /** Called with the id of a new store before anything of it is in the file. What it throws leaves the file empty. */
  readonly onCreate: (workspace: string) => void;
}

/** The workspace id; null when the database is empty and may not be made one of ours. */
export async function migrate(db: Database, options: MigrateOptions): Promise<string | null> {
  const found = await retryBusy(() => readMeta(db, options), options);
  if (!found && !options.create) return null;
  // A new one is made before it changes its mode, which alone would write a page: a file with content always has an identity.
  if (!found) await applyWhenAlone(db, options);
  await useWal(db, options);
  if (found && found.schema === newestSchema()) return found.workspace;
  return applyWhenAlone(db, options);
}

/** The workspace id of a database that can only be looked at; null: it would have to be changed first. A copy in memory is. */
export function identityOf(db: Database, options: MigrateOptions): string | null {
  const found = readMeta(db, options);
  if (!found || found.schema === newestSchema()) return found?.workspace ?? null;
  if (!db.memory) return null;
  db.pragma('query_only = OFF');
  applyMissing(db, { ...options, isAlive: () => false });
  db.pragma('query_only = ON');
  return found.workspace;
}

interface Meta {
  readonly schema: number;
  readonly workspace: string;
}

const ourTables = ['events', 'snapshots'];

function newestSchema(): number {
  return migrations.at(-1)!.schema;
}

function readMeta(db: Database, { file, programVersion }: MigrateOptions): Meta | null {
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  if (tables.length === 0) return null;
  if (!tables.includes('meta')) throw notOurs(file);
  const rows = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM meta').all();
  const meta = new Map(rows.map(({ key, value }) => [key, value]));
  const schema = Number(meta.get('schema'));
  const workspace = meta.get('workspace');
  const minWriter = meta.get('min_writer');
  if (!Number.isInteger(schema) || schema < 1 || !workspace || !minWriter) throw notOurs(file);
  if (schema > newestSchema() || compareVersions(minWriter, programVersion) > 0) {
    throw new Outage(
      'newer-database',
      `The database ${file} was written by a newer Signalbox: it needs version ${minWriter} or later (its schema is ${schema}), and ` +
        `this is ${programVersion} (schema ${newestSchema()}). Update Signalbox (npm install signalbox@latest); nothing was changed.`,
    );
  }
  // Only now: a newer schema may have other tables, and must not be taken for a broken one.
  if (!ourTables.every((table) => tables.includes(table))) throw notOurs(file);
  return { schema, workspace };
}

const pollMs = 100;

/** The tables are not changed while a runner lives. */
async function applyWhenAlone(db: Database, options: MigrateOptions): Promise<string> {
  const { file, waitMs, onNotice } = options;
  const start = monotonicMs();
  for (let isTold = false; ; isTold = true) {
    const done = await retryBusy(() => applyMissing(db, options), options);
    if (typeof done === 'string') return done;
    const waitedMs = monotonicMs() - start;
    const { run, plan, runner } = done;
    const why = `run ${run} of ${plan} (process ${runner.pid}) still uses it with an older Signalbox`;
    if (waitedMs >= waitMs) {
      throw new Outage(
        'busy',
        `The database ${file} cannot be brought to its new form: ${why}. Waited ${(waitedMs / 1000).toFixed(1)} s; nothing was ` +
          `changed. Let that run end, or stop it (kill -INT ${runner.pid}), and try again.`,
      );
    }
    if (!isTold) onNotice(`The database ${file} waits for its new form: ${why}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** The workspace id; or the run whose process is in the way. */
function applyMissing(db: Database, options: MigrateOptions): string | LastRun {
  db.exec('BEGIN IMMEDIATE');
  try {
    const found = readMeta(db, options);
    const isDone = found?.schema === newestSchema();
    const running = found && !isDone ? lastRuns(db).find(options.isAlive) : undefined;
    if (isDone || running) db.exec('ROLLBACK');
    if (isDone) return found.workspace;
    if (running) return running;
    const workspace = found?.workspace ?? globalThis.crypto.randomUUID();
    if (!found) {
      options.onCreate(workspace);
      db.exec(metaTable);
    }
    const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    put.run('workspace', workspace);
    for (const { schema, minWriter, statements } of migrations) {
      if (schema <= (found?.schema ?? 0)) continue;
      for (const statement of statements) db.exec(statement);
      put.run('schema', String(schema));
      put.run('min_writer', minWriter);
    }
    db.exec('COMMIT');
    return workspace;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function notOurs(file: string): Outage {
  return new Outage(
    'broken-database',
    `The database ${file} is broken: it is not a database of Signalbox, or its identity is gone.`,
  );
}
