// Where a plan stands as a whole. A run is judged over what was selected for it; the plan is completed when all of it is.
//
//   in_progress   it is being run, somebody is at work, or some of it was done and no run has ended
//   completed     every required task is completed or skipped, and so is what closes groups, phases and the plan
//   failed        the last run was stuck or failed, or a required task has failed
//   pending       nothing was done yet, or nobody runs it and work is left
import { summaryOf } from './outcome.ts';
import { leafStatus } from './refresh.ts';
import type { PlanState, Status } from './state.ts';
import { codeOf } from './status-code.ts';

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

/** Required tasks of the whole plan, with those that Signalbox adds. */
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
 * How the plan was last worked on: `none` not at all, `running` by a run that goes on, `ended` by one that has ended, `cut-off` by
 * one whose runner is gone and could not say so, `by-hand` without one.
 */
export type LastRun = 'none' | 'running' | 'ended' | 'cut-off' | 'by-hand';

export function lastRun(plan: PlanState, isRunning: boolean): LastRun {
  if (isRunning) return 'running';
  if (plan.run) return plan.run.ended ? 'ended' : 'cut-off';
  const last = plan.history.at(-1);
  // Without a run, but with a record of one: the log was lost, and the status file told of it.
  if (last) return isByHand(last.run) ? 'by-hand' : 'ended';
  return wasTried(plan) ? 'by-hand' : 'none';
}

/** Runs by hand are told from the others by their names. */
export const handPrefix = 'hand-';
export const isByHand = (run: string): boolean => run.startsWith(handPrefix);

/** A box that is ticked in the plan is no work of anybody here. */
function wasTried({ counted, tasks }: PlanState): boolean {
  return touched.some((code) => {
    for (let i = counted.indexOf(code); i !== -1; i = counted.indexOf(code, i + 1))
      if (tasks[i]!.attempts > 0) return true;
    return false;
  });
}

const touched = [codeOf.in_progress, codeOf.completed, codeOf.failed];
