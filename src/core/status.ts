// The status of any task as people see it. A leaf's is recorded, but for `blocked`; a group's is derived from its subtasks.
import { LEAF } from './graph.ts';
import { leafStatus } from './refresh.ts';
import { ENDED, GOOD } from './signal.ts';
import type { PlanState, Status } from './state.ts';

export function statusOf(plan: PlanState, task: number): Status {
  return plan.graph.kind[task] === LEAF ? leafStatus(plan, task) : groupStatus(plan, task);
}

/** The leaves of a group, or the leaf itself. */
export function leavesOf(plan: Pick<PlanState, 'graph'>, task: number): number[] {
  const leaves: number[] = [];
  for (let i = task; i < plan.graph.after[task]!; i++) if (plan.graph.kind[i] === LEAF) leaves.push(i);
  return leaves;
}

/** When it has ended badly, the worst of its required subtasks says how; in an optional group, of all. */
const worstFirst: readonly Status[] = ['failed', 'blocked', 'suspended', 'skipped'];

function groupStatus(plan: PlanState, task: number): Status {
  const signal = plan.signals[plan.graph.end[task]!]!;
  if (signal & GOOD) return 'completed';
  const leaves = leavesOf(plan, task);
  if (signal & ENDED) {
    const counting = plan.graph.optional[task] ? leaves : leaves.filter((leaf) => !plan.graph.optional[leaf]);
    const statuses = new Set(counting.map((leaf) => leafStatus(plan, leaf)));
    return worstFirst.find((status) => statuses.has(status))!;
  }
  return leaves.every((leaf) => plan.tasks[leaf]!.status === 'pending') ? 'pending' : 'in_progress';
}
