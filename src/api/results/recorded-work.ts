// What the log says about the attempts of a plan: where each worked, what it left, and how it ended.

import type { AttemptEnd, WorkOnBranch } from '../../core/model/failure.ts';
import type { AttemptId, PlanPath, RunId, TaskId } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import type { MergeEnded } from '../../core/model/verify-event.ts';
import type { Store } from '../../store/store.ts';

export interface RecordedAttempt {
  readonly task: TaskId;
  readonly attempt: AttemptId;
  /** `api#3` is the third. */
  readonly number: number;
  readonly token: number;
  /** Null: it worked in the workspace. */
  readonly isolation: Isolation | null;
  readonly work: WorkOnBranch | null;
  /** Null: its end was not recorded. */
  readonly end: AttemptEnd | null;
  readonly endedAt: number;
  readonly merge: MergeEnded['result'] | null;
}

export interface RecordedWork {
  /** Of the last run with worktrees; null: there was none. */
  readonly isolation: Isolation | null;
  /** Branches that keep the results of earlier rounds. */
  readonly kept: readonly string[];
  /** The plan was started over, and no run with worktrees began since. */
  readonly isOver: boolean;
  /** The last commit that a merge made on the branch. */
  readonly lastMerge: string | null;
  /** In the order in which they began. */
  readonly attempts: readonly RecordedAttempt[];
}

const perRead = 1_000;

/** The log may be another user's, and what it names is handed to git. */
const sound = (work: WorkOnBranch | undefined): WorkOnBranch | null =>
  work && [work.base, work.head].every((name) => /^[0-9a-f]{40,64}$/.test(name)) ? work : null;

export async function recordedWork(store: Pick<Store, 'events'> | null, plan: PlanPath): Promise<RecordedWork> {
  const ofRuns = new Map<RunId, Isolation | null>();
  const attempts = new Map<AttemptId, RecordedAttempt>();
  let isolation: Isolation | null = null;
  const kept: string[] = [];
  let isOver = false;
  let lastMerge: string | null = null;
  const change = (attempt: AttemptId, more: Partial<RecordedAttempt>) => {
    const known = attempts.get(attempt);
    if (known) attempts.set(attempt, { ...known, ...more });
  };
  for (let after = 0; store !== null; ) {
    const events = await store.events({ after, plan, limit: perRead });
    for (const event of events) {
      if (event.type === 'run-started') {
        ofRuns.set(event.run, event.isolation ?? null);
        isolation = event.isolation ?? isolation;
        if (event.isolation) isOver = false;
      } else if (event.type === 'attempt-scheduled') {
        const { task, attempt, token, run } = event;
        attempts.set(attempt, {
          ...{ task, attempt, token, number: Number(attempt.slice(task.length + 1)) },
          isolation: ofRuns.get(run) ?? null,
          ...{ work: null, end: null, endedAt: 0, merge: null },
        });
      } else if (event.type === 'attempt-ended') {
        change(event.attempt, { end: event.end, endedAt: event.at, work: sound(event.evidence?.work) });
      } else if (event.type === 'plan-reset') {
        lastMerge = null;
        isOver = true;
        if (event.results?.kept !== undefined) kept.push(event.results.kept);
      } else if (event.type === 'merge-ended') {
        change(event.attempt, { merge: event.result });
        lastMerge = event.commit ?? lastMerge;
      }
    }
    after = events.at(-1)?.seq ?? after;
    if (events.length < perRead) break;
  }
  return { isolation, kept, isOver, lastMerge, attempts: [...attempts.values()] };
}
