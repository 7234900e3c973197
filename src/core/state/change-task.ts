// The one door to a task's recorded state. Whatever is derived from that state changes with it, and never lags behind.
import type { RetryScheduled, Stored, TaskCompleted, TaskFailed } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { refresh } from '../ready/refresh.ts';
import { hasFailed, sortOut } from './plan-state.ts';
import type { PlanState, TaskState } from './state.ts';

/** A verdict counts only for the attempt that waits for it. */
export function judged(
  plan: PlanState,
  event: Stored<TaskCompleted | TaskFailed | RetryScheduled>,
  apply: (task: TaskState) => void,
): void {
  change(plan, event, (task) => {
    if (event.attempt === undefined || event.attempt === task.ended?.attempt) apply(task);
  });
}

/** Every change of a task goes through here, so that what is derived from it never lags behind. */
export function change(
  plan: PlanState,
  event: { readonly task: TaskId; readonly seq: number },
  apply: (task: TaskState) => void,
): void {
  const i = plan.index.get(event.task);
  if (i === undefined) return;
  plan.ready.remove(i);
  plan.backoff.remove(i);
  const task = plan.tasks[i]!;
  apply(task);
  sortOut(plan, i);
  if (task.after) plan.heldBack.add(i);
  else plan.heldBack.delete(i);
  if (hasFailed(task)) plan.haveFailed.add(i);
  else plan.haveFailed.delete(i);
  refresh(plan, i, event.seq);
}
