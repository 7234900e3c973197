// The next thing that has to be done about an attempt that ended well, before it can be judged: a check, a review, or a question to
// a person. A check goes on in the place that its attempt had; reviews have one place of their own, in the order of arrival.
import { fullPools } from './capacity.ts';
import type { Me } from './decide.ts';
import type { Event } from './event.ts';
import { byHand } from './evolve-hand.ts';
import { ask } from './open-decisions.ts';
import { BAD } from './signal.ts';
import type { PlanState, State } from './state.ts';
import { dependentLeaves } from './steer.ts';

/** A person is asked to review, in a run that goes on: after an abort the next one asks again. */
export function askForReview(state: State, plan: PlanState, i: number, now: number): Event[] | null {
  // What was done by hand needs no run to be reviewed.
  const isByHand = plan.tasks[i]!.ended!.run === byHand;
  if (!isByHand && (plan.run!.ended || isBeingStopped(plan))) return null;
  const blocked = dependentLeaves(plan, i, BAD);
  return ask(state, plan, { kind: 'review', about: i, blocked, choice: null, now });
}

/** Null: there is none, or not for us to do. */
export function scheduleJob(state: State, plan: PlanState, me: Me | null): Event[] | null {
  if (me?.plan !== plan.path || plan.run?.run !== me.run || isBeingStopped(plan)) return null;
  const { limits } = plan.run;
  for (const i of plan.toCheck) {
    const { uses = [] } = plan.plan.tasks[i]!.keys;
    if (fullPools(state, uses, limits).length > 0) continue;
    return [{ type: 'check-scheduled', ...about(state, plan, i, me), check: plan.tasks[i]!.ended!.checks }];
  }
  if (plan.reviewing !== 0) return null;
  for (const i of plan.toReview) return [{ type: 'review-scheduled', ...about(state, plan, i, me) }];
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
