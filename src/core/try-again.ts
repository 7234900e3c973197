// What was failed by hand and has attempts left is tried again by the next run, as a run does with its own failures: only after
// the last attempt somebody has to decide. What was found stuck is not: nobody has said what became of it. A run's own failures are never in that state, but for those that no attempt can help.
import { attemptsCap } from './defaults.ts';
import type { Event } from './event.ts';
import { attemptsAllowed } from './retry.ts';
import type { PlanState } from './state.ts';

export function isTriedAgain(plan: PlanState, i: number): boolean {
  const own = plan.tasks[i]!;
  const { status, failure, token, failures, rejections, granted, stuck } = own;
  // Without a token nobody has tried it here: it was failed against the rules, or another log told of it.
  if (status !== 'failed' || failure?.kind !== 'said' || token === 0 || stuck) return false;
  const task = plan.plan.tasks[i]!;
  const isLeft = failures < attemptsAllowed(task, own) && failures + rejections < attemptsCap + granted;
  return isLeft && !isAsked(plan, i);
}

/** Somebody is to decide about it already. */
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
