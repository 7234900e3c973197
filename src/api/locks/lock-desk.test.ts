import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { identify } from '../../agents/process/process-identity.ts';
import { planPath } from '../../core/model/ids.ts';
import { anythingToReap, reapEveryMs } from '../../runner/reap-locks.ts';
import { MemoryLog } from '../../store/memory/memory-log.ts';
import { openMemory } from '../../store/memory/open-memory.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import { LockDesk } from './lock-desk.ts';
import type { LockWaitOptions } from './lock-door.ts';

const root = process.cwd();
let store: Store;
let desk: LockDesk;

beforeEach(() => {
  // Nothing here may need the heartbeat: it never comes.
  vi.useFakeTimers();
  store = openMemory(new MemoryLog(), { now: () => 1_000_000 });
  const parts = { store, root, cwd: root, env: {}, user: 'u', isRunning: () => false };
  desk = new LockDesk({ ...parts, keepBeforeImage: async () => undefined, letGoOfImage: async () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Resolves when this many wait. */
async function queued(waits: number): Promise<void> {
  while ((await store.read(({ locks }) => locks.waiting.size)) < waits);
}

describe('several who wait in one process', () => {
  it('are handed the lock by one of them at once', async () => {
    await desk.try(['a'], { agent: 'A' });
    const waiting = desk.wait(['a'], { agent: 'B' });
    await queued(1);
    await desk.release(['a'], { agent: 'A' });
    expect((await waiting).answer).toBe('granted');
  });

  it('are one process to look at', async () => {
    await desk.try(['a'], { agent: 'A' });
    const waiting = ['B', 'C'].map((agent) => desk.wait(['a'], { agent }));
    await queued(2);
    const looked = vi.fn(() => false);
    expect(await store.read((state, now) => anythingToReap(state, now, looked))).toBe(false);
    expect(looked).toHaveBeenCalledTimes(1);
    await desk.release(['a'], { agent: 'A' });
    await waiting[0];
    await desk.release(['a'], { agent: 'B' });
    await waiting[1];
  });
});

describe('who asks to wait', () => {
  it('is spared the watch when the answer is there at once', async () => {
    const watch = vi.spyOn(store, 'watch');
    expect((await desk.wait(['a'], { agent: 'A' })).answer).toBe('granted');
    expect(watch).not.toHaveBeenCalled();
  });

  it('does not miss a lock that is handed over before it watches', async () => {
    await desk.try(['a'], { agent: 'A' });
    const right = store.transact.bind(store);
    vi.spyOn(store, 'transact').mockImplementationOnce(async (work) => {
      const answer = await right(work);
      await desk.release(['a'], { agent: 'A' });
      return answer;
    });
    expect((await desk.wait(['a'], { agent: 'B' })).answer).toBe('granted');
  });
});

describe('a sign of life of a guest', () => {
  const minute = 60_000;
  let now: number;
  beforeEach(() => {
    now = 1_000_000;
    store = openMemory(new MemoryLog(), { now: () => now });
    const parts = { store, root, cwd: root, env: {}, user: 'u', isRunning: () => false };
    desk = new LockDesk({ ...parts, keepBeforeImage: async () => undefined, letGoOfImage: async () => undefined });
  });
  const seq = () => store.read((state) => state.seq);
  const until = (agent: string) => store.read(({ locks }) => locks.owners.get(agent)?.until);

  it.each<[string, number, boolean]>([
    ['at once: nothing is written', 0, false],
    ['before half of the lease is gone: nothing is written', 15 * minute - 1, false],
    ['when half of it is gone', 15 * minute, true],
    ['just before it ends', 30 * minute - 1, true],
  ])('%s', async (_, later, renewed) => {
    await desk.try(['a'], { agent: 'A' });
    const [before, ends] = [await seq(), await until('A')];
    now += later;
    expect(await desk.signOfLife({ agent: 'A' })).toBe(renewed);
    expect(await seq()).toBe(before + (renewed ? 1 : 0));
    expect(await until('A')).toBe(renewed ? now + 30 * minute : ends);
  });

  it('keeps the place in the line too', async () => {
    await desk.try(['a'], { agent: 'A' });
    const waiting = desk.wait(['a'], { agent: 'B' });
    await queued(1);
    now += 20 * minute;
    expect(await desk.signOfLife({ agent: 'B' })).toBe(true);
    expect(await desk.signOfLife({ agent: 'A' })).toBe(true);
    now += 20 * minute;
    await desk.release(['a'], { agent: 'A' });
    expect((await waiting).answer).toBe('granted');
  });

  it('of somebody without locks is not written', async () => {
    await desk.try(['a'], { agent: 'A' });
    const before = await seq();
    now += 20 * minute;
    expect(await desk.signOfLife({ agent: 'B' })).toBe(false);
    expect(await seq()).toBe(before);
  });

  it('that comes too late renews nothing: the locks are gone', async () => {
    await desk.try(['a'], { agent: 'A' });
    now += 31 * minute;
    expect(await desk.signOfLife({ agent: 'A' })).toBe(false);
    expect(await until('A')).toBeUndefined();
    expect((await desk.try(['a'], { agent: 'B' })).answer).toBe('granted');
  });

  it('that cannot be written is no trouble for the call; a bug is', async () => {
    await desk.try(['a'], { agent: 'A' });
    now += 20 * minute;
    vi.spyOn(store, 'transact').mockRejectedValueOnce(new Outage('disk-full', 'no space'));
    expect(await desk.signOfLife({ agent: 'A' })).toBe(false);
    vi.spyOn(store, 'transact').mockRejectedValueOnce(new Error('a bug'));
    await expect(desk.signOfLife({ agent: 'A' })).rejects.toThrow('a bug');
    expect(await desk.signOfLife({ agent: 'A' })).toBe(true);
  });

  it('needs a name', async () => {
    await expect(desk.signOfLife({})).rejects.toThrow('no agent was named');
  });
});

describe('a database that stays busy', () => {
  const busy = (times: number) => {
    const right = store.transact.bind(store);
    const asked = vi.spyOn(store, 'transact').mockImplementation((work) => {
      return times-- > 0 ? Promise.reject(new Outage('busy', 'others write')) : right(work);
    });
    return asked;
  };

  it('is waited for by who waits, as long as they said', async () => {
    const asked = busy(3);
    expect((await desk.wait(['a'], { agent: 'A' })).answer).toBe('granted');
    expect(asked).toHaveBeenCalledTimes(4);
  });

  it.each<[string, LockWaitOptions]>([
    ['has no time left', { agent: 'A', timeoutMs: 0 }],
    ['was told to give up', { agent: 'A', signal: AbortSignal.abort() }],
  ])('not by who %s', async (_, options) => {
    busy(3);
    await expect(desk.wait(['a'], options)).rejects.toThrow('others write');
  });

  it('nor by who only tries; and nobody waits for what is broken', async () => {
    busy(1);
    await expect(desk.try(['a'], { agent: 'A' })).rejects.toThrow('others write');
    vi.spyOn(store, 'transact').mockRejectedValue(new Outage('io', 'broken'));
    await expect(desk.wait(['a'], { agent: 'A' })).rejects.toThrow('broken');
  });
});

describe('the dead who came first', () => {
  /** Waited for `a`, in a process of this machine that is gone. */
  const leaveDead = async () => {
    const gone = { ...identify(process.pid)!, startTime: '1' };
    const about = { v: 1, plan: planPath(''), owner: 'D', agent: 'D', resource: 'a', blockedBy: ['A'] } as const;
    const wants = [{ key: 'a', mode: 'exclusive' }] as const;
    await store.transact((tx) => tx.record({ type: 'lock-waiting', ...about, wants, process: gone }));
  };
  const waiters = () => store.read(({ locks }) => [...locks.table.requests()].map(({ owner }) => owner));

  it.each([1, 8, 20])('are gone soon, where %i wait', async (count) => {
    await desk.try(['a'], { agent: 'A' });
    const giveUp = new AbortController();
    const names = Array.from({ length: count }, (_, i) => `W${i}`);
    const waiting = names.map((agent) => desk.wait(['a'], { agent, signal: giveUp.signal }));
    await queued(count);
    await leaveDead();
    // Of many, some look at each beat; here all have begun at once, and so look at the same one.
    for (let beat = 0; beat < Math.ceil(count / 8) + 1; beat++) await vi.advanceTimersByTimeAsync(reapEveryMs);
    expect(await waiters()).toEqual(names);
    giveUp.abort();
    await Promise.all(waiting);
  });
});

describe('a deadlock that a grant closes', () => {
  it('is told to who asked last, and what to release', async () => {
    await desk.try(['z'], { agent: 'carl' });
    await desk.try(['y'], { agent: 'dora' });
    await desk.try(['x'], { agent: 'eve' });
    const dora = desk.wait(['x', 'z'], { agent: 'dora' });
    await queued(1);
    const bob = desk.wait(['y'], { agent: 'bob' });
    await queued(2);
    const other = desk.wait(['x'], { agent: 'bob', shared: true });
    await queued(3);
    await desk.release(['x'], { agent: 'eve' });
    expect((await other).answer).toBe('granted');
    expect(await bob).toMatchObject({
      answer: 'deadlock',
      reason: 'bob holds x and waits for y, held by dora, which waits for x',
      release: ['x'],
    });
    await desk.releaseAll({ agent: 'bob' });
    await desk.releaseAll({ agent: 'carl' });
    expect((await dora).answer).toBe('granted');
  });
});

describe('the end of a wait', () => {
  it('is no grant when it holds only what it had before: shared is not exclusive', async () => {
    for (const agent of ['A', 'B']) await desk.try(['a'], { agent, shared: true });
    const upgrade = desk.wait(['a'], { agent: 'A' });
    await queued(1);
    const ticket = await store.read(({ locks }) => locks.table.waitsOf('A')[0]!.ticket);
    await store.transact((tx) => {
      const party = { plan: '' as never, owner: 'A', agent: 'A' };
      tx.record({ type: 'lock-wait-ended', v: 1, ...party, ticket, because: 'died' });
    });
    expect((await upgrade).answer).toBe('over');
  });
});
