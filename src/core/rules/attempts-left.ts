// How many attempts a task has left: the one answer for runs, for marks by hand, and for what is told about both.
import { attemptsCap, retriesOf } from '../model/defaults.ts';
import type { Task } from '../model/plan.ts';
import type { TaskState } from '../state/state.ts';

/** Its retries under the circuit breaker, which counts rejections too, plus what people granted. Not above 0: none. */
export function attemptsLeft(task: Task, { failures, rejections, granted }: TaskState): number {
  return Math.min(retriesOf(task) + 1, attemptsCap - rejections) + granted - failures;
}
