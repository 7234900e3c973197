// What becomes of an attempt that a review has rejected.
//
//   low, medium                       again with the feedback, no retry used; five failures and rejections in all, then failed
//   high                              suspended, and a person decides
//   the same, three times in a row    suspended, and a person decides: a loop
//   a circle of tasks, each rejected for the next one, twice: the same

import { dependentLeaves } from '../commands/steer.ts';
import type { DecisionEvidence } from '../model/decision.ts';
import { attemptsCap, defaultLivelock } from '../model/defaults.ts';
import type { Event } from '../model/event.ts';
import type { ReviewVerdict } from '../model/review.ts';
import type { LivelockRules } from '../model/run-event.ts';
import { BAD } from '../ready/signal.ts';
import { circleThrough } from '../state/loop-memory.ts';
import type { EndedAttempt, PlanState, State } from '../state/state.ts';
import { ask, failTask, policyFor } from './open-decisions.ts';

type Rejection = Extract<ReviewVerdict, { readonly verdict: 'rejected' }>;

export function rejected(state: State, plan: PlanState, i: number, now: number): Event[] {
  const { id } = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  const { run, attempt, verdict } = own.ended!;
  const review = verdict as Rejection;
  const loop = loopOf(plan, i, review);
  if (loop) return suspend(state, plan, i, { kind: 'livelock', evidence: loop, now });
  if (review.severity === 'high') {
    const evidence: DecisionEvidence = { kind: 'rejected', severity: review.severity, issues: review.issues };
    return suspend(state, plan, i, { kind: 'rejection', evidence, now });
  }
  if (own.failures + own.rejections >= attemptsCap + own.granted) {
    const issue = review.issues[0]?.message;
    const times = own.rejections;
    const failure = {
      kind: 'rejected',
      severity: review.severity,
      times,
      ...(issue === undefined ? {} : { issue }),
    } as const;
    return failTask(state, plan, i, failure, now);
  }
  const about = { v: 1, plan: plan.path, run, task: id, attempt } as const;
  return [{ type: 'retry-scheduled', ...about, because: 'rejected', notBefore: now }];
}

function loopOf(plan: PlanState, i: number, review: Rejection): DecisionEvidence | null {
  const rules = rulesFor(plan);
  const { id } = plan.plan.tasks[i]!;
  const { repeated } = plan.tasks[i]!;
  if (rules.sameRejections > 0 && repeated!.times >= rules.sameRejections) {
    return { kind: 'same-rejection', times: repeated!.times, issues: review.issues };
  }
  const again = sameCalls(plan, plan.tasks[i]!.ended!.evidence);
  if (again || rules.circularRejections === 0) return again;
  const circle = circleThrough(plan.loops, id, rules.circularRejections);
  return circle && { kind: 'circular-rejection', circle, times: rules.circularRejections };
}

/** Work by hand may be reviewed without a run. */
export const rulesFor = (plan: PlanState): LivelockRules => plan.run?.livelock ?? defaultLivelock;

/** The evidence that an agent goes round in circles; null: none. */
export function sameCalls(plan: PlanState, seen: EndedAttempt['evidence']): DecisionEvidence | null {
  const most = rulesFor(plan).sameCalls;
  const { repeated } = seen ?? {};
  return repeated && most > 0 && repeated.times >= most ? { kind: 'same-calls', ...repeated } : null;
}

const words: Readonly<Partial<Record<DecisionEvidence['kind'], string>>> = {
  rejected: 'its review rejected it with high severity',
  'same-rejection': 'it was rejected for the same again and again',
  'circular-rejection': 'tasks are rejected for each other in a circle',
  'same-calls': 'its agent made the same call again and again',
  silence: 'its agent fell silent again and again',
  unmerged: 'its work could not be merged with that of others, twice in a row',
};

interface Suspension {
  readonly kind: 'livelock' | 'rejection' | 'question' | 'conflict';
  readonly evidence: DecisionEvidence;
  readonly now: number;
}

/** It holds nothing while a person thinks. */
export function suspend(state: State, plan: PlanState, i: number, { kind, evidence, now }: Suspension): Event[] {
  const task = plan.plan.tasks[i]!.id;
  const reason = evidence.kind === 'question' ? evidence.question : words[evidence.kind]!;
  const suspended: Event = { type: 'task-suspended', v: 1, plan: plan.path, task, by: 'signalbox', reason };
  const blocked = dependentLeaves(plan, i, BAD);
  // No policy knows an answer.
  const choice = kind === 'question' ? null : policyFor(plan, i, kind);
  return [suspended, ...ask(state, plan, { kind, about: i, blocked, choice, evidence, now })];
}
