// The status of any task as people see it. A leaf's status is recorded, except `blocked`; a group's is derived from its subtasks.
import { LEAF } from '../../ready/graph.ts';
import { leafStatus } from '../../ready/refresh.ts';
import { ENDED, GOOD } from '../../ready/signal.ts';
import type { PlanState, Status } from '../state.ts';

export function statusOf(plan: PlanState, task: number): Status {
  return plan.graph.kind[task] === LEAF ? leafStatus(plan, task) : groupStatus(plan, task);
}

/** The leaves of a group, or the leaf itself. */
export function leavesOf(plan: Pick<PlanState, 'graph'>, task: number): number[] {
  const leaves: number[] = [];
  for (let i = task; i < plan.graph.after[task]!; i++) if (plan.graph.kind[i] === LEAF) leaves.push(i);
  return leaves;
}

/** A group that ended badly has the worst status of its required subtasks; an optional group, of all. */
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
