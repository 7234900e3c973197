// Keeps `status.json` in step with the log: after every commit of this process that changes a plan. A command waits for it; during a run
// it is spaced, so that however large the plan is, it takes a twentieth of the time at most. That it cannot be written is a
// warning, once: the log is the truth, and the work goes on.
import { join } from 'node:path';
import { failureInWords } from '../../agents/prompt.ts';
import type { Event, StoredEvent } from '../../core/event.ts';
import type { PlanPath } from '../../core/ids.ts';
import type { PlanState, State } from '../../core/state.ts';
import { isAsPlaced, notePlaced } from '../../status/as-placed.ts';
import { type OpenedStatus, openStatus, readPart, UnlikeExpected } from '../../status/old-status.ts';
import type { OutputPlaces } from '../../status/output-places.ts';
import { patchStatus, touchedBy } from '../../status/patch-status.ts';
import { type StatusFile, type StatusWorld, statusFile } from '../../status/status-file.ts';
import { statusBytes } from '../../status/status-text.ts';
import {
  markIn,
  markWithin,
  type Placing,
  type PreparedStatus,
  placeStatus,
  prepareStatus,
} from '../../status/write-status.ts';
import { monotonicMs } from '../../store/monotonic-time.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import type { IsRunning } from '../reports.ts';
import type { Workspace } from '../workspace.ts';
import { type AttemptTimes, attemptTimes, writeTimes } from './attempt-times.ts';
import { placesOf } from './places-of.ts';
import { savedWorkOf } from './saved-work-of.ts';

export interface StatusParts {
  readonly workspace: Workspace;
  /** The real one: what is written here is not to be noticed again. */
  readonly store: Store;
  readonly isRunning: IsRunning;
  readonly warn: (text: string) => void;
}

/** So many times what writing it takes passes before it is written again in a run. */
const spacing = 20;
/** What all of it takes for each task. A few lines are changed sooner, but the next time it may be all of them. */
const msPerTask = 0.005;

export class StatusFiles {
  readonly #parts: StatusParts;
  readonly #changed = new Set<PlanPath>();
  readonly #times: AttemptTimes[] = [];
  #isSpaced = false;
  #timer: NodeJS.Timeout | null = null;
  #notBefore = 0;
  /** The largest that was written. */
  #tasks = 0;
  #writing: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** Those commits that change what the files say. Locks come and go without. */
  static isAbout({ type, plan }: Event): boolean {
    return plan !== '' && !type.startsWith('lock-');
  }

  /** Something about to be recorded: what is to be remembered of it when it is durable. */
  timesOf(state: State, event: Event, now: number): AttemptTimes | null {
    return attemptTimes(state, event, now);
  }

  /** Resolves when it is on disk; in a run, at once. */
  async committed(plans: Iterable<PlanPath>, times: readonly AttemptTimes[]): Promise<void> {
    for (const plan of plans) this.#changed.add(plan);
    this.#times.push(...times);
    if (!this.#isSpaced) return this.flush();
    if (this.#timer !== null || this.#changed.size === 0) return;
    const wait = Math.max(0, this.#notBefore - monotonicMs());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
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

  flush(): Promise<void> {
    const done = this.#writing.then(() => this.#flush());
    this.#writing = done.catch(() => undefined);
    return done;
  }

  async #flush(): Promise<void> {
    const began = monotonicMs();
    const plans = [...this.#changed];
    this.#changed.clear();
    const times = this.#times.splice(0);
    if (plans.length === 0 && times.length === 0) return;
    for (const path of plans) {
      const own = times.filter(({ plan }) => plan === path);
      try {
        await this.#write(path, own);
      } catch (error) {
        if (!(error instanceof Outage) && (error as NodeJS.ErrnoException).code === undefined) throw error;
        // Later commits, or the end of the run, try again.
        if (this.#isSpaced) {
          this.#changed.add(path);
          this.#times.push(...own);
        }
        this.#warn(path, error as Error);
      }
    }
    const took = Math.max(monotonicMs() - began, msPerTask * this.#tasks);
    this.#notBefore = monotonicMs() + spacing * took;
  }

  async #write(path: PlanPath, times: readonly AttemptTimes[]): Promise<void> {
    const { store } = this.#parts;
    let ofTheOld = true;
    for (let tries = 0; tries < 3; tries++) {
      const there = ofTheOld ? await this.#there(path) : null;
      let prepared: Prepared | null;
      try {
        // Nobody has touched it, and nothing has happened since.
        if (there?.events.length === 0) return writeTimes(there.places, times);
        prepared = await this.#prepare(path, there);
      } catch (error) {
        if (!(error instanceof UnlikeExpected)) throw error;
        ofTheOld = false;
        continue;
      } finally {
        there?.old.close();
      }
      if (!prepared) return;
      const { places, status } = prepared;
      const placing = await store.transact(({ state }) => this.#place(places, status, state.seq));
      if (placing !== 'gone') return writeTimes(places, times);
    }
  }

  async #prepare(path: PlanPath, there: There | null): Promise<Prepared | null> {
    const made = await this.#parts.store.read((state) => {
      const plan = state.plans.get(path);
      return plan ? bytesOf(this.#parts, state, plan, there) : null;
    });
    if (!made) return null;
    const { places, pieces, ...mark } = made;
    return { places, status: prepareStatus(places, mark, pieces) };
  }

  #place(places: OutputPlaces, prepared: PreparedStatus, head: number): Placing {
    const isKnownGood = isAsPlaced(this.#notes, places);
    const placing = placeStatus(places, prepared, { head, isKnownGood });
    // Killed before that, the note is about the one before, which is another file.
    if (placing === 'placed') notePlaced(this.#notes, places);
    return placing;
  }

  get #notes(): string {
    return notesOf(this.#parts.workspace);
  }

  /** What is in its place now, with what was recorded since; null: it is of no use for the next one. */
  async #there(path: PlanPath): Promise<There | null> {
    const { workspace, store } = this.#parts;
    const seen = await store.read((state) => {
      const plan = state.plans.get(path);
      if (!plan) return null;
      return { places: placesOf(workspace, state.plans, path), tasks: plan.tasks.length, head: state.seq };
    });
    this.#tasks = Math.max(this.#tasks, seen?.tasks ?? 0);
    if (!seen || !isAsPlaced(this.#notes, seen.places)) return null;
    const old = openStatus(seen.places.status);
    const mark = markIn(readPart(old, 0, markWithin).toString('latin1'));
    // When more than that has changed, making all of it takes no longer.
    const most = Math.ceil(seen.tasks / 4);
    const events = mark?.log === logOf(store) && (await store.events({ after: mark.seq, plan: path, limit: most + 1 }));
    if (events && events.length <= most) return { places: seen.places, old, events, head: seen.head };
    old.close();
    return null;
  }

  #warn(path: PlanPath, { message }: Error): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.warn(
      `the status.json of ${path} could not be written (${message}). Nothing is lost: the log has everything, and the next command writes it`,
    );
  }
}

/** Where `as-placed.ts` remembers what was put in its place. */
export const notesOf = ({ stateFolder }: Workspace): string => join(stateFolder, 'placed');

export interface Projected {
  readonly places: OutputPlaces;
  readonly status: StatusFile;
}

export function projected(
  { workspace, store, isRunning }: Omit<StatusParts, 'warn'>,
  state: State,
  plan: PlanState,
): Projected {
  const places = placesOf(workspace, state.plans, plan.path);
  return { places, status: statusFile(plan, worldOf({ workspace, store, isRunning }, state, plan)) };
}

function worldOf(
  { workspace, store, isRunning }: Omit<StatusParts, 'warn'>,
  state: State,
  plan: PlanState,
): StatusWorld {
  return {
    seq: state.seq,
    log: logOf(store),
    isRunning: isRunning(plan),
    savedWork: savedWorkOf(workspace, plan.path),
    // What somebody said is said as it is, so that it is the same after it was imported.
    describeFailure: (failure) => (failure.kind === 'said' ? failure.message : failureInWords(failure)),
  };
}

export const logOf = ({ workspace }: Store): string => workspace.slice(0, 8);

/** The `status.json` that is there. */
interface There {
  readonly places: OutputPlaces;
  readonly old: OpenedStatus;
  /** Of the plan, since its number, up to this one at least. */
  readonly events: readonly StoredEvent[];
  readonly head: number;
}

interface Made {
  readonly places: OutputPlaces;
  readonly seq: number;
  readonly log: string;
  readonly pieces: Iterable<Buffer>;
}

interface Prepared {
  readonly places: OutputPlaces;
  readonly status: PreparedStatus;
}

function bytesOf(parts: Omit<StatusParts, 'warn'>, state: State, plan: PlanState, there: There | null): Made {
  const world = worldOf(parts, state, plan);
  const { seq, log } = world;
  const places = placesOf(parts.workspace, state.plans, plan.path);
  // Others may have gone on since it was looked at.
  const touched = there?.head === seq ? touchedBy(there.events, plan) : null;
  const patched = there && touched && patchStatus(there.old, plan, touched, world);
  const pieces = patched ?? statusBytes(statusFile(plan, world));
  return { places, seq, log, pieces };
}
