// What becomes of a task whose attempt has ended: completed, tried again after a while, or failed for good.
//
//   end of the attempt                      doomed by us        the task
//   exited 0, not killed                    (never mind)        completed
//   exited n, killed                        stop                pending again, costs nothing
//   (whatever it is)                        deadlock            pending again behind its blocker, costs nothing
//   exited n                                no                  a failure: retry or fail
//   killed (whatever the code)              timeout, idle       a failure: retry or fail
//   never-started                           (never mind)        pending again, costs nothing
//   lost, killed by somebody else           no                  counted apart: again, ten times
//   unstartable                             (never mind)        a failure; permanent: failed at once
import { endDeadlock } from './deadlock.ts';
import { attemptsCap, lostCap, retriesOf } from './defaults.ts';
import type { Event } from './event.ts';
import type { DeadlockBlocker, Failure } from './failure.ts';
import { impossible } from './impossible.ts';
import type { Task } from './plan.ts';
import type { EndedAttempt, PlanState, State, TaskState } from './state.ts';

export type Verdict =
  | { readonly kind: 'completed' }
  | { readonly kind: 'returned' }
  /** Stopped to end a deadlock. */
  | { readonly kind: 'victim'; readonly blocker: DeadlockBlocker }
  | { readonly kind: 'lost' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly permanent: boolean };

/** Turns the end of a task's current attempt into what is recorded about the task. */
export function judge(state: State, plan: PlanState, i: number, now: number): Event[] {
  const task = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  const ended = own.ended!;
  const about = { v: 1, plan: plan.path, run: ended.run, task: task.id, attempt: ended.attempt } as const;
  const verdict = verdictOn(ended);
  switch (verdict.kind) {
    case 'completed':
      return [{ type: 'task-completed', ...about }];
    case 'returned':
      return [{ type: 'retry-scheduled', ...about, because: 'stopped', notBefore: now }];
    case 'victim':
      return endDeadlock(state, plan, i, verdict.blocker, now);
    case 'lost': {
      const times = own.lost + 1;
      const failure: Failure = { kind: 'lost', times };
      if (times >= lostCap) return [failed(about, task, failure)];
      const notBefore = now + backoffMs(ended.attempt, times);
      return [{ type: 'retry-scheduled', ...about, because: 'lost', failure, notBefore }];
    }
    case 'failed': {
      const { failure } = verdict;
      if (verdict.permanent || own.failures + 1 >= attemptsAllowed(task, own)) return [failed(about, task, failure)];
      const notBefore = now + backoffMs(ended.attempt, own.failures + 1);
      return [{ type: 'retry-scheduled', ...about, because: 'failed', failure, notBefore }];
    }
    /* v8 ignore start */
    default:
      return impossible(verdict);
    /* v8 ignore stop */
  }
}

/** How many failed attempts end the task: its retries, under the circuit breaker, plus what people granted. */
export function attemptsAllowed(task: Task, state: TaskState): number {
  return Math.min(retriesOf(task) + 1, attemptsCap) + state.granted;
}

export function verdictOn({ end, doom }: EndedAttempt): Verdict {
  // From the moment it was chosen its locks were refused: not even exit 0 means that it did its work.
  if (doom?.kind === 'deadlock') return { kind: 'victim', blocker: doom.blocker };
  switch (end.kind) {
    case 'never-started':
      return { kind: 'returned' };
    case 'unstartable':
      return { kind: 'failed', failure: { kind: 'unstartable', message: end.message }, permanent: end.permanent };
    case 'exited':
      if (end.code === 0) return { kind: 'completed' };
      if (doom?.kind === 'stop') return { kind: 'returned' };
      return { kind: 'failed', failure: { kind: 'exit', code: end.code }, permanent: false };
    case 'lost':
    case 'killed':
      if (doom?.kind === 'timeout' || doom?.kind === 'idle') return { kind: 'failed', failure: doom, permanent: false };
      // Killed without a recorded reason, by a runner that died before it could record one: nobody knows how it would have ended.
      return doom === null ? { kind: 'lost' } : { kind: 'returned' };
    default:
      return impossible(end);
  }
}

const firstMs = 1_000;
const mostMs = 300_000;

/** Doubles from one second to five minutes, ±20 %. The jitter is a hash of the attempt: the same wherever it is computed. */
export function backoffMs(attempt: string, nth: number): number {
  const base = Math.min(firstMs * 2 ** (nth - 1), mostMs);
  return Math.round(base * (0.8 + 0.4 * hashToUnit(attempt)));
}

/** FNV-1a, scaled to 0 … 1. */
function hashToUnit(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) / 0x1_0000_0000;
}

function failed(
  about: { readonly v: 1; readonly plan: PlanState['path']; readonly run: EndedAttempt['run'] } & Pick<
    EndedAttempt,
    'attempt'
  > & { readonly task: Task['id'] },
  task: Task,
  failure: Failure,
): Event {
  return { type: 'task-failed', ...about, failure, ...(task.optional ? { optional: true } : {}) };
}
