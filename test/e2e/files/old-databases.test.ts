// A workspace as Signalbox 0.1.0 left it: its log is brought to the new form once, says the same as before, and goes on. Made by
// the real program: a run with a completed, a failed and a blocked task, one skipped, work by hand, a question and a lock.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { runnerIsAlive } from '../../../src/runner/runner-alive.ts';
import type { LastRun } from '../../../src/store/sqlite/last-runs.ts';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts';
import { Workspace } from '../rig.ts';

const fixture = 'test/fixtures/old-databases/0.1.0';

async function oldWorkspace(): Promise<Workspace> {
  const w = new Workspace();
  cpSync(fixture, w.folder, { recursive: true });
  mkdirSync(join(w.folder, '.signalbox'), { mode: 0o700 });
  renameSync(join(w.folder, 'state.db'), databaseOf(w));
  // Nothing outside of it says that it is ours: 0.1.0 wrote no record.
  expect((await w.run('run', 'plan.yaml')).code).toBe(2);
  expect((await w.run('trust', '--state')).code).toBe(0);
  return w;
}

const databaseOf = (w: Workspace) => join(w.folder, '.signalbox', 'state.db');

function inDatabase<T>(w: Workspace, look: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(databaseOf(w));
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const schemaOf = (w: Workspace) =>
  inDatabase(w, (db) => db.prepare("SELECT value FROM meta WHERE key = 'schema'").pluck().get());

const living: ChildProcess[] = [];
afterEach(() => {
  for (const child of living.splice(0)) child.kill('SIGKILL');
});

/** As if the process had begun a run with the old program, and had not ended it. */
function runs(w: Workspace): ChildProcess {
  const child = spawn('sleep', ['300']);
  living.push(child);
  const runner = identify(child.pid!);
  inDatabase(w, (db) => {
    const body = JSON.stringify({ run: 'r1', runner, limits: { plan: 3, pools: {} } });
    const append =
      'INSERT INTO events (seq, at, plan, type, v, body) SELECT max(seq) + 1, max(at), ?, ?, 1, ? FROM events';
    db.prepare(append).run('plan.yaml', 'run-started', body);
  });
  return child;
}

it('says the same as before, goes on, and is whole', async () => {
  const w = await oldWorkspace();
  expect(schemaOf(w)).toBe('6');
  expect((await w.run('status', 'plan.yaml', '--json')).json).toEqual(JSON.parse(w.read('expected-status.json')));
  expect(schemaOf(w)).toBe('7');
  const tables = inDatabase(w, (db) => db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());
  expect(tables.sort()).toEqual(['events', 'meta', 'snapshots']);
  expect((await w.run('validate', '--deep')).code).toBe(0);
  const store = (await openSqlite({ folder: join(w.folder, '.signalbox'), create: false, programVersion: '0.2.0' }))!;
  const held = await store.read(({ locks }) => locks.table.holdsOf('ann').map(({ key }) => key));
  await store.close();
  expect(held).toEqual(['src/kept.ts']);
  expect((await w.run('run', 'plan.yaml', '--only', 'last', '--json')).code).toBe(0);
  const handedIn = await w.startWith({ USER: 'ann' }, 'mark-complete', 'two', '--plan', 'plan.yaml').ended;
  expect([handedIn.code, handedIn.err]).toEqual([0, '']);
  expect((await w.run('decide', 'd1', 'treat-as-done')).code).toBe(0);
  expect(await w.status('plan.yaml')).toMatchObject({ one: 'completed', two: 'completed', last: 'completed' });
  expect((await w.run('validate', '--deep')).code).toBe(0);
});

it('waits for the runner of the older program, says so, and goes on when that has ended', async () => {
  const w = await oldWorkspace();
  const runner = runs(w);
  const looking = w.start('status', 'plan.yaml', '--json');
  let told = '';
  for await (const piece of looking.child.stderr!) {
    told += piece;
    if (told.includes('\n')) break;
  }
  expect(told).toContain(`run r1 of plan.yaml (process ${runner.pid}) still uses it with an older Signalbox`);
  expect(schemaOf(w)).toBe('6');
  runner.kill('SIGKILL');
  const { code, json } = await looking.ended;
  expect([code, json.summary.completed, schemaOf(w)]).toEqual([0, 2, '7']);
});

it('is left as it is while that runner lives', async () => {
  const w = await oldWorkspace();
  const { pid } = runs(w);
  const folder = join(w.folder, '.signalbox');
  const isAlive = (run: LastRun) => runnerIsAlive({ ...run, ended: null }, join(folder, 'journals'));
  const why = new RegExp(`cannot be brought to its new form: run r1 .*nothing was changed\\. .*kill -INT ${pid}`);
  for (const create of [true, false])
    await expect(openSqlite({ folder, create, programVersion: '0.2.0', waitMs: 300, isAlive })).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringMatching(why),
    });
  expect(schemaOf(w)).toBe('6');
});
