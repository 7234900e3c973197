// The one door through which a task's recorded state changes, so that what is derived from it never lags behind.
import type { RetryScheduled, Stored, TaskCompleted, TaskFailed } from './event.ts';
import type { TaskId } from './ids.ts';
import { ownTask } from './own-task.ts';
import { hasFailed, sortOut } from './plan-state.ts';
import { refresh } from './refresh.ts';
import type { PlanState, TaskState } from './state.ts';

/** A judgement on an attempt holds only while that attempt is the one to be judged. */
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
  const task = ownTask(plan, i);
  apply(task);
  sortOut(plan, i);
  if (task.after) plan.heldBack.add(i);
  else plan.heldBack.delete(i);
  if (hasFailed(task)) plan.tried.add(i);
  else plan.tried.delete(i);
  refresh(plan, i, event.seq);
}
