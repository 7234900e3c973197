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
  // Groups, and what Signalbox has added, are not counted.
  const first = plan.counted.findIndex((status) => status !== null && status !== 'completed' && status !== 'skipped');
  return first === -1 ? -1 : plan.columns.phase[first]!;
}

/** Failed, with attempts left: only what was failed by hand is; a run tries by itself as often as it may. */
function retryable(plan: PlanState): number[] {
  const found: number[] = [];
  for (let i = 0; i < plan.graph.tasks; i++) {
    if (plan.counted[i] !== 'failed' && plan.columns.closes[i] === 0) continue;
    const own = plan.tasks[i]!;
    if (own.status === 'failed' && own.failures < attemptsAllowed(plan.plan.tasks[i]!, own)) found.push(i);
  }
  return found.sort((a, b) => plan.tasks[a]!.failedAt - plan.tasks[b]!.failedAt || a - b);
}

/** `tasks` are in the order of age, and where priority and phase say nothing they stay so. */
function inTurn(plan: PlanState, tasks: readonly number[], current: number): number[] {
  const { priority, phase } = plan.columns;
  const isCurrent = (i: number) => Number(phase[i] === current);
  return [...tasks].sort((a, b) => priority[b]! - priority[a]! || isCurrent(b) - isCurrent(a));
}
