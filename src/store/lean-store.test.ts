// A store that begins without the plans reads none, and nobody notices when they are needed after all.
import { describe, expect, it } from 'vitest';
import type { Event, StoredEvent } from '../core/event.ts';
import { planPath } from '../core/ids.ts';
import { CachedStore } from './cached-store.ts';
import { MemoryHandle } from './memory/memory-handle.ts';
import { MemoryLog } from './memory/memory-log.ts';
import { life, planLoaded, runStarted, samplePath, scheduled } from './sample-events.ts';

const taken = (resource: string): Event => ({
  type: 'lock-acquired',
  v: 1,
  plan: planPath(''),
  owner: 'ann',
  agent: 'ann',
  resource,
  mode: 'exclusive',
});

const open = (log: MemoryLog, lean: boolean) =>
  new CachedStore(new MemoryHandle(log, { now: () => 1 }), log.rows.length, { lean });

async function filled({ snapshot }: { readonly snapshot: boolean }): Promise<MemoryLog> {
  const log = new MemoryLog();
  const store = open(log, false);
  await store.transact((tx) => {
    for (const event of [planLoaded(200), runStarted(), ...life('t0', 1), taken('x')]) tx.record(event);
  });
  if (snapshot) await store.snapshot({ atEnd: true });
  await store.transact((tx) => {
    for (const event of [scheduled('t1', 2), taken('y')]) tx.record(event);
  });
  return log;
}

const damaged = { plan: 'plan.md', body: '{', derived: null, states: new Uint8Array(0), definition: null };

describe.each([{ snapshot: true }, { snapshot: false }])('a lean store (%o)', ({ snapshot }) => {
  it('knows and records locks without looking at a plan', async () => {
    const log = await filled({ snapshot });
    // Whoever read these would stumble.
    if (log.snapshot) log.snapshot = { ...log.snapshot, plans: [damaged] };
    const store = open(log, true);
    let calls = 0;
    await store.transact((tx) => {
      calls++;
      expect([...tx.state.locks.table.holds()].map(({ key }) => key)).toEqual(['x', 'y']);
      expect([...tx.state.live.keys()]).toEqual([2]);
      tx.record(taken('z'));
    });
    expect(await store.read((state) => state.locks.table.holdsOf('ann').length)).toBe(3);
    expect(calls).toBe(1);
    expect(log.rows.at(-1)).toMatchObject({ seq: 10, type: 'lock-acquired' });
  });

  it('calls work again when it needs a plan, keeps nothing of the first time, and tells everything once', async () => {
    const log = await filled({ snapshot });
    const store = open(log, true);
    const told: StoredEvent[] = [];
    store.subscribe((events) => told.push(...events));
    let calls = 0;
    await store.transact((tx) => {
      calls++;
      tx.record(taken(`call-${calls}`));
      expect(tx.state.plans.get(samplePath)!.tasks).toHaveLength(200);
    });
    expect(calls).toBe(2);
    expect(log.rows).toHaveLength(10);
    expect(told.map(({ seq }) => seq)).toEqual([10]);
    const held = await store.read((state) => state.locks.table.holdsOf('ann').map(({ key }) => key));
    expect(held).toEqual(['call-2', 'x', 'y']);
  });

  it('finds the plans for a look, and for a snapshot', async () => {
    const log = await filled({ snapshot });
    expect(await open(log, true).read((state) => [...state.plans.keys()])).toEqual([samplePath]);
    const store = open(log, true);
    await store.transact((tx) => {
      for (let i = 0; i < 1100; i++) tx.record(taken('x'));
    });
    await store.snapshot();
    expect(log.snapshot).toMatchObject({ seq: 1109, plans: [{ plan: samplePath }] });
    expect(await open(log, true).read((state) => state.plans.get(samplePath)!.live)).toBe(1);
  });

  it('passes other errors on', async () => {
    const store = open(await filled({ snapshot }), true);
    const broken = store.transact((tx) => {
      tx.record(taken('z'));
      throw new Error('bug');
    });
    await expect(broken).rejects.toThrow('bug');
    expect(await store.read((state) => state.seq)).toBe(9);
  });
});

describe('a lean store whose snapshot is damaged', () => {
  it('folds the log instead', async () => {
    const log = await filled({ snapshot: true });
    log.snapshot = { ...log.snapshot!, workspace: '{' };
    expect(await open(log, true).read((state) => state.locks.table.holdsOf('ann').length)).toBe(2);
  });
});
