// A store that begins without the plans reads none, and nobody notices when they are needed after all.
import { describe, expect, it } from 'vitest';
import type { Event, StoredEvent } from '../core/event.ts';
import { planPath } from '../core/ids.ts';
import { CachedStore } from './cached-store.ts';
import type { Log, LogView } from './log.ts';
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

describe('what a lean store keeps', () => {
  const countReads = (log: MemoryLog) => {
    const handle = new MemoryHandle(log, { now: () => 1 });
    const read = { events: 0 };
    const counting = (view: LogView): LogView => ({
      now: () => view.now(),
      snapshotMark: () => view.snapshotMark(),
      snapshot: (part) => view.snapshot(part),
      leanSnapshot: () => view.leanSnapshot(),
      keptDefinitions: () => view.keptDefinitions(),
      events: async (query) => {
        const events = await view.events(query);
        read.events += events.length;
        return events;
      },
    });
    const own: Log = {
      workspace: handle.workspace,
      read: (body) => handle.read((view) => body(counting(view))),
      write: (body) => handle.write(body),
      watch: (hint) => handle.watch(hint),
      close: () => handle.close(),
    };
    return { read, store: new CachedStore(own, log.rows.length, { lean: true }) };
  };
  const held = (store: CachedStore) => store.read((state) => state.locks.table.holdsOf('ann').length);

  it.each([true, false])(
    'bounds what the next one folds, however long nobody takes a whole one (%s)',
    async (snapshot) => {
      const log = await filled({ snapshot });
      for (let i = 0; i < 1_000; i++) await open(log, true).transact((tx) => tx.record(taken(`key${i % 7}`)));
      const { read, store } = countReads(log);
      expect(await held(store)).toBe(9);
      expect(read.events).toBeLessThan(200);
      // With the plans everything is as it was.
      const whole = await open(log, false).read((state) => [state.plans.get(samplePath)!.live, state.seq]);
      expect(whole).toEqual([1, 1_009]);
    },
  );

  it('bounds what those fold who look at plans, and loads these seldom', async () => {
    const log = await filled({ snapshot: true });
    const kept = new Set<number>();
    for (let i = 0; i < 1_700; i++) {
      const store = open(log, true);
      await store.transact((tx) => tx.record(taken(`key${i % 7}`)));
      await store.snapshot({ atEnd: true });
      kept.add(log.snapshot!.seq);
      expect(log.rows.length - log.snapshot!.seq).toBeLessThan(500);
    }
    expect(kept.size).toBeLessThan(6);
    expect(await open(log, false).read((state) => state.plans.get(samplePath)!.live)).toBe(1);
  });

  it('is kept by one process that goes on, too', async () => {
    const log = await filled({ snapshot: false });
    const store = open(log, true);
    for (let i = 0; i < 450; i++) await store.transact((tx) => tx.record(taken('x')));
    expect(log.lean).toMatchObject({ seq: expect.any(Number) });
    expect(log.rows.length - log.lean!.seq).toBeLessThan(200);
  });

  it.each([
    ['damaged', { workspace: '{' }],
    ['of another version', { version: 0 }],
    ['of another moment', { seq: 3 }],
  ])('is of no use when it is %s', async (_, damage) => {
    const log = await filled({ snapshot: true });
    for (let i = 0; i < 300; i++) await open(log, true).transact((tx) => tx.record(taken('z')));
    log.lean = { ...log.lean!, ...damage };
    expect(await held(open(log, true) as CachedStore)).toBe(3);
  });

  it('gives way to a whole one that is newer', async () => {
    const log = await filled({ snapshot: false });
    for (let i = 0; i < 300; i++) await open(log, true).transact((tx) => tx.record(taken('z')));
    await open(log, false).snapshot({ atEnd: true });
    const { read, store } = countReads(log);
    expect(await held(store)).toBe(3);
    expect(read.events).toBe(0);
  });

  it('is not kept by whoever has the plans', async () => {
    const log = await filled({ snapshot: false });
    const store = open(log, false);
    for (let i = 0; i < 300; i++) await store.transact((tx) => tx.record(taken('z')));
    expect(log.lean).toBeNull();
  });
});
