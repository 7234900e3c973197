// Tasks that were marked failed by hand and have attempts left: the next run tries them again, and asks a person only after the last
// attempt. Tasks found stuck are not tried again, because their end is not known. A run's own failures have no attempts left, except
// those that another attempt cannot help.
import type { Event } from '../model/event.ts';
import type { PlanState } from '../state/state.ts';
import { attemptsLeft } from './attempts-left.ts';

export function isTriedAgain(plan: PlanState, i: number): boolean {
  const own = plan.tasks[i]!;
  const { status, failure, token, stuck } = own;
  // Without a token it was never tried here: it was marked against the rules, or imported.
  if (status !== 'failed' || failure?.kind !== 'said' || token === 0 || stuck) return false;
  return attemptsLeft(plan.plan.tasks[i]!, own) > 0 && !isAsked(plan, i);
}

/** Whether a decision about it is open. */
function isAsked(plan: PlanState, i: number): boolean {
  const { id } = plan.plan.tasks[i]!;
  return [...(plan.book.byTask.get(id) ?? [])].some((open) => plan.decisions.get(open)!.task === id);
}

/** At the start of a run. @param selected by task, what it is about; null: everything. */
export function tryAgain(plan: PlanState, selected: Uint8Array | null): Event[] {
  return plan.plan.tasks.flatMap(({ id }, i): Event[] =>
    selected?.[i] !== 0 && isTriedAgain(plan, i)
      ? [{ type: 'task-retried', v: 1, plan: plan.path, task: id, by: 'signalbox', left: true }]
      : [],
  );
}
