// A task by the id a person typed; an unknown one is answered with the nearest.

import { taskId } from '../core/ids.ts';
import type { PlanState } from '../core/state.ts';
import { nearest } from '../plan/nearest.ts';
import { Refusal } from './refusal.ts';

export function findTask(plan: PlanState, id: string): number {
  const at = plan.index.get(taskId(id));
  if (at !== undefined) return at;
  const near = nearest(id, plan.index.keys());
  throw new Refusal(2, `${plan.path} has no task ${JSON.stringify(id)}`, {
    instead: near === undefined ? 'signalbox status lists the tasks' : `did you mean ${near}?`,
  });
}
