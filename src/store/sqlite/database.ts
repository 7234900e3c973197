// One database, whichever driver opened it. Node's own SQLite starts some 10 ms faster than the package, which is a third of what
// a small command may take, but only newer versions of Node bring an engine that is safe; everywhere else the package is used.
// A process must never open one file by both: POSIX locks belong to the process, so one driver would drop the other's.
import { refuseOldEngine } from './engine-gate.ts';

export interface Database {
  exec(sql: string): void;
  /** Rows have the columns of the query as their fields. */
  prepare<Params extends readonly Value[] = [], Row = never>(sql: string): Statement<Params, Row>;
  readonly inTransaction: boolean;
  close(): void;
}

export interface Statement<Params extends readonly Value[], Row> {
  run(...params: Params): void;
  get(...params: Params): Row | undefined;
  all(...params: Params): Row[];
}

export type Value = string | number | Uint8Array | null;

export interface DatabaseOptions {
  readonly readonly?: boolean;
  /** For looking at one that nobody can write to now, where it lies: no locks are taken, and no files made beside it. */
  readonly frozen?: boolean;
  /** How long a call blocks on a busy database; 0 unless told. */
  readonly timeoutMs?: number;
}

export type Driver = 'node' | 'package';

/** Never creates the file; errors have the codes of SQLite (`SQLITE_BUSY`) in `code`. */
export type OpenDatabase = (file: string, options?: DatabaseOptions) => Database;

export async function loadDriver(driver: Driver = bestDriver(process.versions)): Promise<OpenDatabase> {
  return driver === 'node'
    ? (await import('./node-driver.ts')).openByNode
    : (await import('./package-driver.ts')).openByPackage;
}

/** Node 22 has the module too, but calls it experimental on standard error. */
export function bestDriver({ node, sqlite }: { readonly node: string; readonly sqlite?: string | undefined }): Driver {
  if (sqlite === undefined || Number.parseInt(node, 10) < 24) return 'package';
  try {
    refuseOldEngine(sqlite);
    return 'node';
  } catch {
    return 'package';
  }
}
