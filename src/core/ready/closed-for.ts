// A limit of 0 never admits a task, however long it waits.
import type { Limits } from '../model/run-event.ts';
import type { PlanState } from '../state/state.ts';

/** The limit of 0 that will never admit the task, if there is one. */
export function closedFor(plan: PlanState, task: number, limits: Limits): string | null {
  if (limits.workspace === 0) return 'workspace';
  if (limits.plan === 0) return 'plan';
  return plan.ready.poolsOf(task).find((pool) => limits.pools[pool] === 0) ?? null;
}

export const hasClosed = ({ workspace, plan, pools }: Limits): boolean =>
  workspace === 0 || plan === 0 || Object.values(pools).includes(0);
