// A database is changed by another program: everything stays readable, and the changed event, or the changed snapshot, is named.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 as crcOfZlib } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { paused, planLoaded } from '../../../test/rigs/sample-events.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import type { Store } from '../store.ts';
import { lookAsWritten } from './as-written.ts';
import { crc32 } from './check-sum.ts';
import { openDatabase } from './database.ts';
import { openSqlite } from './open-sqlite.ts';
import { SqliteLog } from './sqlite-log.ts';

test('a sum is the one that everybody makes, however long the text is and wherever it is cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6000 }), fc.nat(6000), (bytes, cut) => {
      expect(crc32(bytes)).toBe(crcOfZlib(bytes));
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(crcOfZlib(bytes));
    }),
  );
});

const place = () => mkdtempSync(join(tmpdir(), 'signalbox-written-'));
const open = async (folder: string): Promise<Store> =>
  (await openSqlite({ folder: join(folder, '.signalbox'), create: true, programVersion: '0.2.0' }))!;

/** So many more, by several transactions of two connections, some of which fail; and a snapshot. */
async function write(folder: string, count: number): Promise<void> {
  const [one, two] = [await open(folder), await open(folder)];
  for (let i = 0; i < count; i++) {
    const store = i % 3 === 0 ? one : two;
    await store.transact((tx) => {
      const size = i % 100 === 0 ? 30_000 : i % 10 === 0 ? 3000 : 3;
      tx.record(tx.state.seq === 0 ? planLoaded() : paused('ann€'.repeat(size)));
    });
    if (i % 4 !== 1) continue;
    const failing = store.transact((tx) => {
      tx.record(paused('nobody'));
      throw new Error('not this time');
    });
    await expect(failing).rejects.toThrow('not this time');
  }
  await one.snapshot({ atEnd: true });
  for (const store of [one, two]) await store.close();
}

let template: string;
let folder: string;
let file: string;
beforeAll(async () => {
  template = place();
  await write(template, 500);
});
beforeEach(() => {
  folder = place();
  cpSync(template, folder, { recursive: true });
  file = join(folder, '.signalbox', 'state.db');
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => rmSync(template, { recursive: true }));

function change(sql: string): void {
  const db = openDatabase(file);
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
}

describe('a log', () => {
  it('is as it was written, whoever wrote it', async () => {
    expect(lookAsWritten(file)).toMatchObject({ head: 500, wrongEvent: null });
  });

  it('of nothing is whole', async () => {
    const empty = place();
    await (await open(empty)).close();
    expect(lookAsWritten(join(empty, '.signalbox', 'state.db'))).toEqual({
      head: 0,
      wrongEvent: null,
      isSnapshotWhole: true,
      ended: new Map(),
    });
  });

  it.each([
    ['another text', "UPDATE events SET body = replace(body, 'ann', 'anm') WHERE seq = 7", 7],
    ['another time', 'UPDATE events SET at = at + 1 WHERE seq = 250', 250],
    ['another kind', "UPDATE events SET type = 'plan-paused' WHERE seq = 1", 1],
    ['another plan', "UPDATE events SET plan = 'other' WHERE seq = 500", 500],
    ['one less', 'DELETE FROM events WHERE seq = 200', 200],
    ['another first one', 'DELETE FROM events WHERE seq = 1', 1],
    ['another sum at its end', 'UPDATE events SET chain = 5 WHERE seq = 500', 500],
  ])('with %s is seen, and where', async (_, sql, seq) => {
    change(sql);
    expect(lookAsWritten(file).wrongEvent).toBe(seq);
  });

  it('goes on from what is there, not from what was taken back', async () => {
    const openLog = () => {
      const db = openDatabase(file);
      const busy = { waitMs: 1000, holder: () => null, freeBytes: () => 0 };
      return new SqliteLog({ ...busy, file, db, workspace: 'w', clock: { now: () => 5 } });
    };
    const [one, two] = [openLog(), openLog()];
    const event = (seq: number, by: string): StoredEvent => ({ ...paused(by), seq, at: 4e12 });
    const failing = one.write(async (tx) => {
      await tx.append([event(501, 'nobody')]);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('full');
    await two.write((tx) => tx.append([event(501, 'two')]));
    await one.write((tx) => tx.append([event(502, 'one')]));
    for (const log of [one, two]) await log.close();
    expect(lookAsWritten(file)).toMatchObject({ head: 502, wrongEvent: null });
  });

  it('that began before there were sums is looked at from there', async () => {
    change('UPDATE events SET chain = NULL');
    await write(folder, 12);
    expect(lookAsWritten(file).wrongEvent).toBe(null);
    change('UPDATE events SET at = at + 1 WHERE seq = 505');
    expect(lookAsWritten(file).wrongEvent).toBe(505);
  });
});

it.each([
  ["UPDATE snapshots SET body = replace(body, 'ann', 'anm') WHERE plan <> ''", false],
  ["UPDATE snapshots SET seq = seq - 1 WHERE plan = ''", false],
  ['UPDATE snapshots SET version = version + 1', false],
  ['UPDATE snapshots SET sum = sum + 1', false],
  ['DELETE FROM snapshots', true],
])('a snapshot is looked at too: %s', (sql, isWhole) => {
  expect(lookAsWritten(file).isSnapshotWhole).toBe(true);
  change(sql);
  expect(lookAsWritten(file).isSnapshotWhole).toBe(isWhole);
});
