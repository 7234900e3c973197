// A transaction is short: compiling one of its statements again would take as long as all the rest of it but the disk.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { paused, planLoaded } from '../../../test/rigs/sample-events.ts';
import { CachedStore } from '../cached-store.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { SqliteLog } from './sqlite-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-compile-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** SQLite asks whether a statement is allowed whenever it compiles one; 0: it is. Newer than the types, and than Node 22. */
type Asking = DatabaseSync & { setAuthorizer(isAllowed: () => 0): void };
const canAsk = 'setAuthorizer' in DatabaseSync.prototype;

/** The engine that Node brings can be watched; its statements are called as those of the package. */
function watched(file: string): { readonly db: Database; readonly compiled: () => number } {
  const own = new DatabaseSync(file) as Asking;
  let asked = 0;
  own.setAuthorizer(() => {
    asked++;
    return 0;
  });
  Object.defineProperty(own, 'inTransaction', { get: () => own.isTransaction });
  const compiled = () => {
    const before = asked;
    asked = 0;
    return before;
  };
  return { db: own as unknown as Database, compiled };
}

it.runIf(canAsk)('looking, recording and asking for events compile nothing after the first time', async () => {
  const file = join(folder, 'state.db');
  writeFileSync(file, '');
  const { db, compiled } = watched(file);
  const busy = { file, waitMs: 1000, holder: () => null };
  const alone = { isAlive: () => false, onNotice: () => undefined, onCreate: () => undefined };
  const workspace = (await migrate(db, { ...busy, ...alone, programVersion: '0.2.0', create: true }))!;
  const log = new SqliteLog({ ...busy, db, workspace, clock: { now: () => 1 }, freeBytes: () => 1e9 });
  const store = new CachedStore(log, 0);
  const round = async () => {
    await store.transact((tx) => tx.record(paused('x')));
    await store.read((state) => state.seq);
    await store.events({ after: 0, limit: 2 });
    await store.events({ after: 1 });
    await store.events({ after: 1, plan: planLoaded().plan, limit: 1 });
  };
  await store.transact((tx) => tx.record(planLoaded()));
  await round();
  expect(compiled()).toBeGreaterThan(0);
  for (let i = 0; i < 3; i++) await round();
  expect(compiled()).toBe(0);
  expect(await store.events({ after: 2, limit: 2 })).toMatchObject([{ seq: 3 }, { seq: 4 }]);
  expect(await store.events({ after: 2 })).toHaveLength(3);
  await store.close();
});
