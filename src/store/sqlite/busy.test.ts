import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { paused } from '../../../test/rigs/sample-events.ts';
import { Outage } from '../outage.ts';
import type { Store } from '../store.ts';
import { type Database, openDatabase } from './database.ts';
import { openSqlite } from './open-sqlite.ts';
import { retryBusy } from './retry-busy.ts';

describe('busy database', () => {
  let folder: string;
  let store: Store;
  let other: Database;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-busy-'));
    store = (await openSqlite({ folder, create: true, programVersion: '0.2.0', waitMs: 300 }))!;
    other = openDatabase(join(folder, 'state.db'));
  });
  afterEach(async () => {
    other.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('never blocks the event loop, and ends in an outage that says how long and for whom', async () => {
    other.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    let longestMs = 0;
    let last = ownNow();
    const timer = setInterval(() => {
      ticks++;
      longestMs = Math.max(longestMs, ownNow() - last);
      last = ownNow();
    }, 5);
    const outage: unknown = await store.transact((tx) => tx.record(paused('x'))).catch((error) => error);
    clearInterval(timer);
    expect(outage).toBeInstanceOf(Outage);
    expect(outage).toMatchObject({ kind: 'busy' });
    expect((outage as Outage).message).toMatch(/waited \d\.\d s/);
    if (process.platform === 'linux') {
      expect((outage as Outage).message).toContain(`process ${process.pid} (this same process`);
    }
    expect(ticks).toBeGreaterThan(10);
    expect(longestMs).toBeLessThan(250);
  });

  it('goes on as soon as the other one is done, and lets readers in meanwhile', async () => {
    other.exec('BEGIN IMMEDIATE');
    const written = store.transact((tx) => tx.record(paused('x')));
    setTimeout(() => other.exec('COMMIT'), 60);
    await written;
    other.exec('BEGIN IMMEDIATE');
    expect(await store.read((state) => state.seq)).toBe(1);
    expect(await store.events({})).toHaveLength(1);
    other.exec('ROLLBACK');
  });

  it('leaves other errors to the caller at once', async () => {
    const options = { file: 'x', waitMs: 10_000, holder: () => null };
    const failing = retryBusy(() => {
      throw new Error('no');
    }, options);
    await expect(failing).rejects.toThrow('no');
  });

  it('does not wait for a snapshot that only saves time', async () => {
    await store.transact((tx) => {
      for (let i = 0; i < 5000; i++) tx.record(paused('x'));
    });
    other.exec('BEGIN IMMEDIATE');
    await store.snapshot();
    other.exec('ROLLBACK');
    await store.snapshot();
    expect(other.prepare<[], { seq: number }>('SELECT seq FROM snapshots').all()).toMatchObject([{ seq: 5000 }]);
  });
});
