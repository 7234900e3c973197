// A task by the id a person typed, or by its beginning when only one begins so; an unknown one is answered with the nearest.

import { taskId } from '../core/ids.ts';
import type { PlanState } from '../core/state.ts';
import { nearest } from '../plan/nearest.ts';
import { Refusal } from './refusal.ts';

/** What was loaded has no such task. */
export class UnknownTask extends Refusal {}

export function findTask(plan: PlanState, id: string): number {
  const at = plan.index.get(taskId(id));
  if (at !== undefined) return at;
  const begins = [...plan.index.keys()].filter((known) => id !== '' && known.startsWith(id));
  // What Signalbox itself has added is not what a person abbreviates.
  const meant = begins.filter((known) => plan.plan.tasks[plan.index.get(known)!]!.closes === undefined);
  if (meant.length === 1) return plan.index.get(meant[0]!)!;
  if (meant.length > 1) {
    throw new Refusal(2, `${JSON.stringify(id)} may be ${listed(meant)} of ${plan.path}`, {
      instead: 'type more of it',
    });
  }
  const near = nearest(id, plan.index.keys());
  throw new UnknownTask(2, `${plan.path} has no task ${JSON.stringify(id)}`, {
    instead: near === undefined ? 'signalbox status lists the tasks' : `did you mean ${near}?`,
  });
}

const mostListed = 8;

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, mostListed).join(', ');
  return ids.length > mostListed ? `${shown} or one of ${ids.length - mostListed} more` : shown;
}
