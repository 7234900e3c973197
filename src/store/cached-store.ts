// The store above any log: one cached state that follows the log, a queue that lets one call in at a time, and subscribers.
// The state is only ever moved forward by `evolve`; after a failure it is thrown away and loaded again, never undone.
import type { StoredEvent } from '../core/model/event.ts';
import { planPath } from '../core/model/ids.ts';
import { evolve } from '../core/state/evolve.ts';
import { snapshotVersion } from '../core/state/snapshot.ts';
import type { State } from '../core/state/state.ts';
import { loadState, snapshotOf } from './load-state.ts';
import type { Log, LogView } from './log.ts';
import { type LogTime, logTime } from './log-time.ts';
import { Outage } from './outage.ts';
import type { EventQuery, Store, StoreClock, Transaction } from './store.ts';

type Listener = (events: readonly StoredEvent[]) => void;

/** Bounds what is held at once while a long log is folded. */
const eventsPerRead = 1000;
/** From so many events on, a process takes a snapshot before it ends: small commands would notice the time to fold them. */
const worthAtEnd = 50;
/** So many tasks just loaded, blocked or freed are worth a snapshot too: few events, but much to fold. */
const worthTasks = 100;

export class CachedStore implements Store {
  readonly workspace: string;
  readonly #log: Log;
  readonly #steady: StoreClock['steady'];
  #state: State | null = null;
  /** The last committed event that this copy knows of; later ones are news to the subscribers. Outlives a discarded state. */
  #seen: number;
  /** Where the last snapshot was taken, as far as we know. */
  #snapshotSeq = 0;
  /** How many tasks were blocked there. */
  #snapshotBlocked = 0;
  /** The `seq` of a kept snapshot that turned out to be of no use. */
  #damagedSnapshot: number | null = null;
  /** How far the log is ahead of the wall clock, where that is the only one. */
  #aheadMs = 0;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;
  readonly #listeners = new Set<Listener>();
  readonly #unwatch = new Set<() => void>();

  /** `head` is the last event at the time of opening. The state is loaded at its first use. */
  constructor(log: Log, head: number, clock: Pick<StoreClock, 'steady'> = {}) {
    this.workspace = log.workspace;
    this.#log = log;
    this.#steady = clock.steady;
    this.#seen = head;
  }

  transact<T>(work: (tx: Transaction) => T): Promise<T> {
    return this.#enqueue(async () => {
      const recorded: StoredEvent[] = [];
      let news: readonly StoredEvent[] = [];
      // Loading takes time, so it happens before the write lock is taken: everybody else waits for that lock.
      if (!this.#state) this.#tell((await this.#log.read((view) => this.#refresh(view))).news);
      try {
        const result = await this.#log.write(async (tx) => {
          const fresh = await this.#refresh(tx);
          news = fresh.news;
          const answer = perform(work, {
            state: fresh.state,
            time: this.#timeAfter(fresh.state, await tx.now()),
            recorded,
          });
          if (recorded.length > 0) await tx.append(recorded);
          return answer;
        });
        if (recorded.length > 0) {
          this.#seen = recorded.at(-1)!.seq;
          news = news.length > 0 ? [...news, ...recorded] : recorded;
        }
        return result;
      } catch (error) {
        if (recorded.length > 0) this.#state = null;
        throw error;
      } finally {
        this.#tell(news);
      }
    });
  }

  read<T>(look: (state: State, now: number) => T): Promise<T> {
    return this.#enqueue(async () => {
      const { state, news, now } = await this.#log.read(async (view) => {
        const fresh = await this.#refresh(view);
        return { ...fresh, now: this.#timeAfter(fresh.state, await view.now()).now };
      });
      this.#tell(news);
      return synchronous(look(state, now));
    });
  }

  events(query: EventQuery): Promise<StoredEvent[]> {
    return this.#enqueue(() => this.#log.read((view) => view.events(query)));
  }

  subscribe(listener: Listener): () => void {
    this.#refuseClosed();
    const own: Listener = (events) => listener(events);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  watch(hint: () => void): () => void {
    this.#refuseClosed();
    const stop = this.#log.watch(hint);
    const unwatch = () => {
      if (this.#unwatch.delete(unwatch)) stop();
    };
    this.#unwatch.add(unwatch);
    return unwatch;
  }

  snapshot({ atEnd = false } = {}): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#state && !this.#isSnapshotDue(this.#state, atEnd)) return;
      try {
        await this.#keepSnapshot(atEnd);
      } catch (error) {
        // It only saves time at the next start: with a busy or full disk the work goes on without, and the next call tries again.
        if (!(error instanceof Outage)) throw error;
      }
    });
  }

  close(): Promise<void> {
    if (this.#closing) return this.#closing;
    for (const unwatch of this.#unwatch) unwatch();
    this.#closing = this.#last.then(() => this.#log.close());
    return this.#closing;
  }

  /** A clock that was set back goes on from the last event: time neither runs backwards nor stands still. */
  #timeAfter(state: State, wall: number): LogTime {
    if (this.#steady) return logTime(state, wall, this.#steady());
    this.#aheadMs = Math.max(this.#aheadMs, state.at - wall);
    return { now: wall + this.#aheadMs, stepMs: 0, unknown: null };
  }

  /** One at a time and in order: two calls never interleave on one state or one connection. */
  #enqueue<T>(job: () => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(closedError());
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Folds in what others wrote. Those events are committed, so they are news whatever becomes of our own transaction. */
  async #refresh(view: LogView): Promise<{ state: State; news: readonly StoredEvent[] }> {
    const news: StoredEvent[] = [];
    let state = this.#state;
    // Until it is whole again, a failure on the way must leave no half-folded copy behind.
    this.#state = null;
    if (!state) {
      const loaded = await loadState(view);
      state = loaded.state;
      this.#damagedSnapshot = loaded.damaged?.seq ?? null;
      this.#snapshotSeq = state.seq;
      this.#snapshotBlocked = blockedIn(state);
      if (this.#listeners.size > 0) await readNews(view, this.#seen, state.seq, news);
    }
    for (;;) {
      const events = await view.events({ after: state.seq, limit: eventsPerRead });
      for (const event of events) {
        if (event.seq !== state.seq + 1) throw gapError(state.seq, event.seq);
        evolve(state, event);
        if (event.seq > this.#seen && this.#listeners.size > 0) news.push(event);
      }
      if (events.length < eventsPerRead) break;
    }
    this.#state = state;
    this.#seen = Math.max(this.#seen, state.seq);
    return { state, news };
  }

  #tell(events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(events);
      } catch (error) {
        // The transaction is committed and its caller must hear so; a throwing listener is a bug of its own.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #isSnapshotDue(state: State, atEnd: boolean): boolean {
    const since = state.seq - this.#snapshotSeq;
    const plans = [...state.plans.values()];
    const isNew = plans.some(({ definedAt, tasks }) => definedAt > this.#snapshotSeq && tasks.length >= worthTasks);
    const isCascade = Math.abs(blockedIn(state) - this.#snapshotBlocked) >= worthTasks;
    if (atEnd && (since >= worthAtEnd || isNew || isCascade)) return true;
    return since >= eventsPerSnapshot(plans.reduce((tasks, plan) => tasks + plan.tasks.length, 0));
  }

  /** The state is turned into text before the write lock is taken, which then is held only for writing it. */
  async #keepSnapshot(atEnd: boolean): Promise<void> {
    const { state, news, mark } = await this.#log.read(async (view) => {
      const fresh = await this.#refresh(view);
      return { ...fresh, mark: await view.snapshotMark() };
    });
    this.#tell(news);
    // Somebody else may have taken one since we loaded.
    if (mark?.version === snapshotVersion && mark.seq !== this.#damagedSnapshot) {
      this.#snapshotSeq = Math.max(this.#snapshotSeq, mark.seq);
    }
    if (!this.#isSnapshotDue(state, atEnd)) return;
    const snapshot = snapshotOf(state);
    await this.#log.write(async (tx) => {
      const kept = await tx.snapshotMark();
      if (kept?.version !== snapshotVersion || kept.seq < snapshot.seq) await tx.keepSnapshot(snapshot);
    });
    this.#snapshotSeq = snapshot.seq;
    this.#snapshotBlocked = blockedIn(state);
  }

  #refuseClosed(): void {
    if (this.#closing) throw closedError();
  }
}

function blockedIn({ plans }: State): number {
  let blocked = 0;
  for (const { counts } of plans.values()) blocked += counts.required.blocked + counts.optional.blocked;
  return blocked;
}

/**
 * Few events, so that looking at a running plan stays fast. But a snapshot costs more the larger the plan is, and one of 100,000
 * tasks stops the loop for a moment.
 */
function eventsPerSnapshot(tasks: number): number {
  return tasks <= 10_000 ? Math.max(1000, tasks / 5) : tasks;
}

interface Performance {
  readonly state: State;
  readonly time: LogTime;
  readonly recorded: StoredEvent[];
}

function perform<T>(work: (tx: Transaction) => T, { state, time, recorded }: Performance): T {
  let open = true;
  const now = time.now + time.stepMs;
  const tx: Transaction = {
    state,
    now,
    recorded,
    record(event) {
      if (!open) throw new Error('record was called after its transaction');
      const clock = time.unknown && recorded.length === 0 ? { clock: time.unknown } : {};
      const stored: StoredEvent = { ...event, seq: state.seq + 1, at: now, ...clock };
      // Before it is folded: if that throws, the copy is seen to be spoiled.
      recorded.push(stored);
      evolve(state, stored);
    },
  };
  try {
    if (time.stepMs !== 0) tx.record({ type: 'clock-stepped', v: 1, plan: planPath(''), byMs: time.stepMs });
    return synchronous(work(tx));
  } finally {
    open = false;
  }
}

/** Work that waits would keep the write lock, or see the state of another time. */
function synchronous<T>(value: T): T {
  if (value instanceof Promise) throw new Error('work on the state must be synchronous');
  return value;
}

/** Told though they are already in a snapshot that somebody else took: nobody here has heard of them. */
async function readNews(view: LogView, after: number, upTo: number, news: StoredEvent[]): Promise<void> {
  for (let seq = after; seq < upTo; seq = news.at(-1)!.seq) {
    const events = await view.events({ after: seq, limit: Math.min(eventsPerRead, upTo - seq) });
    if (events.length === 0) throw gapError(seq, upTo);
    for (const event of events) news.push(event);
  }
}

function gapError(from: number, to: number): Outage {
  return new Outage('broken-database', `the log has a gap: event ${to} follows event ${from}`);
}

function closedError(): Error {
  return new Error('the store is closed');
}
