// What every store must do, whatever database it stands on. Run by a test file per database, which brings the handles.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/core/model/event.ts';
import { planPath } from '../../src/core/model/ids.ts';
import { snapshotPlan, snapshotWorkspace } from '../../src/core/state/snapshot.ts';
import type { State } from '../../src/core/state/state.ts';
import type { Store, StoreClock, Transaction } from '../../src/store/store.ts';
import {
  completed,
  life,
  locked,
  paused,
  planLoaded,
  runStarted,
  samplePath,
  scheduled,
  started,
} from './sample-events.ts';

/** One empty shared log; each handle acts as a process of its own. */
export interface Handles {
  open(clock?: StoreClock): Promise<Store>;
  /** Makes the kept snapshot unusable, or gives it a token by which it is known again. */
  alterSnapshot(how: 'text' | 'version' | { readonly token: number }): Promise<void>;
  dispose(): Promise<void>;
}

export function describeStore(name: string, create: () => Promise<Handles>): void {
  describe(`${name}: every store`, () => {
    let handles: Handles;
    let a: Store;
    let b: Store;
    const opened: Store[] = [];

    const open = async (clock?: StoreClock): Promise<Store> => {
      const store = await handles.open(clock);
      opened.push(store);
      return store;
    };

    beforeEach(async () => {
      handles = await create();
      a = await open();
      b = await open();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      await handles.dispose();
    });

    it('gives all handles the same workspace', () => {
      expect(a.workspace).not.toBe('');
      expect(b.workspace).toBe(a.workspace);
    });

    it('numbers events without a gap when several handles write at once', async () => {
      const c = await open();
      const writes = [a, b, c].flatMap((store, who) =>
        Array.from({ length: 20 }, (_, i) =>
          store.transact((tx) => {
            tx.record(paused(`${who}`));
            if (i % 3 === 0) tx.record(paused(`${who}`));
            return tx.state.seq;
          }),
        ),
      );
      const seen = await Promise.all(writes);
      const log = await a.events({});
      expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 3 * 27 }, (_, i) => i + 1));
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('never lets two transactions of one handle interleave', async () => {
      const counts = await Promise.all(
        Array.from({ length: 10 }, () =>
          a.transact((tx) => {
            const before = tx.state.seq;
            tx.record(paused('x'));
            return tx.state.seq - before;
          }),
        ),
      );
      expect(counts).toEqual(Array(10).fill(1));
      expect(await a.read((state) => state.seq)).toBe(10);
    });

    it('shows what was recorded at once, and what others wrote before', async () => {
      await a.transact((tx) => {
        tx.record(planLoaded());
        expect(tx.state.plans.get(samplePath)?.tasks).toHaveLength(3);
      });
      await b.transact((tx) => tx.record(paused('b')));
      await a.transact((tx) => expect(tx.state.plans.get(samplePath)?.paused?.by).toBe('b'));
      await b.read((state) => expect(state.seq).toBe(2));
    });

    it('writes nothing when the work throws, and goes on with a whole state', async () => {
      await a.transact((tx) => tx.record(planLoaded()));
      const failing = a.transact((tx) => {
        tx.record(paused('nobody'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await expect(
        a.transact(() => {
          throw new Error('neither');
        }),
      ).rejects.toThrow('neither');
      expect(await a.events({ after: 1 })).toEqual([]);
      await a.read((state) => expect(state.plans.get(samplePath)?.paused).toBeNull());
      await a.transact((tx) => tx.record(paused('somebody')));
      expect((await b.events({ after: 1 })).map(({ seq }) => seq)).toEqual([2]);
    });

    it('writes nothing when nothing is recorded', async () => {
      const answer = await a.transact((tx) => tx.state.seq);
      expect(answer).toBe(0);
      expect(await b.events({})).toEqual([]);
    });

    it('refuses work that waits, and records of a transaction that is over', async () => {
      await expect(a.transact(async (tx) => tx.record(paused('late')))).rejects.toThrow('synchronous');
      let kept: Transaction | undefined;
      await a.transact((tx) => {
        kept = tx;
      });
      expect(() => kept!.record(paused('late'))).toThrow('after its transaction');
      expect(await b.events({})).toEqual([]);
    });

    it('tells subscribers each event once, in order, after it is committed: own and others', async () => {
      await a.transact((tx) => tx.record(planLoaded()));
      const told: StoredEvent[] = [];
      const stop = a.subscribe((events) => told.push(...events));
      await b.transact((tx) => tx.record(paused('b')));
      await a.transact((tx) => {
        tx.record(paused('a'));
        tx.record(paused('a'));
        expect(told).toEqual([]);
      });
      await b.transact((tx) => tx.record(paused('b')));
      // It fails after recording: the state is loaded again, but nothing is told twice and nothing of it is told.
      const failing = a.transact((tx) => {
        tx.record(paused('never'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await b.transact((tx) => tx.record(paused('b')));
      await a.read(() => undefined);
      await a.read(() => undefined);
      expect(told.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6]);
      expect(told).toEqual(await b.events({ after: 1 }));
      stop();
      await a.transact((tx) => tx.record(paused('a')));
      expect(told).toHaveLength(5);
    });

    it('tells a subscriber of a handle that has not loaded yet what comes after its opening, also behind a snapshot', async () => {
      await a.transact((tx) => tx.record(planLoaded()));
      const late = await open();
      const told: number[] = [];
      late.subscribe((events) => told.push(...events.map(({ seq }) => seq)));
      await fill(b, 5100);
      await b.snapshot();
      await late.read(() => undefined);
      expect(told).toEqual(Array.from({ length: 5100 }, (_, i) => i + 2));
    });

    it('folds to the same state from nothing, from a snapshot and step by step', async () => {
      await a.transact((tx) => {
        tx.record(planLoaded());
        tx.record(runStarted());
        for (const event of life('t0', 1)) tx.record(event);
        tx.record(scheduled('t1', 2));
        tx.record(started('t1', 2));
      });
      await fill(a, 5000);
      await a.snapshot();
      await b.transact((tx) => tx.record(scheduled('t2', 3)));
      const stepByStep = await a.read(portrait);
      const fromSnapshot = await (await open()).read(portrait);
      await handles.alterSnapshot({ token: 777 });
      expect(await (await open()).read((state) => state.token)).toBe(777);
      await handles.alterSnapshot('text');
      const fromNothing = await (await open()).read(portrait);
      expect(fromSnapshot).toEqual(stepByStep);
      expect(fromNothing).toEqual(stepByStep);
      expect(stepByStep.workspace.live).toHaveLength(2);
    });

    it.each(['text', 'version'] as const)(
      'throws away a snapshot whose %s is of no use, and takes another',
      async (how) => {
        await a.transact((tx) => tx.record(planLoaded()));
        await fill(a, 5000);
        await a.snapshot();
        await handles.alterSnapshot({ token: 777 });
        await handles.alterSnapshot(how);
        const fresh = await open();
        await fresh.transact((tx) => tx.record(completed('t0')));
        expect(await fresh.read(portrait)).toEqual(await a.read(portrait));
        await fresh.snapshot();
        await handles.alterSnapshot({ token: 777 });
        expect(await (await open()).read((state) => [state.token, state.seq])).toEqual([777, 5002]);
      },
    );

    it('takes a snapshot only after enough events, of which a large plan asks for more', async () => {
      const isTaken = async () => {
        await a.snapshot();
        await handles.alterSnapshot({ token: 777 });
        return (await (await open()).read((state) => state.token)) === 777;
      };
      await a.transact((tx) => tx.record(planLoaded(6000)));
      await fill(a, 1000);
      expect(await isTaken()).toBe(false);
      await fill(a, 199);
      expect(await isTaken()).toBe(true);
    });

    it.each([
      ['a large plan was loaded', 100, 0, true],
      ['many events came', 3, 49, true],
      ['neither', 99, 48, false],
    ] as const)('takes one at the end of a process when %s', async (_, tasks, events, taken) => {
      await a.transact((tx) => tx.record(planLoaded(tasks)));
      await fill(a, events);
      await a.snapshot();
      await handles.alterSnapshot({ token: 777 });
      expect(await (await open()).read((state) => state.token)).not.toBe(777);
      await a.snapshot({ atEnd: true });
      await handles.alterSnapshot({ token: 777 });
      expect((await (await open()).read((state) => state.token)) === 777).toBe(taken);
    });

    it('goes on from the last event when the clock was set back: time neither runs backwards nor stands still', async () => {
      let time = 5000;
      const clocked = await open({ now: () => time });
      await clocked.transact((tx) => tx.record(paused('x')));
      time = 1000;
      await clocked.transact((tx) => {
        expect(tx.now).toBe(5000);
        tx.record(paused('x'));
      });
      await clocked.read((_, now) => expect(now).toBe(5000));
      time = 1700;
      await clocked.transact((tx) => tx.record(paused('x')));
      expect((await clocked.events({})).map(({ at }) => at)).toEqual([5000, 5000, 5700]);
    });

    it('gives out the part of the log that is asked for, as it was recorded', async () => {
      const other = planPath('other.md');
      await a.transact((tx) => {
        for (const event of [planLoaded(), planLoaded(2, other), paused('p'), paused('o', other)]) tx.record(event);
      });
      const seqs = async (query: Parameters<Store['events']>[0]) => (await b.events(query)).map(({ seq }) => seq);
      expect(await seqs({})).toEqual([1, 2, 3, 4]);
      expect(await seqs({ after: 2 })).toEqual([3, 4]);
      expect(await seqs({ limit: 2 })).toEqual([1, 2]);
      expect(await seqs({ plan: other })).toEqual([2, 4]);
      expect(await seqs({ plan: other, after: 2, limit: 1 })).toEqual([4]);
      expect(await seqs({ after: 4 })).toEqual([]);
      await a.transact((tx) => {
        for (const event of [locked('a'), paused('p')]) tx.record(event);
      });
      expect(await seqs({ plan: other, withWorkspace: true })).toEqual([2, 4, 5]);
      expect(await seqs({ plan: other, withWorkspace: true, after: 2, limit: 1 })).toEqual([4]);
      expect(await seqs({ plan: other })).toEqual([2, 4]);
      expect(await seqs({ plan: planPath('') })).toEqual([5]);
      const [event] = await b.events({ limit: 1 });
      expect(event).toEqual({ ...planLoaded(), seq: 1, at: expect.any(Number) });
    });

    it('hints within a second when another handle writes, not at own writes, and not after it was stopped', async () => {
      let hints = 0;
      let wake: () => void = () => undefined;
      const stop = a.watch(() => {
        hints++;
        wake();
      });
      await a.transact((tx) => tx.record(paused('own')));
      await new Promise((done) => setTimeout(done, 60));
      expect(hints).toBe(0);
      const hinted = new Promise<void>((done) => {
        wake = done;
      });
      await b.transact((tx) => tx.record(paused('other')));
      const start = Date.now();
      await hinted;
      expect(Date.now() - start).toBeLessThan(1000);
      stop();
      stop();
      const before = hints;
      await b.transact((tx) => tx.record(paused('other')));
      await new Promise((done) => setTimeout(done, 60));
      expect(hints).toBe(before);
    });

    it('closes once, after what was asked for before, and then refuses clearly', async () => {
      const last = a.transact((tx) => tx.record(paused('last')));
      a.watch(() => undefined);
      await Promise.all([a.close(), a.close()]);
      await a.close();
      await last;
      expect(await b.events({})).toHaveLength(1);
      await expect(a.transact(() => undefined)).rejects.toThrow('the store is closed');
      await expect(a.read(() => undefined)).rejects.toThrow('the store is closed');
      await expect(a.events({})).rejects.toThrow('the store is closed');
      await expect(a.snapshot()).rejects.toThrow('the store is closed');
      expect(() => a.subscribe(() => undefined)).toThrow('the store is closed');
      expect(() => a.watch(() => undefined)).toThrow('the store is closed');
    });
  });
}

/** The recorded part of the state, as it lies in a snapshot; what is derived follows from it. */
function portrait(state: State) {
  return structuredClone({ workspace: snapshotWorkspace(state), plans: [...state.plans.values()].map(snapshotPlan) });
}

async function fill(store: Store, count: number): Promise<void> {
  await store.transact((tx) => {
    for (let i = 0; i < count; i++) tx.record(paused(`${i}`));
  });
}
