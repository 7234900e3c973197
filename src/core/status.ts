// The status of any task as people see it. A leaf's is recorded, but for `blocked`; a group's is derived from its subtasks.
import { leafStatus } from './refresh.ts';
import { ENDED, GOOD } from './signal.ts';
import type { PlanState, Status } from './state.ts';

export function statusOf(plan: PlanState, task: number): Status {
  return plan.plan.tasks[task]!.group ? groupStatus(plan, task) : leafStatus(plan, task);
}

/** The leaves of a group, or the leaf itself. */
export function leavesOf(plan: PlanState, task: number): number[] {
  const leaves: number[] = [];
  for (let i = task; i < plan.graph.after[task]!; i++) if (!plan.plan.tasks[i]!.group) leaves.push(i);
  return leaves;
}

/** When it has ended badly, the worst of its required subtasks says how. */
const worstFirst: readonly Status[] = ['failed', 'blocked', 'suspended', 'skipped'];

function groupStatus(plan: PlanState, task: number): Status {
  const signal = plan.signals[plan.graph.end[task]!]!;
  if (signal & GOOD) return 'completed';
  const leaves = leavesOf(plan, task);
  const statuses = new Set(leaves.map((leaf) => leafStatus(plan, leaf)));
  if (signal & ENDED) {
    const required = new Set(leaves.filter((i) => !plan.graph.optional[i]).map((leaf) => leafStatus(plan, leaf)));
    return worstFirst.find((status) => required.has(status))!;
  }
  return statuses.size === 1 && statuses.has('pending') ? 'pending' : 'in_progress';
}
