// Keeps `status.json` in step with the log: after every commit of this process that changes a plan. A command waits for it; during a run
// it is spaced, so that however large the plan is, it takes a twentieth of the time at most. That it cannot be written is a
// warning, once: the log is the truth, and the work goes on.
import { statSync } from 'node:fs';
import { failureInWords } from '../../agents/prompt.ts';
import type { Event } from '../../core/event.ts';
import type { PlanPath } from '../../core/ids.ts';
import type { PlanState, State } from '../../core/state.ts';
import type { OutputPlaces } from '../../status/output-places.ts';
import { type StatusFile, statusFile } from '../../status/status-file.ts';
import { statusText } from '../../status/status-text.ts';
import { placeStatus, prepareStatus } from '../../status/write-status.ts';
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

/** So many times what writing it took passes before it is written again in a run. */
const spacing = 20;

export class StatusFiles {
  readonly #parts: StatusParts;
  readonly #changed = new Set<PlanPath>();
  readonly #times: AttemptTimes[] = [];
  /** By path: what this process has put there. */
  readonly #placed = new Map<string, string>();
  #isSpaced = false;
  #timer: NodeJS.Timeout | null = null;
  #notBefore = 0;
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
    const wait = Math.max(0, this.#notBefore - performance.now());
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
    const began = performance.now();
    const plans = [...this.#changed];
    this.#changed.clear();
    const times = this.#times.splice(0);
    if (plans.length === 0 && times.length === 0) return;
    for (const path of plans) {
      try {
        await this.#write(
          path,
          times.filter(({ plan }) => plan === path),
        );
      } catch (error) {
        if (!(error instanceof Outage) && (error as NodeJS.ErrnoException).code === undefined) throw error;
        // Later commits, or the end of the run, try again.
        if (this.#isSpaced) this.#changed.add(path);
        this.#warn(path, error as Error);
      }
    }
    this.#notBefore = performance.now() + spacing * (performance.now() - began);
  }

  async #write(path: PlanPath, times: readonly AttemptTimes[]): Promise<void> {
    const { store } = this.#parts;
    for (let tries = 0; tries < 3; tries++) {
      const made = await store.read((state) => {
        const plan = state.plans.get(path);
        return plan ? { ...projected(this.#parts, state, plan), seq: state.seq } : null;
      });
      if (!made) return;
      const { places, status, seq } = made;
      const mark = { seq, log: status.log };
      const prepared = prepareStatus(places, mark, statusText(status));
      const placing = await store.transact(({ state }) =>
        placeStatus(places, prepared, { head: state.seq, isKnownGood: this.#isOwn(places) }),
      );
      if (placing === 'placed') this.#placed.set(places.status, identity(places.status));
      if (placing !== 'gone') return writeTimes(places, times);
    }
  }

  #isOwn({ status }: OutputPlaces): boolean {
    const own = this.#placed.get(status);
    return own !== undefined && own === identity(status);
  }

  #warn(path: PlanPath, { message }: Error): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.warn(
      `the status.json of ${path} could not be written (${message}). Nothing is lost: the log has everything, and the next command writes it`,
    );
  }
}

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
  const status = statusFile(plan, {
    seq: state.seq,
    log: store.workspace.slice(0, 8),
    isRunning: isRunning(plan),
    savedWork: savedWorkOf(workspace, plan.path),
    // What somebody said is said as it is, so that it is the same after it was imported.
    describeFailure: (failure) => (failure.kind === 'said' ? failure.message : failureInWords(failure)),
  });
  return { places, status };
}

function identity(file: string): string {
  const { ino, size, mtimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs}`;
}
