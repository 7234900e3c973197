// The checks of a plan, each once: a check that several tasks share is run once for all of them.
import type { Task } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';

export interface DistinctCheck {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whose check it is: tasks, and what was added to check a group or a phase. */
  readonly tasks: readonly string[];
}

/** @param concerns by place in the plan. */
export function distinctChecks({ plan }: PlanState, concerns: (i: number) => boolean): DistinctCheck[] {
  const found = new Map<string, { command: string; env: Readonly<Record<string, string>>; tasks: string[] }>();
  plan.tasks.forEach((task, i) => {
    if (task.group || !concerns(i)) return;
    const { env = {} } = task.keys;
    for (const command of checksOf(task)) {
      const key = JSON.stringify([command, env]);
      const known = found.get(key);
      if (!known) found.set(key, { command, env, tasks: [task.id] });
      else if (!known.tasks.includes(task.id)) known.tasks.push(task.id);
    }
  });
  return [...found.values()];
}

/** The closing task of a group or a phase runs its first check as its command. */
function checksOf({ closes, keys: { run, check = [] } }: Task): readonly string[] {
  const isCheck = closes === 'group' || closes === 'phase';
  return isCheck && run !== undefined && run !== ':' ? [run, ...check] : check;
}
