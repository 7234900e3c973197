// SQLite as the package better-sqlite3 brings it, for every Node whose own engine is too old.
import Package from 'better-sqlite3';
import type { Database, DatabaseOptions, Statement, Value } from './database.ts';

export function openByPackage(file: string, options: DatabaseOptions = {}): Database {
  const { readonly = false, frozen = false, timeoutMs = 0 } = options;
  // It takes no addresses, which are the only way to say so.
  if (frozen) throw Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' });
  const db = new Package(file, { readonly, timeout: timeoutMs, fileMustExist: true });
  return {
    exec: (sql) => void db.exec(sql),
    prepare: <Params extends readonly Value[], Row>(sql: string): Statement<Params, Row> => {
      const statement = db.prepare<Value[], Row>(sql);
      return {
        run: (...params) => void statement.run(...params),
        get: (...params) => statement.get(...params),
        all: (...params) => statement.all(...params),
      };
    },
    get inTransaction() {
      return db.inTransaction;
    },
    close: () => void db.close(),
  };
}
