// The next step for an attempt that ended well, before it is judged: a check, a review, a merge, or a question to a person. A check keeps the slot
// of its attempt. Reviews share one slot of their own, in the order of arrival.

import { dependentLeaves } from '../commands/steer.ts';
import type { Event } from '../model/event.ts';
import { closedNow, fullPools } from '../ready/capacity.ts';
import { BAD } from '../ready/signal.ts';
import { byHand } from '../state/evolve-hand.ts';
import { startedTask } from '../state/questions/started-task.ts';
import type { PlanState, State } from '../state/state.ts';
import { grantFor } from './budget.ts';
import type { Me } from './decide.ts';
import { ask } from './open-decisions.ts';
import { reviewAccountOf } from './quota.ts';

/** Asks a person to review, unless the run is stopping: then the next run asks again. */
export function askForReview(state: State, plan: PlanState, i: number, now: number): Event[] | null {
  // Work by hand is reviewed without a run.
  const isByHand = plan.tasks[i]!.ended!.run === byHand;
  if (!isByHand && (plan.run!.ended || isBeingStopped(plan))) return null;
  const blocked = dependentLeaves(plan, i, BAD);
  return ask(state, plan, { kind: 'review', about: i, blocked, choice: null, now });
}

/** Null: there is none, or it is another runner's. */
export function scheduleJob(state: State, plan: PlanState, me: Me | null): Event[] | null {
  if (me?.plan !== plan.path || plan.run?.run !== me.run || isBeingStopped(plan)) return null;
  const { limits } = plan.run;
  for (const i of plan.toCheck) {
    const { uses = [] } = startedTask(plan, i).keys;
    if (fullPools(state, uses, limits).length > 0) continue;
    return [{ type: 'check-scheduled', ...about(state, plan, i, me), check: plan.tasks[i]!.ended!.checks }];
  }
  return scheduleMerge(state, plan, me) ?? scheduleReview(state, plan, me);
}

/** In the order of arrival: one that was held keeps its place. */
export const mergesInLine = ({ toMerge, tasks }: PlanState): number[] =>
  [...toMerge].sort((a, b) => tasks[a]!.ended!.since - tasks[b]!.ended!.since);

/** One at a time in the workspace. */
function scheduleMerge(state: State, plan: PlanState, me: Me): Event[] | null {
  const [first] = mergesInLine(plan);
  if (first === undefined || plan.run!.held !== null) return null;
  for (const { merging } of state.plans.values()) if (merging !== 0) return null;
  return [{ type: 'merge-scheduled', ...about(state, plan, first, me) }];
}

function scheduleReview(state: State, plan: PlanState, me: Me): Event[] | null {
  if (plan.reviewing !== 0) return null;
  const account = reviewAccountOf(plan);
  if (closedNow(state, account)) return null;
  for (const i of plan.toReview) {
    const money = grantFor(state, plan, i, 'review');
    if ('of' in money) continue;
    const charged = account === undefined ? {} : { account };
    return [{ type: 'review-scheduled', ...about(state, plan, i, me), ...charged, ...money }];
  }
  return null;
}

const about = (state: State, plan: PlanState, i: number, { run, host }: Me) =>
  ({
    v: 1,
    plan: plan.path,
    run,
    task: plan.plan.tasks[i]!.id,
    attempt: plan.tasks[i]!.ended!.attempt,
    token: state.token + 1,
    host,
  }) as const;

const isBeingStopped = ({ run }: PlanState): boolean => run!.stopping !== null && run!.stopping.mode !== 'drain';
