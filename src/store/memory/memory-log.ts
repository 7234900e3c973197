// What several handles in memory share, as several processes share a database: for tests and the simulator. Events and
// snapshots lie here as text, so that what does not survive JSON is noticed.
import type { EventRow } from '../event-row.ts';
import type { StoredSnapshot } from '../log.ts';

export class MemoryLog {
  readonly workspace: string;
  readonly rows: EventRow[] = [];
  snapshot: StoredSnapshot | null = null;
  /** The write lock: whoever comes waits for the one before. */
  lastWriter: Promise<unknown> = Promise.resolve();
  /** With the handle that watches, so that nobody is hinted at its own writes. */
  readonly watchers = new Map<() => void, object>();

  constructor(workspace = 'memory') {
    this.workspace = workspace;
  }
}
