// The outcome of a run. "Nothing left to start" does not mean "done": a run is complete only if no other outcome applies, tested in
// this order:
//
//   still going      something runs, can start, waits for a time or for `resume`, or was not judged yet
//   aborted          it was told to stop, and something has not ended
//   paused           its attempts, its money or an account are used up, and work is left; or a person paused it, and it does not wait for
//                    them to resume it
//   waiting          a person was asked something that is not about a final failure
//   stuck            a required task has not ended, or an optional one could run but a limit of 0 keeps it out
//   failed           a required task failed
//   complete         all the rest

import { isWaiting, type OpenDecision } from '../model/decision.ts';
import { impossible } from '../model/impossible.ts';
import { isSelected } from '../model/selection.ts';
import { anyoneMayStart } from '../ready/capacity.ts';
import { closedFor } from '../ready/closed-for.ts';
import { leafStatus } from '../ready/refresh.ts';
import { noCounts } from '../state/questions/statuses.ts';
import type { Counts, PlanState, State, StatusCounts } from '../state/state.ts';
import { cannotPay, cannotReview } from './budget.ts';
import { accountOf, isGivenUp, reviewAccountOf } from './quota.ts';

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
export function outcomeOf(state: State, plan: PlanState): Verdict | null {
  const { run } = plan;
  if (run === null || plan.live > 0) return null;
  // What was not checked when the run was stopped is checked by the next one.
  const isStopped = run.stopping !== null && run.stopping.mode !== 'drain';
  const unjudged = plan.unjudged.size + plan.toCheck.size + (run.held === null ? plan.toMerge.size : 0);
  const isReviewed = !run.limited && !isGivenUp(state, plan, reviewAccountOf(plan));
  const canReview = plan.toReview.size > 0 && isReviewed && !cannotReview(plan);
  if ((unjudged > 0 || canReview) && !isStopped) return null;
  const isUnjudged = unjudged + plan.toReview.size > 0;
  const canGoOn = isUnjudged || someoneWaitsForATime(plan) || anyoneMayStart(plan, run.limits);
  if (canGoOn) {
    if (run.stopping) return { outcome: 'aborted', exitCode: run.stopping.exitCode };
    if (plan.paused && run.waitsPaused && !isLimited(state, plan)) return null;
    if (plan.paused || isLimited(state, plan)) return verdict('paused');
    return isHeld(plan) ? verdict('waiting') : null;
  }
  const outcome = restOutcome(plan);
  if (outcome === 'complete' || outcome === 'failed')
    return isAnswerable(plan) && !run.stopping ? null : verdict(outcome);
  if (run.stopping) return { outcome: 'aborted', exitCode: run.stopping.exitCode };
  return isAnswerable(plan) ? null : verdict(outcome);
}

/** The outcome when nothing runs and nothing can start. */
function restOutcome(plan: PlanState): 'waiting' | 'stuck' | 'failed' | 'complete' {
  if ([...plan.decisions.values()].some((decision) => isWaiting(decision) && isAbout(plan, decision))) return 'waiting';
  const { required, optional } = plan.selected ? countSelected(plan, plan.selected) : plan.counts;
  const closing = closingCounts(plan);
  // Somebody works on one by hand, or what it made cannot be merged.
  if ([required, optional, closing.required, closing.optional].some((counts) => counts.in_progress > 0))
    return 'waiting';
  const left = (counts: StatusCounts) => counts.pending + counts.blocked + counts.suspended;
  if (left(required) + left(closing.required) + optional.pending + closing.optional.pending > 0) return 'stuck';
  return required.failed + closing.required.failed > 0 ? 'failed' : 'complete';
}

/** A limit of this run, which nobody can lift while it goes on. */
const isLimited = (state: State, plan: PlanState): boolean =>
  plan.run!.limited || attemptsUsedUp(plan) || isPenniless(plan) || isOutOfQuota(state, plan);

/** Whatever could start now or later cannot be paid. */
function isPenniless(plan: PlanState): boolean {
  if (plan.run!.limits.budgetUsd === undefined && !plan.hasBudgets) return false;
  return cannotPay(plan, startable(plan));
}

/** Whatever could be paid is charged to accounts that were closed before this run came to them, and it does not wait for those. */
function isOutOfQuota(state: State, plan: PlanState): boolean {
  if (!plan.run!.stopsAtQuota || state.accounts.size === 0) return false;
  const accounts = startable(plan).flatMap((i) => (cannotPay(plan, [i]) ? [] : [accountOf(plan, i)]));
  if (plan.toReview.size > 0 && !cannotReview(plan)) accounts.push(reviewAccountOf(plan));
  return accounts.length > 0 && accounts.every((account) => isGivenUp(state, plan, account));
}

/** Now or later. */
function startable(plan: PlanState): number[] {
  const ready = plan.ready.inOrder().filter((task) => closedFor(plan, task, plan.run!.limits) === null);
  return [...ready, ...plan.backoff.all()].filter((task) => isSelected(plan, task));
}

/** What keeps a run that ended paused from going on. */
export type PausedBy = 'person' | 'attempts' | 'quota' | 'budget';

export function pausedBy(state: State, plan: PlanState): PausedBy {
  if (plan.paused) return 'person';
  if (plan.run!.limited || isOutOfQuota(state, plan)) return 'quota';
  return attemptsUsedUp(plan) ? 'attempts' : 'budget';
}

/** Whether the run starts what is ready. */
export const isAdmitting = (plan: PlanState): boolean =>
  !plan.paused && !plan.run!.stopping && !plan.run!.limited && !attemptsUsedUp(plan) && !isHeld(plan);

/** A loop of the whole plan: nothing more starts before a person has answered. */
export const isHeld = (plan: PlanState): boolean => plan.book.holding > 0;

/** It may be answered until its time is over. */
const isAnswerable = (plan: PlanState): boolean => plan.book.deadline !== Number.POSITIVE_INFINITY;

/** Closing tasks count in no summary, but a plan is not complete without them. */
function closingCounts(plan: PlanState): Counts {
  const counts: Counts = { required: noCounts(), optional: noCounts() };
  for (const task of plan.closing) {
    if (isSelected(plan, task))
      (plan.graph.optional[task] ? counts.optional : counts.required)[leafStatus(plan, task)]++;
  }
  return counts;
}

function isAbout(plan: PlanState, { task }: OpenDecision): boolean {
  const i = task === undefined ? undefined : plan.index.get(task);
  return i === undefined || isSelected(plan, i);
}

function someoneWaitsForATime(plan: PlanState): boolean {
  return plan.selected ? plan.backoff.all().some((task) => isSelected(plan, task)) : plan.backoff.size > 0;
}

/** The counts of the whole plan are kept up to date. Those of a selection are needed only when nothing runs. */
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
