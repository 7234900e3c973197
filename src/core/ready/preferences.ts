// Preferred tasks that have ended badly.

import type { PlanState } from '../state/state.ts';
import { ENDED, GOOD } from './signal.ts';

/** Own and of the groups around, as places in the plan. */
export function badPreferences(plan: PlanState, task: number): number[] {
  const bad: number[] = [];
  for (let at: number | undefined = task; at !== undefined; at = plan.plan.tasks[at]!.parent) {
    for (const id of plan.plan.tasks[at]!.prefers ?? []) {
      const preferred = plan.index.get(id)!;
      const signal = plan.signals[plan.graph.end[preferred]!]!;
      if (signal & ENDED && !(signal & GOOD)) bad.push(preferred);
    }
  }
  return bad;
}
