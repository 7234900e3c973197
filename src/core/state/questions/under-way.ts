// The few tasks of a plan that are being worked on, without a search through 10,000.
import type { PlanState, State } from '../state.ts';
import { countedAs } from './statuses.ts';

/** In the order of the plan: tasks in progress, closing tasks, and withdrawn tasks whose processes still live. */
export function underWay(state: State, plan: PlanState): number[] {
  const found = new Set([...plan.closing, ...countedAs(plan, 'in_progress')]);
  for (const live of state.live.values()) {
    const task = live.plan === plan.path ? plan.index.get(live.task) : undefined;
    if (task !== undefined) found.add(task);
  }
  return [...found].sort((a, b) => a - b);
}
