// What somebody could begin with next, best first: what is ready before what has failed and may be tried again; then by priority; then
// the current phase, the first that has something left, before the others; then what has waited longest.

import { attemptsAllowed } from './retry.ts';
import type { PlanState } from './state.ts';

export function nextTasks(plan: PlanState): number[] {
  const current = currentPhase(plan);
  return [...inTurn(plan, plan.ready.inOrder(), current), ...inTurn(plan, retryable(plan), current)];
}

/** Index of the first phase in which a leaf has not come to an end; -1: none. */
export function currentPhase(plan: PlanState): number {
  const first = plan.plan.tasks.find(({ group, closes }, i) => {
    const { status } = plan.tasks[i]!;
    return !group && closes === undefined && status !== 'completed' && status !== 'skipped';
  });
  return first === undefined ? -1 : first.phase;
}

/** Failed, with attempts left: only what was failed by hand is; a run tries by itself as often as it may. */
function retryable(plan: PlanState): number[] {
  const found: number[] = [];
  plan.tasks.forEach((own, i) => {
    if (own.status === 'failed' && own.failures < attemptsAllowed(plan.plan.tasks[i]!, own)) found.push(i);
  });
  return found.sort((a, b) => plan.tasks[a]!.failedAt - plan.tasks[b]!.failedAt || a - b);
}

/** `tasks` are in the order of age, and where priority and phase say nothing they stay so. */
function inTurn(plan: PlanState, tasks: readonly number[], current: number): number[] {
  const priority = (i: number) => plan.plan.tasks[i]!.keys.priority ?? 0;
  const isCurrent = (i: number) => Number(plan.plan.tasks[i]!.phase === current);
  return [...tasks].sort((a, b) => priority(b) - priority(a) || isCurrent(b) - isCurrent(a));
}
