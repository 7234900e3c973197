// The required tasks that have not ended, each with its root causes: `run` prints them when nothing can go on.

import type { Cause, PlanStuck } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { leafStatus } from '../ready/refresh.ts';
import type { PlanState, Status } from '../state/state.ts';
import { RootCauses } from './root-causes.ts';

export interface BlockedTask {
  readonly task: TaskId;
  readonly causes: readonly Cause[];
}

const unended: ReadonlySet<Status> = new Set(['pending', 'blocked', 'suspended']);

/** In the order of the plan. A suspended task is its own cause, and so is one kept out by a limit of 0. */
export function blockedTasks(plan: PlanState, selected: Uint8Array | null = plan.selected): BlockedTask[] {
  const causes = new RootCauses(plan, plan.run?.limits ?? null);
  return unendedLeaves(plan, selected).map((i) => ({ task: plan.plan.tasks[i]!.id, causes: causes.of(i) }));
}

export function unendedLeaves(plan: PlanState, selected: Uint8Array | null = plan.selected): number[] {
  return plan.plan.tasks.flatMap((task, i) => {
    if (task.group || selected?.[i] === 0 || !unended.has(leafStatus(plan, i))) return [];
    // An optional task is only a warning, unless it could run and a limit keeps it out.
    return task.optional && leafStatus(plan, i) !== 'pending' ? [] : i;
  });
}

const most = 100;

export function planStuck(plan: PlanState): PlanStuck {
  const blocked = blockedTasks(plan);
  const causes = new Map<TaskId, Cause>();
  // Most tasks share their causes, and so the array.
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
