// The few tasks of a plan that somebody works on, so that nobody looks through 10,000 for them.
import type { PlanState, State } from './state.ts';
import { codeOf, placesOf } from './status-code.ts';

/** In the order of the plan: those in progress, what closes a group or the plan, and what was withdrawn while its processes still live. */
export function underWay(state: State, plan: PlanState): number[] {
  const found = new Set([...plan.closing, ...placesOf(plan.counted, codeOf.in_progress)]);
  for (const live of state.live.values()) {
    const task = live.plan === plan.path ? plan.index.get(live.task) : undefined;
    if (task !== undefined) found.add(task);
  }
  return [...found].sort((a, b) => a - b);
}
