// Looks at SQLite from outside the store, for people who want to know whether all is well: which engine there is, whether it is
// a safe one, and whether a database is whole. Changes nothing.
import Database from 'better-sqlite3';
import { refuseOldEngine } from './engine-gate.ts';

/** The engine's version; throws an `Outage` for one that is not safe. */
export function inspectEngine(): string {
  const db = new Database(':memory:');
  try {
    const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!;
    refuseOldEngine(version);
    return version;
  } finally {
    db.close();
  }
}

/** What the quick check finds wrong with its structure; empty when it is whole. Throws what SQLite throws. */
export function inspectDatabase(file: string): readonly string[] {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 2000 });
  try {
    const found = db.prepare<[], string>('PRAGMA quick_check(5)').pluck().all();
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } finally {
    db.close();
  }
}
