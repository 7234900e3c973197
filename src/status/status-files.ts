// Keeps the files that other programs read in step with the log, after every commit of this process that changes a plan. A command waits
// for them. A run writes them between its turns, spaced so that they take a twentieth of the time at most, however large the plan is. That they cannot be written is a warning, once: the log is the truth, and the work goes on.
import type { Event } from '../core/model/event.ts';
import type { PlanPath } from '../core/model/ids.ts';
import type { EarlierRounds } from '../core/state/earlier-rounds.ts';
import type { PlanState, State } from '../core/state/state.ts';
import { monotonicMs } from '../store/monotonic-time.ts';
import { Outage } from '../store/outage.ts';
import type { Store } from '../store/store.ts';
import { type AttemptTimes, writeTimes } from './attempt-times.ts';
import { setEarlierAside } from './earlier-round.ts';
import { type OutputPlaces, type OutputRoots, placesOf } from './output-places.ts';
import { type StatusFile, type StatusWorld, statusFile, statusText } from './status-file.ts';
import {
  draftStatus,
  dropDraft,
  identityOf,
  isGood,
  type Placing,
  placeStatus,
  type StatusDraft,
} from './write-status.ts';

export interface StatusParts {
  readonly workspace: OutputRoots;
  /** The real one: what is written here is not to be noticed again. */
  readonly store: Store;
  readonly isRunning: StatusWorld['isRunning'];
  readonly describeFailure: StatusWorld['describeFailure'];
  readonly warn: (text: string) => void;
}

/** A plan as its `status.json` has to say it, and where. */
export interface Projected {
  readonly places: OutputPlaces;
  readonly status: StatusFile;
  readonly earlier: EarlierRounds | null;
}

/** Events that change the files. Lock events do not. */
export const changesStatus = ({ type, plan }: Event): boolean => plan !== '' && !type.startsWith('lock-');

/** In a run, the next write waits this many times as long as the last one took. */
const spacing = 20;
/** How often a draft is made when somebody keeps removing it. */
const mostTries = 3;
/** Before it is tried again in a run. */
const afterTroubleMs = 1000;
/** While there is no room on the disk; `validate --fix` writes the others from the log. */
const mostTimesKept = 10_000;

export class StatusFiles {
  readonly #parts: StatusParts;
  readonly #changed = new Set<PlanPath>();
  readonly #times: AttemptTimes[] = [];
  /** Of each `status.json` that can be a backup: its identity. */
  readonly #good = new Map<PlanPath, string | null>();
  #isSpaced = false;
  #timer: NodeJS.Timeout | null = null;
  #notBefore = 0;
  #writing: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** Resolves when all is on disk; in a run, at once. */
  async committed(plans: Iterable<PlanPath>, times: readonly AttemptTimes[]): Promise<void> {
    for (const plan of plans) this.#changed.add(plan);
    this.#times.push(...times);
    if (this.#isSpaced) this.#flushLater();
    else await this.flush();
  }

  /** What is committed while it is being written waits for the next time. */
  #flushLater(): void {
    if (!this.#isSpaced || this.#timer !== null || this.#changed.size === 0) return;
    const wait = Math.max(0, this.#notBefore - monotonicMs());
    this.#timer = setTimeout(async () => {
      await this.flush();
      this.#timer = null;
      this.#flushLater();
    }, wait);
    // The end of the run writes it anyway.
    this.#timer.unref();
  }

  /** A run: many commits, of which not every one is written. */
  async spaced<T>(run: () => Promise<T>): Promise<T> {
    this.#isSpaced = true;
    try {
      return await run();
    } finally {
      // What is under way and cannot be written is kept for the last time.
      await this.#writing;
      this.#isSpaced = false;
      if (this.#timer) clearTimeout(this.#timer);
      this.#timer = null;
      await this.flush();
    }
  }

  /** Also when nothing was recorded: for who wants the files to be there. */
  touch(plan: PlanPath): Promise<void> {
    this.#changed.add(plan);
    return this.flush();
  }

  /** One after the other, so that no two write the same file. */
  flush(): Promise<void> {
    const done = this.#writing.then(() => this.#flush());
    this.#writing = done.catch(() => undefined);
    return done;
  }

  project(state: State, plan: PlanState): Projected {
    const { workspace, store, isRunning, describeFailure } = this.#parts;
    const world = { store: store.workspace, stateFolder: workspace.stateFolder, isRunning, describeFailure };
    const status = statusFile(state, plan, world);
    return { places: placesOf(workspace, state.plans, plan.path), status, earlier: plan.earlier };
  }

  async #flush(): Promise<void> {
    const plans = [...this.#changed];
    this.#changed.clear();
    const times = this.#times.splice(0);
    for (const path of plans) {
      const own = times.filter(({ plan }) => plan === path);
      try {
        const places = await this.#write(path);
        if (places) for (const words of this.#timed(() => writeTimes(places, own))) this.#parts.warn(words);
      } catch (error) {
        if (!(error instanceof Outage) && (error as NodeJS.ErrnoException).code === undefined) throw error;
        this.#warn(path, error as Error);
        if (this.#isSpaced) this.#keep(path, own);
      }
    }
  }

  /** For the next time, or the end of the run. */
  #keep(path: PlanPath, times: readonly AttemptTimes[]): void {
    this.#changed.add(path);
    this.#times.push(...times);
    this.#times.splice(mostTimesKept);
    this.#notBefore = Math.max(this.#notBefore, monotonicMs() + afterTroubleMs);
  }

  /** Where it is now; null: there is no such plan. */
  async #write(path: PlanPath): Promise<OutputPlaces | null> {
    for (let tries = 1; ; tries++) {
      const projected = await this.#parts.store.read((state) => {
        const plan = state.plans.get(path);
        return plan ? this.#timed(() => this.project(state, plan)) : null;
      });
      if (!projected) return null;
      if ((await this.#replace(path, projected)) !== 'gone' || tries === mostTries) return projected.places;
    }
  }

  async #replace(path: PlanPath, { places, status, earlier }: Projected): Promise<Placing> {
    this.#judge(path, places);
    const draft = this.#timed(() => draftStatus(places, status, statusText(status)));
    try {
      return await this.#parts.store.transact(({ state }) =>
        this.#timed(() => {
          setEarlierAside(places, status.log, earlier);
          return this.#place(path, places, draft, state.seq);
        }),
      );
    } finally {
      dropDraft(draft);
    }
  }

  #timed<T>(work: () => T): T {
    const began = monotonicMs();
    const result = work();
    this.#cost(monotonicMs() - began);
    return result;
  }

  /** Its own time only, without the turns of the loop in between. */
  #cost(ms: number): void {
    this.#notBefore = Math.max(monotonicMs(), this.#notBefore) + spacing * ms;
  }

  /** Before the write lock is taken: all of the file has to be read for it. What this process has placed itself is known to be good. */
  #judge(path: PlanPath, { status }: OutputPlaces): void {
    const identity = identityOf(status);
    if (identity !== this.#good.get(path)) this.#good.set(path, isGood(status) ? identity : null);
  }

  #place(path: PlanPath, places: OutputPlaces, draft: StatusDraft, head: number): Placing {
    const placing = placeStatus(places, draft, {
      head,
      good: this.#good.get(path) ?? null,
      onKept: this.#parts.warn,
    });
    if (placing === 'placed') this.#good.set(path, identityOf(places.status));
    return placing;
  }

  #warn(path: PlanPath, { message }: Error): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.warn(
      `the status.json of ${path} could not be written (${message}). Nothing is lost: the log has everything, and the next command writes it`,
    );
  }
}
