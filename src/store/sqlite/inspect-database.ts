// Looks at SQLite from outside the store, for people who want to know whether all is well: which engine there is, whether it is
// a safe one, and whether a database is whole. Changes nothing but what can be made from the log again.
import { existsSync } from 'node:fs';
import { type Database, openCopy, openDatabase } from './database.ts';
import { refuseOldEngine } from './engine-gate.ts';
import { codeOf } from './sqlite-outage.ts';

/** The engine's version; throws an `Outage` for one that is not safe. */
export function inspectEngine(): string {
  const db = openDatabase(':memory:');
  try {
    const version = engineVersion(db);
    refuseOldEngine(version);
    return version;
  } finally {
    db.close();
  }
}

export function engineVersion(db: Database): string {
  return db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()!.version;
}

/** What the quick check finds wrong with its structure; empty when it is whole. Throws what SQLite throws. */
export function inspectDatabase(file: string): readonly string[] {
  const db = openToLook(file);
  try {
    const rows = db.prepare<[], { quick_check: string }>('PRAGMA quick_check(5)').all();
    const found = rows.map((row) => row.quick_check);
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } finally {
    db.close();
  }
}

/** Also where nothing may be written, as long as nobody has it open. */
export function openToLook(file: string): Database {
  const db = openDatabase(file, { readonly: true, timeoutMs: 2000 });
  try {
    // The first look makes the files beside it.
    db.prepare('SELECT 1 FROM sqlite_schema').all();
    return db;
  } catch (error) {
    db.close();
    if (!/^SQLITE_(CANTOPEN|READONLY|FULL)/.test(codeOf(error)) || existsSync(`${file}-wal`)) throw error;
    return openCopy(file);
  }
}

/** The log has everything that is in it. */
export function forgetSnapshot(file: string): void {
  const db = openDatabase(file, { timeoutMs: 10_000 });
  try {
    db.exec('DELETE FROM snapshots');
  } finally {
    db.close();
  }
}
