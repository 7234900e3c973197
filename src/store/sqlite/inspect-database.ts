// Looks at SQLite from outside the store, for people who want to know whether all is well: which engine there is, whether it is
// a safe one, and whether a database is whole. Changes nothing.
import { loadDriver } from './database.ts';
import { refuseOldEngine } from './engine-gate.ts';

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
  const open = await loadDriver();
  const db = open(file, { readonly: true, timeoutMs: 2000 });
  try {
    const rows = db.prepare<[], { quick_check: string }>('PRAGMA quick_check(5)').all();
    const found = rows.map((row) => row.quick_check);
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } finally {
    db.close();
  }
}
