// The tasks that can be started next, best first: ready ones before failed ones with attempts left; then by priority; then the current
// phase (the first with something left) before the others; then the longest wait.

import { attemptsLeft } from '../rules/attempts-left.ts';
import { countedAs } from '../state/questions/statuses.ts';
import type { PlanState } from '../state/state.ts';
import { priorityOf } from './ready-queue.ts';

export function nextTasks(plan: PlanState): number[] {
  const current = currentPhase(plan);
  return [...inTurn(plan, plan.ready.inOrder(), current), ...inTurn(plan, retryable(plan), current)];
}

/** Index of the first phase in which a leaf has not come to an end; -1: none. */
export function currentPhase(plan: PlanState): number {
  // Groups, and what Signalbox has added, are not counted.
  const first = plan.counted.findIndex((status) => status !== null && status !== 'completed' && status !== 'skipped');
  return first === -1 ? -1 : plan.plan.tasks[first]!.phase;
}

/** Failed tasks with attempts left. Only marking by hand leaves such tasks: a run uses up the attempts itself. */
function retryable(plan: PlanState): number[] {
  const found = [...countedAs(plan, 'failed'), ...plan.closing].filter((i) => {
    const own = plan.tasks[i]!;
    return own.status === 'failed' && attemptsLeft(plan.plan.tasks[i]!, own) > 0;
  });
  return found.sort((a, b) => plan.tasks[a]!.failedAt - plan.tasks[b]!.failedAt || a - b);
}

/** `tasks` come ordered by time, and stay so among equals. */
function inTurn({ plan }: PlanState, tasks: readonly number[], current: number): number[] {
  const isCurrent = (i: number) => Number(plan.tasks[i]!.phase === current);
  return [...tasks].sort((a, b) => priorityOf(plan, b) - priorityOf(plan, a) || isCurrent(b) - isCurrent(a));
}
