// What is to be started, with everything that whoever performs it must be told; and what is looked after around it.
import type { AttemptEnd, Evidence, Failure } from '../core/failure.ts';
import { ownerOfToken } from '../core/lock-state.ts';
import type { Plan, Task } from '../core/plan.ts';
import { wantsOf } from '../core/plan-locks.ts';
import type { ReviewVerdict } from '../core/review.ts';
import type { EndedAttempt, LiveAttempt, Salvage, State, StoppedWork } from '../core/state.ts';
import { statusOf } from '../core/status.ts';

/** An attempt to start, or a check or review of one, with what its agent must be told. */
export interface Work {
  readonly plan: Plan;
  readonly task: Task;
  readonly live: LiveAttempt;
  /** How the attempt before it failed. */
  readonly failure: Failure | null;
  /** What a person said when they let it be tried again. */
  readonly note: string | null;
  /** Why the attempt before it was stopped half way, and where its work lies. */
  readonly stopped: StoppedWork | null;
  /** What the last review found. */
  readonly review: ReviewVerdict | null;
  /** Of a check or review: the attempt that it is about. */
  readonly about: { readonly ended: EndedAttempt; readonly token: number } | null;
  /** How often an agent may make the same call in a row; 0: as often as it likes. */
  readonly sameCalls: number;
  /** Of the last step of a plan: what became of the others. */
  readonly results: readonly Result[] | null;
}

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly attempts: number;
}

/** More would not be read. */
const mostResults = 500;

export function workOf(state: State, live: LiveAttempt): Work {
  const plan = state.plans.get(live.plan)!;
  const at = plan.index.get(live.task)!;
  const task = plan.plan.tasks[at]!;
  const { failure, reason, stopped, review, ended, token } = plan.tasks[at]!;
  return {
    plan: plan.plan,
    task,
    live: { ...live },
    failure,
    note: reason,
    stopped: stopped?.over ? null : stopped,
    review,
    about: live.job.kind === 'attempt' || ended === null ? null : { ended, token },
    sameCalls: plan.run?.livelock.sameCalls ?? 0,
    results: task.closes === 'plan' && task.keys.run === undefined ? resultsOf(state, live) : null,
  };
}

function resultsOf(state: State, live: LiveAttempt): Result[] {
  const plan = state.plans.get(live.plan)!;
  const results: Result[] = [];
  plan.plan.tasks.forEach(({ id, title, group }, i) => {
    if (group || id === live.task || results.length >= mostResults) return;
    results.push({ id, title, status: statusOf(plan, i), attempts: plan.tasks[i]!.attempts });
  });
  return results;
}

export const exclusiveKeys = (task: Task): readonly string[] =>
  wantsOf(task).flatMap(({ key, mode }) => (mode === 'exclusive' ? [key] : []));

/** With the exclusive locks that it has now: what it gave back, or a person took, is not its own any more. */
export interface Stopped extends Salvage {
  readonly held: readonly string[];
}

export function withLocks(state: State, stopped: Salvage): Stopped {
  const holds = state.locks.table.holdsOf(ownerOfToken(stopped.token));
  return { ...stopped, held: holds.flatMap(({ key, mode }) => (mode === 'exclusive' ? [key] : [])) };
}

/** Looks after the files that attempts have locked. Both steps may be repeated: whoever dies in between begins again. */
export interface FilesOfAttempts {
  /** Keeps what they are now; before the attempt starts. */
  take(token: number, keys: readonly string[]): Promise<void>;
  /** Puts the version of a stopped attempt aside. */
  save(stopped: Stopped): Promise<{ readonly saved: string | null; readonly files: number }>;
  /** Makes them again what they were before it took them; tells which could not be. */
  putBack(stopped: Stopped): Promise<{ readonly left: readonly string[] }>;
  /** It was judged, and nothing has to be put back or compared any more. */
  forget(token: number): void;
}

/** Looks at what agents do; nothing is looked at around plain commands, which must cost nothing more. */
export interface Witness {
  /** What is to be known before it starts; null: nothing. */
  before(work: Work): Promise<void> | null;
  /** An earlier runner started it. */
  adopted(work: Work): void;
  /** What there is to know after its end, before that is recorded; null: nothing. */
  after(token: number, end: AttemptEnd): Promise<Evidence | undefined> | null;
}
