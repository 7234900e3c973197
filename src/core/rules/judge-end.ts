// What becomes of a task whose attempt has ended: checked and reviewed, completed, tried again after a while, or failed for good.
//
//   end of the attempt                      doomed by us        the task
//   exited 0, not killed                    (never mind)        verified: see below
//   exited n, killed                        stop                pending again, costs nothing
//   (whatever it is)                        deadlock            pending again behind its blocker, costs nothing
//   exited n                                no                  a failure: retry or fail
//   killed (whatever the code)              timeout, idle       a failure: retry or fail
//   exited n, killed                        looping             suspended, and a person decides
//   never-started                           (never mind)        pending again, costs nothing
//   lost, killed by somebody else           no                  counted apart: again, ten times
//   unstartable                             (never mind)        a failure; permanent: failed at once
//
//   exited 0 and then                                           the task
//   an agent that has done nothing                              a failure: retry or fail
//   a check that is not green                                   a failure: retry or fail
//   checks left                                                 the next one is run
//   to be reviewed                                              by an agent in its turn, or a person is asked
//   rejected, low or medium                                     pending again with the feedback, five attempts in all
//   rejected, high                                              suspended, and a person decides
//   a check that proves nothing                                 again, three times; then a failure: retry or fail
//   a reviewer that proves nothing                              again, three times; then failed: another attempt is no help
//   approved, or nothing of all that                            completed

import { attemptsCap, lostCap, retriesOf } from '../model/defaults.ts';
import type { Event } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import { impossible } from '../model/impossible.ts';
import type { Task } from '../model/plan.ts';
import type { PlanState, State, TaskState } from '../state/state.ts';
import { endDeadlock } from './deadlock.ts';
import { failTask } from './open-decisions.ts';
import { rejected, sameCalls, suspend } from './rejection.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export { type Verdict, verdictOn };

/** The events that follow for the task from the end of its current attempt. None while a check or a review is missing. */
export function judgeEnd(state: State, plan: PlanState, i: number, now: number): Event[] {
  const task = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  const ended = own.ended!;
  const about = { v: 1, plan: plan.path, run: ended.run, task: task.id, attempt: ended.attempt } as const;
  const verdict = verdictOn(task, ended);
  switch (verdict.kind) {
    case 'check':
    case 'review':
      return [];
    case 'completed':
      return [{ type: 'task-completed', ...about }];
    case 'returned':
      return [{ type: 'retry-scheduled', ...about, because: 'stopped', notBefore: now }];
    case 'victim':
      return endDeadlock(state, plan, i, verdict.blocker, now);
    case 'rejected':
      return rejected(state, plan, i, now);
    case 'looping': {
      const evidence = { kind: 'same-calls', call: verdict.call, times: verdict.times } as const;
      return suspend(state, plan, i, { kind: 'livelock', evidence, now });
    }
    case 'lost': {
      const times = own.lost + 1;
      const failure: Failure = { kind: 'lost', times };
      if (times >= lostCap) return failTask(state, plan, i, failure, now);
      const notBefore = now + backoffMs(ended.attempt, times);
      return [{ type: 'retry-scheduled', ...about, because: 'lost', failure, notBefore }];
    }
    case 'failed': {
      const { failure } = verdict;
      if (verdict.permanent || isExhausted(task, own)) return failTask(state, plan, i, failure, now);
      const loop = sameCalls(plan, ended.evidence);
      if (loop) return suspend(state, plan, i, { kind: 'livelock', evidence: loop, now });
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

/** Counts the failure that has just come. Rejections use no retry, but count for the circuit breaker. */
function isExhausted(task: Task, own: TaskState): boolean {
  const failures = own.failures + 1;
  return failures >= attemptsAllowed(task, own) || failures + own.rejections >= attemptsCap + own.granted;
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
