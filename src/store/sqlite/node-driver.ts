// SQLite as Node brings it.
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Database, DatabaseOptions, Statement, Value } from './database.ts';

export function openByNode(file: string, options: DatabaseOptions = {}): Database {
  const { readonly = false, frozen = false, timeoutMs = 0 } = options;
  const readOnly = readonly || frozen;
  const db = named(() => new DatabaseSync(addressOf(file, readOnly, frozen), { readOnly, timeout: timeoutMs }));
  return {
    exec: (sql) => named(() => db.exec(sql)),
    prepare: <Params extends readonly Value[], Row>(sql: string): Statement<Params, Row> => {
      const statement = named(() => db.prepare(sql));
      return {
        run: (...params) => void named(() => statement.run(...params)),
        get: (...params) => named(() => statement.get(...params)) as Row | undefined,
        all: (...params) => named(() => statement.all(...params)) as Row[],
      };
    },
    get inTransaction() {
      return db.isTransaction;
    },
    close: () => named(() => db.close()),
  };
}

/** Without a mode it would create what is not there. */
function addressOf(file: string, readonly: boolean, frozen: boolean): string | URL {
  if (file === ':memory:') return file;
  const address = pathToFileURL(file);
  address.searchParams.set('mode', readonly ? 'ro' : 'rw');
  if (frozen) address.searchParams.set('immutable', '1');
  return address;
}

/** Node gives SQLite's number; its name is what the rest of the store knows. */
function named<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
      const primary = resultCodes[error.errcode & 0xff];
      if (primary !== undefined) Object.assign(error, { code: `SQLITE_${primary}` });
    }
    throw error;
  }
}

/** https://sqlite.org/rescode.html, by number. */
const resultCodes = (
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY ' +
  'SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'
).split(' ');
