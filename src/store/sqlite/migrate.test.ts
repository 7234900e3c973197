// A database of each older schema is opened, read, written to and whole; by two at once, too.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paused, planLoaded, runStarted, samplePath } from '../../../test/rigs/sample-events.ts';
import type { Event } from '../../core/model/event.ts';
import { encodeEvent } from '../event-row.ts';
import { lookAsWritten } from './as-written.ts';
import { metaTable, migrations } from './migrations.ts';
import { openSqlite, type SqliteOptions } from './open-sqlite.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'signalbox-migrate-')), '.signalbox');
  file = join(folder, 'state.db');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** As the program of that time left it, with three events or more. */
function writeOld(schema: number, more: readonly Event[] = []): void {
  const db = new Sqlite(file);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(metaTable);
  for (const step of migrations) if (step.schema <= schema) for (const statement of step.statements) db.exec(statement);
  const put = db.prepare('INSERT INTO meta VALUES (?, ?)');
  put.run('workspace', 'w-1');
  put.run('schema', String(schema));
  put.run('min_writer', '0.1.0');
  const append = db.prepare('INSERT INTO events (seq, at, plan, type, v, body) VALUES (?, ?, ?, ?, ?, ?)');
  [planLoaded(), paused('ann'), paused('bob'), ...more].forEach((event, i) => {
    const { seq, at, plan, type, v, body } = encodeEvent({ ...event, seq: i + 1, at: 1000 + i });
    append.run(seq, at, plan, type, v, body);
  });
  db.close();
}

const open = async () => (await openSqlite({ folder, create: false, programVersion: '0.2.0' }))!;
const older = migrations.map(({ schema }) => schema).slice(0, -1);

it.each(older)('from schema %i', async (schema) => {
  writeOld(schema);
  const stores = await Promise.all([open(), open()]);
  for (const store of stores) {
    expect(store.workspace).toBe('w-1');
    expect(await store.read(({ plans, seq }) => [seq >= 3, plans.get(samplePath)?.tasks.length])).toEqual([true, 3]);
    await store.transact((tx) => tx.record(paused('carl')));
    await store.snapshot({ atEnd: true });
  }
  for (const store of stores) await store.close();
  expect(lookAsWritten(file)).toMatchObject({ head: 5, wrongEvent: null, isSnapshotWhole: true });
  const again = await open();
  expect(await again.read(({ seq }) => seq)).toBe(5);
  await again.close();
});

describe('an older runner', () => {
  const waiting = (options: Partial<SqliteOptions>) =>
    openSqlite({ folder, create: false, programVersion: '0.2.0', onNotice: (text) => notices.push(text), ...options });
  const notices: string[] = [];
  beforeEach(() => {
    notices.length = 0;
    writeOld(6, [runStarted()]);
  });

  it('is waited for, and told about once', async () => {
    let looks = 0;
    const store = (await waiting({ isAlive: () => ++looks < 4 }))!;
    expect(await store.read(({ seq }) => seq)).toBe(4);
    await store.close();
    expect(notices).toEqual([expect.stringContaining('run r1 of plan.md (process 4711) still uses it')]);
  });

  it('that lives on keeps its database as it is', async () => {
    await expect(waiting({ waitMs: 150, isAlive: () => true })).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringMatching(/nothing was changed\. .*kill -INT 4711/),
    });
    const isAlive = vi.fn(() => false);
    await (await waiting({ isAlive }))!.close();
    expect(isAlive).toHaveBeenCalledTimes(1);
    // A runner of this version is nobody's business: the tables are as it knows them.
    await (await waiting({ isAlive: () => true }))!.close();
    expect(notices).toHaveLength(1);
  });
});
