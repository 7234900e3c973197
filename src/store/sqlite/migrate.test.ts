// A database of each older schema is opened, read, written to and whole; by two at once, too.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { encodeEvent } from '../event-row.ts';
import { paused, planLoaded, samplePath } from '../sample-events.ts';
import { lookAsWritten } from './as-written.ts';
import { metaTable, migrations } from './migrations.ts';
import { openSqlite } from './open-sqlite.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'signalbox-migrate-')), '.signalbox');
  file = join(folder, 'state.db');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** As the program of that time left it, with three events. */
function writeOld(schema: number): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(metaTable);
  for (const step of migrations) if (step.schema <= schema) for (const statement of step.statements) db.exec(statement);
  const put = db.prepare('INSERT INTO meta VALUES (?, ?)');
  put.run('workspace', 'w-1');
  put.run('schema', String(schema));
  put.run('min_writer', '0.1.0');
  const append = db.prepare('INSERT INTO events (seq, at, plan, type, v, body) VALUES (?, ?, ?, ?, ?, ?)');
  [planLoaded(), paused('ann'), paused('bob')].forEach((event, i) => {
    const { seq, at, plan, type, v, body } = encodeEvent({ ...event, seq: i + 1, at: 1000 + i });
    append.run(seq, at, plan, type, v, body);
  });
  db.close();
}

const open = async () => (await openSqlite({ folder, create: false, programVersion: '0.1.0' }))!;
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
  expect(await lookAsWritten(file)).toMatchObject({ head: 5, wrongEvent: null, kept: 'whole' });
  const again = await open();
  expect(await again.read(({ seq }) => seq)).toBe(5);
  await again.close();
});
