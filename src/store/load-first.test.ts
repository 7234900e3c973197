// Everybody waits for whoever holds the write lock, so nothing is loaded under it: what has to be is loaded before.
import { expect, it } from 'vitest';
import { life, paused, planLoaded, runStarted, samplePath } from '../../test/rigs/sample-events.ts';
import { CachedStore } from './cached-store.ts';
import type { Log, LogView } from './log.ts';
import { MemoryHandle } from './memory/memory-handle.ts';
import { MemoryLog } from './memory/memory-log.ts';
import { Outage } from './outage.ts';

const clock = { now: () => 1 };

/** Notes what is read under the write lock beside what came since. */
class NotingLog implements Log {
  readonly workspace = 'w';
  readonly underLock: string[] = [];
  commitFails = false;
  /** Comes in between what is read and the write lock. */
  between: (() => Promise<void>) | null = null;
  readonly #inner: Log;

  constructor(inner: Log) {
    this.#inner = inner;
  }

  read: Log['read'] = (body) => this.#inner.read(body);
  write: Log['write'] = async (body) => {
    await this.between?.();
    this.between = null;
    return this.#inner.write(async (tx) => {
      const answer = await body(Object.assign(this.#noting(tx), { append: tx.append.bind(tx) }) as never);
      if (this.commitFails) throw new Outage('io', 'commit');
      return answer;
    });
  };
  watch: Log['watch'] = (hint) => this.#inner.watch(hint);
  close = () => this.#inner.close();

  #noting(view: LogView): LogView {
    const note = <T>(what: string, answer: T): T => {
      this.underLock.push(what);
      return answer;
    };
    return {
      now: () => view.now(),
      snapshotMark: () => view.snapshotMark(),
      snapshot: () => note('snapshot', view.snapshot()),
      events: async (query) => {
        const events = await view.events(query);
        if (events.length > 0) note(`${events.length} events`, events);
        return events;
      },
    };
  }
}

async function opened() {
  const memory = new MemoryLog();
  const other = new CachedStore(new MemoryHandle(memory, clock), 0);
  await other.transact((tx) => {
    for (const event of [planLoaded(200), runStarted(), ...life('t0', 1)]) tx.record(event);
  });
  await other.snapshot({ atEnd: true });
  await other.transact((tx) => tx.record(paused('other')));
  const log = new NotingLog(new MemoryHandle(memory, clock));
  const store = new CachedStore(log, memory.rows.length);
  const told: number[] = [];
  store.subscribe((events) => told.push(...events.map(({ seq }) => seq)));
  return { other, log, store, told };
}

it('the first work finds a state that was loaded before, and is called once', async () => {
  const { log, store } = await opened();
  let calls = 0;
  await store.transact((tx) => {
    calls++;
    expect(tx.state.seq).toBe(7);
    expect(tx.state.plans.get(samplePath)!.tasks).toHaveLength(200);
  });
  expect(calls).toBe(1);
  expect(log.underLock).toEqual([]);
});

it('a state that was thrown away is loaded again before the next work, and what others did is told once', async () => {
  const { other, log, store, told } = await opened();
  log.commitFails = true;
  await expect(store.transact((tx) => tx.record(paused('own')))).rejects.toBeInstanceOf(Outage);
  log.commitFails = false;
  await other.transact((tx) => tx.record(paused('other')));
  await store.transact((tx) => {
    expect(tx.state.seq).toBe(8);
    tx.record(paused('own'));
  });
  expect(log.underLock).toEqual([]);
  expect(told).toEqual([8, 9]);
});

it('what others write between the two is not missed', async () => {
  const { other, log, store, told } = await opened();
  log.between = () => other.transact((tx) => tx.record(paused('other')));
  await store.transact((tx) => {
    expect(tx.state.seq).toBe(8);
    tx.record(paused('own'));
  });
  expect(log.underLock).toEqual(['1 events']);
  expect(told).toEqual([8, 9]);
});
