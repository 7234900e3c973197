// When something happens by itself next: the loop sleeps until then and not a moment less.
import { timeLimitOf } from './defaults.ts';
import type { LiveAttempt, PlanState, State } from './state.ts';

/**
 * The next time at which `decide` may have something to add without anything else happening; Infinity for never.
 * @param attends as in `Me`: the time of other attempts is not ours to measure.
 */
export function nextTimer(state: State, attends: (token: number) => boolean = () => true): number {
  let next = Number.POSITIVE_INFINITY;
  for (const plan of state.plans.values()) {
    const first = plan.backoff.first();
    if (first !== -1) next = Math.min(next, plan.tasks[first]!.notBefore);
    next = Math.min(next, plan.book.deadline);
  }
  for (const live of state.live.values()) {
    if (attends(live.token)) next = Math.min(next, deadlineOf(state.plans.get(live.plan)!, live));
  }
  return next;
}

/** When the attempt has used up its whole time; Infinity if it has no limit, has not started, waits for a lock, or is being ended. */
export function deadlineOf(plan: PlanState, live: LiveAttempt): number {
  const at = plan.index.get(live.task);
  if (at === undefined) return Number.POSITIVE_INFINITY;
  const limitMs = timeLimitOf(plan.plan.tasks[at]!, live.job);
  const never = limitMs === 0 || live.startedAt === 0 || live.doom !== null || live.parkedSince > 0;
  return never ? Number.POSITIVE_INFINITY : live.startedAt + live.parkedMs + limitMs;
}
