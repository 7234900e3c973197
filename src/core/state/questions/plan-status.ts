// The status of a plan as a whole. A run is judged over its selection; a plan is completed when all of it is.
//
//   in_progress   it is being run or worked on, or some of it was done and no run has ended
//   completed     every required task is completed or skipped, and so is what closes groups, phases and the plan
//   failed        the last run was stuck or failed, or a required task has failed
//   pending       nothing was done yet, or work is left and no run is going on

import { leafStatus } from '../../ready/refresh.ts';
import { summaryOf } from '../../rules/outcome.ts';
import type { PlanState, Status } from '../state.ts';
import { countedAs } from './statuses.ts';

export function planStatus(plan: PlanState, isRunning: boolean): Status {
  const { totalTasks, completed, skipped, pending, in_progress } = summaryOf(plan);
  if (isRunning || in_progress > 0) return 'in_progress';
  const { left, failed } = restOf(plan);
  if (totalTasks > 0 && completed + skipped === totalTasks && left + failed === 0) return 'completed';
  switch (plan.run?.ended?.outcome) {
    case undefined:
      return pending === totalTasks ? 'pending' : 'in_progress';
    case 'complete':
      if (failed > 0) return 'failed';
      return left > 0 ? 'pending' : 'completed';
    case 'stuck':
    case 'failed':
      return 'failed';
    default:
      return 'pending';
  }
}

/** Required tasks of the whole plan, closing tasks included. */
function restOf(plan: PlanState): { left: number; failed: number } {
  const { required } = plan.counts;
  let left = required.pending + required.in_progress + required.blocked + required.suspended;
  let { failed } = required;
  for (const task of plan.closing) {
    if (plan.graph.optional[task]) continue;
    const status = leafStatus(plan, task);
    if (status === 'failed') failed++;
    else if (status !== 'completed' && status !== 'skipped') left++;
  }
  return { left, failed };
}

/**
 * How the plan was last worked on: `none` not at all, `running` by a run that is going on, `ended` by one that has ended, `cut-off` by
 * one whose runner died, `by-hand` without a run.
 */
export type LastRunKind = 'none' | 'running' | 'ended' | 'cut-off' | 'by-hand';

export function lastRun(plan: PlanState, isRunning: boolean): LastRunKind {
  if (isRunning) return 'running';
  if (plan.run) return plan.run.ended ? 'ended' : 'cut-off';
  const last = plan.history.at(-1);
  // A record without a run: the log was lost, and status.json was imported.
  if (last) return isByHand(last.run) ? 'by-hand' : 'ended';
  return wasTried(plan) ? 'by-hand' : 'none';
}

/** The names of runs by hand have a prefix. */
export const handPrefix = 'hand-';
export const isByHand = (run: string): boolean => run.startsWith(handPrefix);

/** A box ticked in the plan does not count as work. */
function wasTried(plan: PlanState): boolean {
  return touched.some((status) => countedAs(plan, status).some((i) => plan.tasks[i]!.attempts > 0));
}

const touched: readonly Status[] = ['in_progress', 'completed', 'failed'];
