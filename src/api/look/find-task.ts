// A task by the id a person typed, or by its beginning when only one begins so; an unknown one is answered with the nearest.

import { taskId } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { Refusal } from '../refusal.ts';

/** What was loaded has no such task. */
export class UnknownTask extends Refusal {}

export function findTask(plan: PlanState, typed: string): number {
  const id = taskId(typed);
  const at = plan.index.get(id);
  if (at !== undefined) return at;
  const begins = [...plan.index.keys()].filter((known) => id !== '' && known.startsWith(id));
  // Nobody abbreviates the id of a task that Signalbox itself added.
  const meant = begins.filter((known) => plan.plan.tasks[plan.index.get(known)!]!.closes === undefined);
  if (meant.length === 1) return plan.index.get(meant[0]!)!;
  if (meant.length > 1) {
    throw new Refusal(2, `${JSON.stringify(id)} is the beginning of several tasks in ${plan.path}: ${listed(meant)}`, {
      instead: 'type more of the id',
    });
  }
  const near = nearest(id, plan.index.keys());
  throw new UnknownTask(2, `${plan.path} has no task ${JSON.stringify(id)}`, {
    instead: near === undefined ? 'list the tasks: signalbox status' : `did you mean ${near}?`,
  });
}

/** A task, or one of its attempts. A task may have such a sign in its id: the whole of it is tried first. */
export function findAttempt(plan: PlanState, typed: string): { readonly task: number; readonly number: number | null } {
  const [, of, number] = plan.index.has(taskId(typed)) ? [] : (/^(.+)#(\d{1,9})$/s.exec(typed) ?? []);
  return { task: findTask(plan, of ?? typed), number: number === undefined ? null : Number(number) };
}

const mostListed = 8;

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, mostListed).join(', ');
  return ids.length > mostListed ? `${shown} or one of ${ids.length - mostListed} more` : shown;
}
