// Looks at SQLite from outside the store, for people who want to know whether all is well: which engine there is, whether it is
// a safe one, and whether a database is whole. Changes nothing but what can be made from the log again.
import { existsSync } from 'node:fs';
import { type Database, openCopy, openDatabase } from './database.ts';
import { refuseOldEngine } from './engine-gate.ts';

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

/** Where nobody has it open, a copy is looked at: nothing is written beside it, which may be forbidden, or somebody else's folder. */
export function openToLook(file: string): Database {
  return existsSync(`${file}-wal`) ? openDatabase(file, { readonly: true, timeoutMs: 2000 }) : openCopy(file);
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
