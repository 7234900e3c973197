// One process's connection to a log in memory. Only promises and no timers: what happens is the same in every run.
import type { StoredEvent } from '../../core/model/event.ts';
import { decodeEvent, type EventRow, encodeEvent } from '../event-row.ts';
import type { Log, LogTransaction, LogView, StoredSnapshot } from '../log.ts';
import type { EventQuery, StoreClock } from '../store.ts';
import type { MemoryLog } from './memory-log.ts';

export class MemoryHandle implements Log {
  readonly workspace: string;
  readonly #log: MemoryLog;
  readonly #clock: StoreClock;

  constructor(log: MemoryLog, clock: StoreClock) {
    this.workspace = log.workspace;
    this.#log = log;
    this.#clock = clock;
  }

  read<T>(body: (view: LogView) => Promise<T>): Promise<T> {
    return body(this.#view());
  }

  write<T>(body: (tx: LogTransaction) => Promise<T>): Promise<T> {
    const done = this.#log.lastWriter.then(async () => {
      const view = this.#view();
      const result = await body(view);
      this.#commit(view);
      return result;
    });
    this.#log.lastWriter = done.catch(() => undefined);
    return done;
  }

  watch(hint: () => void): () => void {
    const own = () => hint();
    this.#log.watchers.set(own, this);
    return () => this.#log.watchers.delete(own);
  }

  async close(): Promise<void> {
    for (const [hint, handle] of this.#log.watchers) if (handle === this) this.#log.watchers.delete(hint);
  }

  #view(): MemoryView {
    return new MemoryView(this.#log, this.#clock);
  }

  #commit(view: MemoryView): void {
    if (view.kept) this.#log.snapshot = view.kept;
    if (view.appended.length === 0) return;
    for (const row of view.appended) this.#log.rows.push(row);
    for (const [hint, handle] of this.#log.watchers) if (handle !== this) queueMicrotask(hint);
  }
}

/** Committed rows never change, so the length of the log is the moment that is seen. */
class MemoryView implements LogTransaction {
  readonly appended: EventRow[] = [];
  kept: StoredSnapshot | null = null;
  readonly #log: MemoryLog;
  readonly #clock: StoreClock;
  readonly #head: number;
  readonly #snapshot: StoredSnapshot | null;

  constructor(log: MemoryLog, clock: StoreClock) {
    this.#log = log;
    this.#clock = clock;
    this.#head = log.rows.length;
    this.#snapshot = log.snapshot;
  }

  async now(): Promise<number> {
    return this.#clock.now();
  }

  async events(query: EventQuery): Promise<StoredEvent[]> {
    const { after = 0, plan, withWorkspace = false, limit = Number.POSITIVE_INFINITY } = query;
    const found: StoredEvent[] = [];
    for (let i = Math.max(0, after); i < this.#head && found.length < limit; i++) {
      const row = this.#log.rows[i]!;
      const isAsked = plan === undefined || row.plan === plan || (withWorkspace && row.plan === '');
      if (isAsked) found.push(decodeEvent(row));
    }
    return found;
  }

  async snapshotMark(): Promise<StoredSnapshot | null> {
    return this.#snapshot;
  }

  async snapshot(): Promise<StoredSnapshot | null> {
    return this.#snapshot;
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      const next = this.#head + this.appended.length + 1;
      if (event.seq !== next) throw new Error(`event ${event.seq} was to be appended as ${next}`);
      this.appended.push(encodeEvent(event));
    }
  }

  async keepSnapshot(snapshot: StoredSnapshot): Promise<void> {
    this.kept = snapshot;
  }
}
