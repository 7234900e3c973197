// A SQLite database, as the package better-sqlite3 opens it. Errors have the codes of SQLite (`SQLITE_BUSY`) in `code`.
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

export type Database = Sqlite.Database;

export interface DatabaseOptions {
  readonly readonly?: boolean;
  /** How long a call blocks on a busy database; 0 unless told. */
  readonly timeoutMs?: number;
}

/** Never creates the file. */
export function openDatabase(file: string, { readonly = false, timeoutMs = 0 }: DatabaseOptions = {}): Database {
  return new Sqlite(file, { readonly, timeout: timeoutMs, fileMustExist: true });
}

/** A copy in memory, for looking at a database where nothing may be written beside it; nobody may have that one open. */
export function openCopy(file: string): Database {
  const bytes = readFileSync(file);
  // These say that the file is in WAL mode, in which SQLite opens nothing from memory.
  if (bytes.length >= 20) bytes.fill(1, 18, 20);
  const db = new Sqlite(bytes);
  db.pragma('query_only = ON');
  return db;
}
