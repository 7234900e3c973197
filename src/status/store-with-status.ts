// A store that tells the files of other programs when a commit of this process has changed a plan.
import type { StoredEvent } from '../core/model/event.ts';
import type { PlanPath } from '../core/model/ids.ts';
import type { State } from '../core/state/state.ts';
import type { EventQuery, Store, Transaction } from '../store/store.ts';
import { type AttemptTimes, attemptTimes } from './attempt-times.ts';
import { changesStatus, type StatusFiles } from './status-files.ts';

export class StoreWithStatus implements Store {
  readonly workspace: string;
  readonly files: StatusFiles;
  /** The store without the files, for the files themselves. */
  readonly log: Store;
  #hasRecorded = false;

  constructor(store: Store, files: StatusFiles) {
    this.workspace = store.workspace;
    this.log = store;
    this.files = files;
  }

  async transact<T>(work: (tx: Transaction) => T): Promise<T> {
    const plans = new Set<PlanPath>();
    let times: AttemptTimes[] = [];
    let hasRecorded = false;
    const result = await this.log.transact((tx) =>
      work({
        state: tx.state,
        now: tx.now,
        recorded: tx.recorded,
        record: (event) => {
          hasRecorded = true;
          if (changesStatus(event)) plans.add(event.plan);
          // Now, because the fold forgets them.
          const ended = attemptTimes(tx.state, event, tx.now);
          if (ended) times.push(ended);
          // A new round begins without the files of the one before.
          if (event.type === 'plan-reset') times = times.filter(({ plan }) => plan !== event.plan);
          tx.record(event);
        },
      }),
    );
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
    // Without a run nobody else takes snapshots, and each command would fold what the others have written since.
    if (this.#hasRecorded) await this.log.snapshot({ atEnd: true });
    await this.log.close();
  }
}
