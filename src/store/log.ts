// What a database has to offer to become a store: an append-only log with one write lock, and room for a snapshot. The cache,
// the queue and the subscribers above it are the same for every database (`cached-store.ts`); faults are injected by wrapping
// this interface.
import type { StoredEvent } from '../core/event.ts';
import type { KeptPlan } from './kept-plan.ts';
import type { EventQuery } from './store.ts';

export interface Log {
  readonly workspace: string;
  /** Shows one consistent moment, without the write lock. */
  read<T>(body: (view: LogView) => Promise<T>): Promise<T>;
  /** Takes the workspace's write lock; commits when `body` is fulfilled, and leaves no trace when it is rejected. */
  write<T>(body: (tx: LogTransaction) => Promise<T>): Promise<T>;
  /** See `Store.watch`. */
  watch(hint: () => void): () => void;
  close(): Promise<void>;
}

export interface LogView {
  /** The database's clock; may jump backwards. */
  now(): Promise<number>;
  events(query: EventQuery): Promise<StoredEvent[]>;
  /** Of which moment and version the kept snapshot is; cheap, as its bodies are not read. */
  snapshotMark(): Promise<SnapshotMark | null>;
  /** @param part `workspace`: without the plans, which may be large. `late`: with the definitions that are kept. */
  snapshot(part?: 'workspace' | 'late'): Promise<StoredSnapshot | null>;
  /** What those keep who begin without the plans; see `keepLean`. */
  leanSnapshot(): Promise<LeanSnapshot | null>;
  /** By plan: of which event and version its kept definition is. */
  keptDefinitions(): Promise<ReadonlyMap<string, SnapshotMark>>;
}

export interface LogTransaction extends LogView {
  /** `seq` goes on from the last event. The projections change along with it. */
  append(events: readonly StoredEvent[]): Promise<void>;
  /** Replaces the one that is kept; definitions that it does not bring stay. */
  keepSnapshot(snapshot: StoredSnapshot): Promise<void>;
  /** Beside the other one, and for those without plans only: their state knows less. Replaces the one that is kept. */
  keepLean(snapshot: LeanSnapshot): Promise<void>;
}

export interface SnapshotMark {
  readonly seq: number;
  readonly version: number;
}

export interface LeanSnapshot extends SnapshotMark {
  /** JSON. */
  readonly workspace: string;
}

/** JSON texts: whether they still make sense is judged by the one who loads them. */
export interface StoredSnapshot extends SnapshotMark {
  readonly workspace: string;
  readonly plans: readonly PlanPart[];
}

export interface PlanPart {
  readonly plan: string;
  readonly body: string;
  /** What was derived, as bytes: only saves the time to do it again. Whoever loads it changes it. */
  readonly derived: Uint8Array | null;
  /** By task: what is kept of it, as lines. */
  readonly states: Uint8Array;
  readonly definition: KeptDefinition | null;
}

export interface KeptDefinition extends KeptPlan {
  /** The event that holds it. */
  readonly seq: number;
  readonly version: number;
}
