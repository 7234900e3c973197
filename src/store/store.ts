// The door to the truth. One implementation per database and one conformance suite for all of them; nothing above this
// interface knows which one it has. Everything is asynchronous, because a busy database must never block the loop.
import type { Event, StoredEvent } from '../core/model/event.ts';
import type { PlanPath } from '../core/model/ids.ts';
import type { State } from '../core/state/state.ts';

export interface Store {
  /** The workspace's identity; made when the store is created. */
  readonly workspace: string;

  /**
   * The only way to change anything: takes the workspace's write lock, folds in what others wrote, calls `work`, appends what
   * it recorded with the next sequence numbers and commits. `work` is called exactly once, or not at all when the lock cannot be
   * had; it is never called again, whatever becomes of the commit. `work` is synchronous; if it throws, nothing is written and
   * the error is passed on. When nothing was recorded, nothing is written.
   */
  transact<T>(work: (tx: Transaction) => T): Promise<T>;

  /** Folds in what others wrote and lets `look` see the state. Takes no write lock. The state must not be kept. */
  read<T>(look: (state: State, now: number) => T): Promise<T>;

  /** A part of the log, in order. */
  events(query: EventQuery): Promise<StoredEvent[]>;

  /** Tells every event that this copy folds in from now on, once, in order, after it is committed: own and others'. */
  subscribe(listener: (events: readonly StoredEvent[]) => void): () => void;

  /** A hint that somebody else may have written; may come late, too often, or for nothing, but comes within a second. */
  watch(hint: () => void): () => void;

  /**
   * Keeps a snapshot if enough events have come since the last one; at the end of a process fewer are enough. Outside of any
   * transaction; failure is harmless.
   */
  snapshot(options?: { readonly atEnd?: boolean }): Promise<void>;

  close(): Promise<void>;
}

export interface Transaction {
  /** As it is with everything recorded so far, also in this transaction. Read only. */
  readonly state: State;
  /** The time of the log; never before the last event. What happened in between took as long as the two differ. */
  readonly now: number;
  /** What this transaction has recorded so far. */
  readonly recorded: readonly StoredEvent[];
  /** Appends an event and folds it into `state` at once. */
  record(event: Event): void;
}

export interface EventQuery {
  /** Only events with a greater `seq`. */
  readonly after?: number;
  readonly plan?: PlanPath;
  /** With `plan`: also what belongs to no plan, such as the locks of agents that nobody started. */
  readonly withWorkspace?: boolean;
  readonly limit?: number;
}

/** Where the store takes the time from. */
export interface StoreClock {
  /** The wall clock: it can be set, and goes on while the machine sleeps. */
  now(): number;
  /** The monotonic clock. Absent: there is none, and the wall clock counts. */
  steady?(): SteadyTime;
}

/** A time by the monotonic clock of a boot, which is the same for all of its processes. */
export interface SteadyTime {
  readonly boot: string;
  readonly ms: number;
}
