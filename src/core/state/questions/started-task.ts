// A plan may be edited while it runs. An attempt is performed and judged by what it was started with: its words, its command or agent, its
// checks, its review, its time limits. What comes after it (retries, needs, the answer to a failure) goes by the plan as it is now.
import type { Task, TaskText } from '../../model/plan.ts';
import type { PlanState, TaskState } from '../state.ts';

/** The task as its current attempt knows it. */
export function startedTask({ plan, tasks }: Pick<PlanState, 'plan' | 'tasks'>, i: number): Task {
  const task = plan.tasks[i]!;
  const { startedWith } = tasks[i]!;
  if (startedWith === null) return task;
  const { prompt: _, ...rest } = task;
  return { ...rest, ...startedWith };
}

/** Somebody or something is at work on it. A task that only waits for a person's review is not. */
export const isAtWork = ({ status, live, ended }: Pick<TaskState, 'status' | 'live' | 'ended'>): boolean =>
  live !== null || (status === 'in_progress' && (ended === null || ended.asked === null));

export const textOf = ({ title, prompt, keys }: Task): TaskText => ({
  title,
  ...(prompt === undefined ? {} : { prompt }),
  keys,
});

export const hasSameText = (one: TaskText, other: TaskText): boolean =>
  one.title === other.title && one.prompt === other.prompt && JSON.stringify(one.keys) === JSON.stringify(other.keys);
