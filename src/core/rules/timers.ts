// The next time at which a rule may act although nothing has happened: the loop sleeps until then.
import { timeLimitOf } from '../model/defaults.ts';
import { startedTask } from '../state/questions/started-task.ts';
import type { LiveAttempt, PlanState, State } from '../state/state.ts';

/**
 * The next time at which `decide` may add something although nothing else has happened; Infinity for never.
 * @param attends as in `Me`: attempts of other runners are not timed here.
 */
export function nextTimer(state: State, attends: (token: number) => boolean = () => true): number {
  let next = Number.POSITIVE_INFINITY;
  for (const plan of state.plans.values()) {
    const first = plan.backoff.first();
    if (first !== -1) next = Math.min(next, plan.tasks[first]!.notBefore);
    next = Math.min(next, plan.book.deadline);
  }
  for (const { until, isTried } of state.accounts.values()) if (!isTried) next = Math.min(next, until);
  for (const live of state.live.values()) {
    if (attends(live.token)) next = Math.min(next, deadlineOf(state.plans.get(live.plan)!, live));
  }
  return next;
}

/** When the attempt's time is used up. Infinity: no limit, not started, waiting for a lock, or being stopped. */
export function deadlineOf(plan: PlanState, live: LiveAttempt): number {
  const at = plan.index.get(live.task);
  if (at === undefined) return Number.POSITIVE_INFINITY;
  const limitMs = timeLimitOf(startedTask(plan, at), live.job);
  const never = limitMs === 0 || live.startedAt === 0 || live.doom !== null || live.parkedSince > 0;
  return never ? Number.POSITIVE_INFINITY : live.startedAt + live.uncountedMs + live.parkedMs + limitMs;
}
