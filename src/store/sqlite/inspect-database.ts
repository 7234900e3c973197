// Looks at SQLite from outside the store, for people who want to know whether all is well: which engine there is, whether it is
// a safe one, and whether a database is whole. Changes nothing but what can be made from the log again.
import { existsSync } from 'node:fs';
import type { LiveAttempt } from '../../core/state.ts';
import { type Database, loadDriver } from './database.ts';
import { refuseOldEngine } from './engine-gate.ts';
import { codeOf } from './sqlite-outage.ts';

/** The engine's version; throws an `Outage` for one that is not safe. */
export async function inspectEngine(): Promise<string> {
  const open = await loadDriver();
  const db = open(':memory:');
  try {
    const { version } = db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()!;
    refuseOldEngine(version);
    return version;
  } finally {
    db.close();
  }
}

/** What the quick check finds wrong with its structure; empty when it is whole. Throws what SQLite throws. */
export async function inspectDatabase(file: string): Promise<readonly string[]> {
  const db = await openToLook(file);
  try {
    const rows = db.prepare<[], { quick_check: string }>('PRAGMA quick_check(5)').all();
    const found = rows.map((row) => row.quick_check);
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } finally {
    db.close();
  }
}

/** Also where nothing may be written, as long as nobody has it open. */
export async function openToLook(file: string): Promise<Database> {
  const open = await loadDriver();
  const db = open(file, { readonly: true, timeoutMs: 2000 });
  try {
    // The first look makes the files beside it.
    db.prepare('SELECT 1 FROM sqlite_schema').all();
    return db;
  } catch (error) {
    db.close();
    if (!/^SQLITE_(CANTOPEN|READONLY|FULL)/.test(codeOf(error)) || existsSync(`${file}-wal`)) throw error;
    return open(file, { frozen: true });
  }
}

/** Of the attempts in the table that is kept along with the log. */
export async function attemptTokens(file: string): Promise<readonly number[]> {
  const db = await openToLook(file);
  try {
    return tokensIn(db);
  } finally {
    db.close();
  }
}

export function tokensIn(db: Database): number[] {
  const rows = db.prepare<[], { token: number }>('SELECT token FROM attempts ORDER BY token').all();
  return rows.map(({ token }) => token);
}

/** Makes that table what the log says it is; false: the log has grown since. */
export async function rewriteAttempts(file: string, live: readonly LiveAttempt[], head: number): Promise<boolean> {
  const open = await loadDriver();
  const db = open(file, { timeoutMs: 10_000 });
  try {
    db.exec('BEGIN IMMEDIATE');
    const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM events').get()!.seq ?? 0;
    if (last === head) {
      db.exec('DELETE FROM attempts');
      const add = db.prepare<[number, string, string, string, string, string, string, string | null]>(
        'INSERT INTO attempts (token, plan, task, attempt, run, host, state, supervisor) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      );
      for (const { token, plan, task, attempt, run, host, doom, startedAt, supervisor } of live) {
        const state = doom ? 'doomed' : startedAt > 0 ? 'running' : 'scheduled';
        add.run(token, plan, task, attempt, run, host, state, supervisor && JSON.stringify(supervisor));
      }
    }
    db.exec('COMMIT');
    return last === head;
  } finally {
    db.close();
  }
}

/** The log has everything that is in it. */
export async function forgetSnapshot(file: string): Promise<void> {
  const open = await loadDriver();
  const db = open(file, { timeoutMs: 10_000 });
  try {
    for (const table of ['snapshots', 'definitions', 'definition_parts', 'lean_snapshot']) {
      db.prepare(`DELETE FROM ${table}`).run();
    }
  } finally {
    db.close();
  }
}
