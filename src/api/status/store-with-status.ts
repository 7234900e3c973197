// A store that tells when a commit of this process has changed a plan.
import type { Event, StoredEvent } from '../../core/event.ts';
import type { PlanPath } from '../../core/ids.ts';
import type { State } from '../../core/state.ts';
import type { EventQuery, Store, Transaction } from '../../store/store.ts';
import type { AttemptTimes } from './attempt-times.ts';
import { StatusFiles } from './status-files.ts';

export class StoreWithStatus implements Store {
  readonly workspace: string;
  readonly files: StatusFiles;
  /** Without the files: what is done to them is not told to them again. */
  readonly log: Store;
  #hasRecorded = false;

  constructor(store: Store, files: StatusFiles) {
    this.workspace = store.workspace;
    this.log = store;
    this.files = files;
  }

  async transact<T>(work: (tx: Transaction) => T): Promise<T> {
    let plans = new Set<PlanPath>();
    let times: AttemptTimes[] = [];
    let hasRecorded = false;
    const result = await this.log.transact((tx) => {
      // It may be called a second time, with the plans.
      plans = new Set();
      times = [];
      hasRecorded = false;
      return work({
        state: tx.state,
        now: tx.now,
        record: (event: Event) => {
          hasRecorded = true;
          if (StatusFiles.isAbout(event)) plans.add(event.plan);
          const ended = this.files.timesOf(tx.state, event, tx.now);
          if (ended) times.push(ended);
          tx.record(event);
        },
      });
    });
    if (hasRecorded) this.#hasRecorded = true;
    if (plans.size > 0) await this.files.committed(plans, times);
    return result;
  }

  read<T>(look: (state: State, now: number) => T): Promise<T> {
    return this.log.read(look);
  }

  events(query: EventQuery): Promise<StoredEvent[]> {
    return this.log.events(query);
  }

  subscribe(listener: (events: readonly StoredEvent[]) => void): () => void {
    return this.log.subscribe(listener);
  }

  watch(hint: () => void): () => void {
    return this.log.watch(hint);
  }

  snapshot(options?: { readonly atEnd?: boolean }): Promise<void> {
    return this.log.snapshot(options);
  }

  async close(): Promise<void> {
    await this.files.flush();
    // Where nobody runs a plan, commands are all there is, and each would fold what the others have written since.
    if (this.#hasRecorded) await this.log.snapshot({ atEnd: true });
    await this.log.close();
  }
}
