// What the conformance suite cannot provoke: commits that fail, answers that are lost, listeners that throw.
import { describe, expect, it } from 'vitest';
import { paused, planLoaded, samplePath } from '../../test/rigs/sample-events.ts';
import type { StoredEvent } from '../core/model/event.ts';
import { CachedStore } from './cached-store.ts';
import type { Log, LogTransaction, LogView } from './log.ts';
import { MemoryHandle } from './memory/memory-handle.ts';
import { MemoryLog } from './memory/memory-log.ts';
import { Outage } from './outage.ts';

type Fault = 'none' | 'commit-fails' | 'answer-lost' | 'append-fails' | 'read-fails' | 'second-page-fails';

class FaultyLog implements Log {
  readonly workspace = 'w';
  fault: Fault = 'none';
  readonly #inner: Log;

  constructor(inner: Log) {
    this.#inner = inner;
  }

  read: Log['read'] = async (body) => {
    if (this.fault === 'read-fails') throw new Outage('io', 'read');
    return this.#inner.read((view) => body(this.fault === 'second-page-fails' ? withFirstPage(view) : view));
  };

  write: Log['write'] = async (body) => {
    const result = await this.#inner.write(async (tx) => {
      const answer = await body(this.fault === 'append-fails' ? withoutAppend(tx) : tx);
      if (this.fault === 'commit-fails') throw new Outage('io', 'commit');
      return answer;
    });
    if (this.fault === 'answer-lost') throw new Outage('io', 'lost');
    return result;
  };

  watch: Log['watch'] = (hint) => this.#inner.watch(hint);
  close = () => this.#inner.close();
}

function withFirstPage(view: LogView): LogView {
  let pages = 0;
  return {
    now: () => view.now(),
    snapshotMark: () => view.snapshotMark(),
    snapshot: () => view.snapshot(),
    events: async (query) => {
      if (pages++ > 0) throw new Outage('io', 'second page');
      return view.events(query);
    },
  };
}

function withoutAppend(tx: LogTransaction): LogTransaction {
  return {
    now: () => tx.now(),
    events: (query) => tx.events(query),
    snapshotMark: () => tx.snapshotMark(),
    snapshot: () => tx.snapshot(),
    keepSnapshot: (snapshot) => tx.keepSnapshot(snapshot),
    append: async () => {
      throw new Outage('disk-full', 'append');
    },
  };
}

function faultyStore() {
  const memory = new MemoryLog();
  const log = new FaultyLog(new MemoryHandle(memory, { now: () => 1 }));
  const store = new CachedStore(log, 0);
  const told: StoredEvent[] = [];
  store.subscribe((events) => told.push(...events));
  return { memory, log, store, told };
}

describe('cached store', () => {
  it.each(['commit-fails', 'append-fails'] as const)(
    'when %s: nothing is kept, and the state is loaded again',
    async (fault) => {
      const { log, store, told } = faultyStore();
      await store.transact((tx) => tx.record(planLoaded()));
      log.fault = fault;
      await expect(store.transact((tx) => tx.record(paused('x')))).rejects.toBeInstanceOf(Outage);
      log.fault = 'none';
      await store.read((state) => {
        expect(state.seq).toBe(1);
        expect(state.plans.get(samplePath)?.paused).toBeNull();
      });
      await store.transact((tx) => tx.record(paused('y')));
      expect(told.map(({ seq }) => seq)).toEqual([1, 2]);
    },
  );

  it('takes in what was committed though the answer was lost, and tells it once', async () => {
    const { log, store, told } = faultyStore();
    log.fault = 'answer-lost';
    await expect(store.transact((tx) => tx.record(paused('x')))).rejects.toThrow('lost');
    expect(told).toEqual([]);
    log.fault = 'none';
    expect(await store.transact((tx) => tx.state.seq)).toBe(1);
    await store.read(() => undefined);
    expect(told.map(({ seq }) => seq)).toEqual([1]);
  });

  it('passes an outage of a reader on, and is whole afterwards', async () => {
    const { log, store } = faultyStore();
    await store.transact((tx) => tx.record(planLoaded()));
    log.fault = 'read-fails';
    await expect(store.read(() => undefined)).rejects.toThrow('read');
    log.fault = 'none';
    expect(await store.read((state) => state.seq)).toBe(1);
  });

  it('tells everything once, though a read of the events of others broke off half way', async () => {
    const { memory, log, store, told } = faultyStore();
    await store.transact((tx) => tx.record(paused('own')));
    const other = new CachedStore(new MemoryHandle(memory, { now: () => 1 }), 1);
    await other.transact((tx) => {
      for (let i = 0; i < 1500; i++) tx.record(paused('other'));
    });
    log.fault = 'second-page-fails';
    await expect(store.read(() => undefined)).rejects.toThrow('second page');
    log.fault = 'none';
    await store.read(() => undefined);
    expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: 1501 }, (_, i) => i + 1));
  });

  it('calls a log with a gap broken instead of folding it', async () => {
    const { memory, store } = faultyStore();
    await store.transact((tx) => tx.record(paused('x')));
    memory.rows.push({ ...memory.rows[0]!, seq: 3 });
    await expect(store.read(() => undefined)).rejects.toMatchObject({ kind: 'broken-database' });
  });

  it('acknowledges a commit though a listener throws, tells the others, and lets the bug be seen', async () => {
    const { store } = faultyStore();
    const bugs: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => bugs.push(error.message));
    const told: number[] = [];
    store.subscribe(() => {
      throw new Error('bug');
    });
    store.subscribe((events) => told.push(...events.map(({ seq }) => seq)));
    await store.transact((tx) => tx.record(paused('x')));
    await new Promise((done) => setImmediate(done));
    for (const listener of others) process.on('uncaughtException', listener);
    expect(told).toEqual([1]);
    expect(bugs).toEqual(['bug']);
  });
});
