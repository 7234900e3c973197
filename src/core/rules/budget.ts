// Whether what a coding agent may cost fits the budgets. Only known costs count, and plain commands and other programs cost nothing.
//
//   budget-usd of   counts                                                 an attempt or a review starts if
//   an agent        what one attempt or review costs: the program is told  (it does not keep anybody from starting)
//   a task          its attempts and reviews, in all runs                  something is left
//   a run           what has ended, and what is reserved                   what it may cost itself fits; or, if that is
//                                                                          not limited, something is left
//
// An attempt may cost the budget of its agent, but not more than its task has left. That much is reserved while it runs. Without either of
// them it may cost what the run has left; then nothing is reserved, and several at once can cost more than the budget together.

import type { Failure } from '../model/failure.ts';
import type { Limits } from '../model/run-event.ts';
import type { PlanState, State } from '../state/state.ts';
import { accountOf, agentOf, reviewAccountOf } from './quota.ts';

/** Less than any call of a model costs: who has no more left has nothing. */
const nothing = 1e-6;

/** What the run may spend, and what it has spent and reserved. */
export interface Purse {
  readonly limits: Limits;
  readonly spentUsd: number;
  readonly reservedUsd: number;
}

/** What an attempt or review may cost; empty: as much as it likes. */
export interface Grant {
  readonly mostUsd?: number;
  readonly sharesBudget?: true;
}

/** The budget that has no room for it. */
export interface Short {
  readonly of: 'task' | 'run';
  readonly budgetUsd: number;
  readonly spentUsd: number;
  /** For what runs now. */
  readonly reservedUsd: number;
  /** What it may cost itself; absent: nothing limits that. */
  readonly mostUsd?: number;
}

/** A run that ended paused shows what it ended with; the next one begins anew. */
export function purseOf({ live }: State, plan: PlanState, limits: Limits): Purse {
  const { run } = plan;
  let reservedUsd = 0;
  for (const { plan: path, mostUsd = 0, sharesBudget } of live.values()) {
    if (path === plan.path && !sharesBudget) reservedUsd += mostUsd;
  }
  if (run && (run.ended === null || run.ended.outcome === 'paused'))
    return { limits: run.limits, spentUsd: run.spent.usd, reservedUsd };
  return { limits, spentUsd: 0, reservedUsd };
}

type Job = 'attempt' | 'review';

export const grantFor = (state: State, plan: PlanState, i: number, job: Job): Grant | Short =>
  weigh(plan, i, purseOf(state, plan, plan.run!.limits), job);

/** Null: it may start, as far as money is concerned. */
export function shortFor(plan: PlanState, i: number, purse: Purse, job: Job = 'attempt'): Short | null {
  const weighed = weigh(plan, i, purse, job);
  return 'of' in weighed ? weighed : null;
}

function weigh(plan: PlanState, i: number, { limits, spentUsd, reservedUsd }: Purse, job: Job): Grant | Short {
  // Nothing is known of what other programs cost.
  if ((job === 'review' ? reviewAccountOf(plan) : accountOf(plan, i)) === undefined) return {};
  const agent = job === 'review' ? plan.run!.reviewAgent! : agentOf(plan, i)!;
  const own = Object.hasOwn(limits.attemptUsd ?? {}, agent) ? limits.attemptUsd![agent] : undefined;
  const rest = restOfTask(plan, i);
  if (rest !== undefined && rest < nothing) {
    const { spent } = plan.tasks[i]!;
    return { of: 'task', budgetUsd: plan.plan.tasks[i]!.keys.budgetUsd!, spentUsd: spent, reservedUsd: 0 };
  }
  const mostUsd = least(own, rest);
  const { budgetUsd } = limits;
  if (budgetUsd === undefined) return mostUsd === undefined ? {} : { mostUsd };
  const left = budgetUsd - spentUsd - reservedUsd;
  const fits = mostUsd === undefined ? left >= nothing : left - mostUsd > -nothing;
  if (!fits) return { of: 'run', budgetUsd, spentUsd, reservedUsd, ...(mostUsd === undefined ? {} : { mostUsd }) };
  return mostUsd === undefined ? { mostUsd: left, sharesBudget: true } : { mostUsd };
}

/** Undefined: it has no budget. */
function restOfTask({ plan, tasks }: PlanState, i: number): number | undefined {
  const { budgetUsd } = plan.tasks[i]!.keys;
  return budgetUsd === undefined ? undefined : budgetUsd - tasks[i]!.spent;
}

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

/** An agent stopped because of a budget that is not its own: no fault of the task, which goes on when there is more. */
export function hasUsedUp(plan: PlanState, i: number, failure: Failure): boolean {
  if (failure.kind !== 'agent' || failure.class !== 'budget') return false;
  const { limits, spent } = plan.run!;
  const ofRun = limits.budgetUsd === undefined ? undefined : limits.budgetUsd - spent.usd;
  return [restOfTask(plan, i), ofRun].some((rest) => rest !== undefined && rest < nothing);
}

/** No review that waits can be paid. */
export const cannotReview = (plan: PlanState): boolean =>
  [...plan.toReview].every((i) => shortFor(plan, i, purseAtEnd(plan), 'review') !== null);

/** None of these tasks can be paid. Nothing of the plan runs any more. */
export const cannotPay = (plan: PlanState, tasks: readonly number[]): boolean =>
  tasks.every((i) => shortFor(plan, i, purseAtEnd(plan)) !== null);

const purseAtEnd = ({ run }: PlanState): Purse => ({
  limits: run!.limits,
  spentUsd: run!.spent.usd,
  reservedUsd: 0,
});
