// What a database has to offer to become a store: an append-only log with one write lock, and room for a snapshot. The cache,
// the queue and the subscribers above it are the same for every database (`cached-store.ts`); faults are injected by wrapping
// this interface.
import type { StoredEvent } from '../core/model/event.ts';
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
  snapshot(): Promise<StoredSnapshot | null>;
  /** Of which moment and version the kept snapshot is; cheap, as its texts are not read. */
  snapshotMark(): Promise<SnapshotMark | null>;
}

export interface LogTransaction extends LogView {
  /** `seq` goes on from the last event. */
  append(events: readonly StoredEvent[]): Promise<void>;
  /** Replaces the one that is kept. */
  keepSnapshot(snapshot: StoredSnapshot): Promise<void>;
}

export interface SnapshotMark {
  readonly seq: number;
  readonly version: number;
}

/** JSON texts: whoever loads them judges whether they still make sense. */
export interface StoredSnapshot extends SnapshotMark {
  readonly workspace: string;
  readonly plans: readonly PlanPart[];
}

export interface PlanPart {
  readonly plan: string;
  readonly body: string;
}
