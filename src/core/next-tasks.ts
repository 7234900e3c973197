// What somebody could begin with next, best first: what is ready before what has failed and may be tried again; then by priority; then
// the current phase, the first that has something left, before the others; then what has waited longest.

import { attemptsAllowed } from './retry.ts';
import type { PlanState } from './state.ts';
import { codeOf, placesOf, uncounted } from './status-code.ts';

/** @param most so many of them. */
export function nextTasks(plan: PlanState, most = Number.POSITIVE_INFINITY): number[] {
  const current = currentPhase(plan);
  const ready = readyTasks(plan, current, most);
  return ready.length >= most ? ready : [...ready, ...retryable(plan, current)].slice(0, most);
}

/** They come by priority and age. Of those with one priority all are looked at only where the current phase may have more. */
function readyTasks(plan: PlanState, current: number, most: number): number[] {
  const { priority, phase } = plan.columns;
  const isCurrent = (i: number) => phase[i] === current;
  let unseen = plan.ready.classes.reduce((n, { heap }) => n + heap.all().filter(isCurrent).length, 0);
  let found: number[] = [];
  let [first, others]: [number[], number[]] = [[], []];
  let level = Number.NaN;
  const close = () => {
    found = [...found, ...first, ...others];
    [first, others] = [[], []];
  };
  for (const task of plan.ready.oneByOne()) {
    if (priority[task] !== level) close();
    level = priority[task]!;
    if (isCurrent(task)) {
      first.push(task);
      unseen--;
    } else others.push(task);
    if (found.length + first.length + (unseen === 0 ? others.length : 0) >= most) break;
  }
  close();
  return found.slice(0, most);
}

/** Index of the first phase in which a leaf has not come to an end; -1: none. */
export function currentPhase(plan: PlanState): number {
  // Groups, and what Signalbox has added, are not counted.
  const first = plan.counted.findIndex(
    (code) => code !== uncounted && code !== codeOf.completed && code !== codeOf.skipped,
  );
  return first === -1 ? -1 : plan.columns.phase[first]!;
}

/** Failed, with attempts left: only what was failed by hand is; a run tries by itself as often as it may. */
function retryable(plan: PlanState, current: number): number[] {
  const found: number[] = [];
  for (const i of [...placesOf(plan.counted, codeOf.failed), ...plan.closing]) {
    const own = plan.tasks[i]!;
    if (own.status === 'failed' && own.failures < attemptsAllowed(plan.plan.tasks[i]!, own)) found.push(i);
  }
  return inTurn(
    plan,
    found.sort((a, b) => plan.tasks[a]!.failedAt - plan.tasks[b]!.failedAt || a - b),
    current,
  );
}

/** `tasks` are in the order of time, and where priority and phase say nothing they stay so. */
function inTurn(plan: PlanState, tasks: readonly number[], current: number): number[] {
  const { priority, phase } = plan.columns;
  const isCurrent = (i: number) => Number(phase[i] === current);
  return [...tasks].sort((a, b) => priority[b]! - priority[a]! || isCurrent(b) - isCurrent(a));
}
