import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anythingToReap } from '../../runner/reap-locks.ts';
import { MemoryLog } from '../../store/memory/memory-log.ts';
import { openMemory } from '../../store/memory/open-memory.ts';
import type { Store } from '../../store/store.ts';
import { LockDesk } from './lock-desk.ts';

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
