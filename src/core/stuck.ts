// Which required tasks have not ended, each with its root causes: what `run` prints when nothing can go on, and why.
import { RootCauses } from './cascade.ts';
import type { Cause, PlanStuck } from './event.ts';
import type { TaskId } from './ids.ts';
import { leafStatus } from './refresh.ts';
import type { PlanState, Status } from './state.ts';

export interface BlockedTask {
  readonly task: TaskId;
  readonly causes: readonly Cause[];
}

const unended: ReadonlySet<Status> = new Set(['pending', 'blocked', 'suspended']);

/** In the order of the plan. A suspended task is its own cause, and so is one that a limit of 0 keeps out. */
export function blockedTasks(plan: PlanState, selected: Uint8Array | null = plan.selected): BlockedTask[] {
  const causes = new RootCauses(plan, plan.run?.limits ?? null);
  return unendedLeaves(plan, selected).map((i) => ({ task: plan.plan.tasks[i]!.id, causes: causes.of(i) }));
}

export function unendedLeaves(plan: PlanState, selected: Uint8Array | null = plan.selected): number[] {
  return plan.plan.tasks.flatMap((task, i) => {
    if (task.group || selected?.[i] === 0 || !unended.has(leafStatus(plan, i))) return [];
    // An optional task in the way of nobody is a warning, unless it could run and is kept out.
    return task.optional && leafStatus(plan, i) !== 'pending' ? [] : i;
  });
}

const most = 100;

export function planStuck(plan: PlanState): PlanStuck {
  const blocked = blockedTasks(plan);
  const causes = new Map<TaskId, Cause>();
  // Most of them have the same causes, and then the same array.
  for (const some of new Set(blocked.map((task) => task.causes))) {
    for (const cause of some) causes.set(cause.task, cause);
  }
  return {
    type: 'plan-stuck',
    v: 1,
    plan: plan.path,
    run: plan.run!.run,
    blocked: blocked.length,
    causes: [...causes.values()].slice(0, most),
  };
}
