// Tasks of a plan are read from the database when they are looked at: from the definition that was loaded, or not at all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PlanNeeded } from '../../core/plan-needed.ts';
import { planLoaded, samplePath } from '../sample-events.ts';
import type { Store } from '../store.ts';
import { openSqlite } from './open-sqlite.ts';

let folder: string;
const opened: Store[] = [];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'signalbox-parts-')), '.signalbox');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(join(folder, '..'), { recursive: true });
});

async function open(late: boolean): Promise<Store> {
  const store = (await openSqlite({ folder, create: true, programVersion: '0.1.0', late }))!;
  opened.push(store);
  return store;
}

async function load(store: Store, tasks: number): Promise<void> {
  await store.transact((tx) => tx.record(planLoaded(tasks)));
  await store.snapshot({ atEnd: true });
}

/** Held beyond the moment in which it may be looked at, as if somebody else were faster than the next line. */
const planOf = async (store: Store) => (await store.read((state) => state.plans.get(samplePath)))!;

it('parts that were read stay, and the others are read later', async () => {
  await load(await open(false), 1000);
  const { plan, index } = await planOf(await open(true));
  expect([plan.tasks.length, plan.tasks[900]!.id]).toEqual([1000, 't900']);
  expect(index.get(plan.tasks[3]!.id)).toBe(3);
});

it('another definition in its place is not taken for it', async () => {
  const other = await open(false);
  await load(other, 1000);
  const { plan, index } = await planOf(await open(true));
  expect(plan.tasks[0]!.id).toBe('t0');
  await load(other, 900);
  expect(plan.tasks[1]!.id).toBe('t1');
  expect(() => plan.tasks[300]).toThrow(PlanNeeded);
  expect(() => index.get(plan.tasks[1]!.id)).toThrow(PlanNeeded);
});

it('a part that is gone makes the store read everything from the log', async () => {
  await load(await open(false), 1000);
  const store = await open(true);
  const database = new DatabaseSync(join(folder, 'state.db'));
  database.exec('DELETE FROM definition_parts WHERE part = 2; UPDATE definition_parts SET version = 1 WHERE part = 3');
  database.close();
  let looks = 0;
  const ids = await store.read((state) => {
    looks++;
    const { tasks } = state.plans.get(samplePath)!.plan;
    return [tasks[0]!.id, tasks[600]!.id, tasks[800]!.id];
  });
  expect([looks, ...ids]).toEqual([2, 't0', 't600', 't800']);
});
