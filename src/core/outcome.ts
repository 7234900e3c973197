// What a run amounts to. "Nothing left to start" is never taken for "done": complete is what is left when every other word
// has been tried, in this order:
//
//   still going      something runs, can start, waits for a time, or was not judged yet
//   aborted          it was told to stop, and work is left
//   paused           a person paused it, or the attempts of the run are used up, and work is left
//   stuck            a required task has not ended, or an optional one could run but a limit of 0 keeps it out
//   failed           a required task failed
//   complete         all the rest
import { anyoneMayStart } from './capacity.ts';
import { impossible } from './impossible.ts';
import { noCounts } from './no-counts.ts';
import { leafStatus } from './refresh.ts';
import { isSelected } from './selection.ts';
import type { Counts, PlanState } from './state.ts';

export type Outcome = 'complete' | 'failed' | 'stuck' | 'waiting' | 'paused' | 'aborted';

/** Leaves by status. */
export interface Summary {
  readonly totalTasks: number;
  readonly completed: number;
  readonly pending: number;
  readonly in_progress: number;
  readonly failed: number;
  readonly blocked: number;
  readonly suspended: number;
  readonly skipped: number;
}

export interface Verdict {
  readonly outcome: Outcome;
  readonly exitCode: number;
}

/** Null while the run goes on. */
export function outcomeOf(plan: PlanState): Verdict | null {
  const { run } = plan;
  if (run === null || plan.live > 0 || plan.unjudged.size > 0) return null;
  const canGoOn = someoneWaitsForATime(plan) || anyoneMayStart(plan, run.limits);
  if (canGoOn) {
    if (run.stopping) return { outcome: 'aborted', exitCode: run.stopping.exitCode };
    return plan.paused || attemptsUsedUp(plan) ? verdict('paused') : null;
  }
  const { required, optional } = plan.selected ? countSelected(plan, plan.selected) : plan.counts;
  if (required.pending + required.blocked + required.suspended + optional.pending > 0) return verdict('stuck');
  return required.failed > 0 ? verdict('failed') : verdict('complete');
}

function someoneWaitsForATime(plan: PlanState): boolean {
  return plan.selected ? plan.backoff.all().some((task) => isSelected(plan, task)) : plan.backoff.size > 0;
}

/** The counts of the whole plan are kept up to date; those of a selection are wanted only when nothing runs. */
function countSelected(plan: PlanState, selected: Uint8Array): Counts {
  const counts: Counts = { required: noCounts(), optional: noCounts() };
  selected.forEach((is, leaf) => {
    if (is) (plan.graph.optional[leaf] ? counts.optional : counts.required)[leafStatus(plan, leaf)]++;
  });
  return counts;
}

export function attemptsUsedUp(plan: PlanState): boolean {
  const most = plan.run?.limits.maxAttempts;
  return most !== undefined && plan.run!.attempts >= most;
}

export function exitCodeOf(outcome: Exclude<Outcome, 'aborted'>): number {
  switch (outcome) {
    case 'complete':
      return 0;
    case 'failed':
      return 1;
    case 'waiting':
      return 4;
    case 'stuck':
      return 5;
    case 'paused':
      return 6;
    default:
      return impossible(outcome);
  }
}

export function summaryOf(plan: PlanState): Summary {
  const { required, optional } = plan.counts;
  const count = (status: keyof typeof required) => required[status] + optional[status];
  const statuses = {
    completed: count('completed'),
    pending: count('pending'),
    in_progress: count('in_progress'),
    failed: count('failed'),
    blocked: count('blocked'),
    suspended: count('suspended'),
    skipped: count('skipped'),
  };
  const totalTasks = Object.values(statuses).reduce((a, b) => a + b, 0);
  return { totalTasks, ...statuses };
}

const verdict = (outcome: Exclude<Outcome, 'aborted'>): Verdict => ({ outcome, exitCode: exitCodeOf(outcome) });
