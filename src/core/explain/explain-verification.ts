// The reasons for a task's status that come from checks, reviews and decisions.
import type { OpenDecision } from '../model/decision.ts';
import type { Cause } from '../model/event.ts';
import type { AttemptId, DecisionId } from '../model/ids.ts';
import type { Issue, Severity } from '../model/review.ts';
import { mergesInLine } from '../rules/schedule-job.ts';
import { verdictOn } from '../rules/verdict.ts';
import { startedTask } from '../state/questions/started-task.ts';
import type { PlanState } from '../state/state.ts';
import type { Reason } from './explain.ts';

export type ReviewReason =
  | {
      readonly kind: 'review';
      readonly state: 'waiting';
      readonly by: 'agent';
      readonly attempt: AttemptId;
      /** How many reviews come before it. */
      readonly before: number;
    }
  | {
      readonly kind: 'review';
      readonly state: 'waiting';
      readonly by: 'human';
      readonly attempt: AttemptId;
      readonly decision: DecisionId | null;
    }
  | { readonly kind: 'review'; readonly state: 'going-on'; readonly attempt: AttemptId; readonly since: number }
  /** The last review sent it back; the next attempt reads why. */
  | {
      readonly kind: 'review';
      readonly state: 'rejected';
      readonly severity: Severity;
      readonly issues: readonly Issue[];
    };

export type MergeReason =
  | { readonly kind: 'merge'; readonly state: 'going-on'; readonly attempt: AttemptId; readonly since: number }
  /** `before`: how many come before it. `held`: nothing is merged until a person has answered. */
  | {
      readonly kind: 'merge';
      readonly state: 'waiting';
      readonly attempt: AttemptId;
      readonly before: number;
      readonly held: boolean;
    };

/** The reason of a task whose attempt ended well and is being checked, reviewed or merged; else null. */
export function verifying(plan: PlanState, i: number): Reason | null {
  const task = startedTask(plan, i);
  const { live, ended } = plan.tasks[i]!;
  if (!ended) return null;
  const { attempt } = ended;
  if (live) {
    const since = live.scheduledAt;
    if (live.job.kind === 'review') return { kind: 'review', state: 'going-on', attempt, since };
    if (live.job.kind === 'merge') return { kind: 'merge', state: 'going-on', attempt, since };
    const check = live.job.kind === 'check' ? task.keys.check?.[live.job.check] : undefined;
    return check === undefined ? null : { kind: 'running', attempt, since, ending: live.doom !== null, check };
  }
  const next = verdictOn(task, ended);
  if (next.kind === 'merge') {
    const before = mergesInLine(plan).indexOf(i) + (plan.merging === 0 ? 0 : 1);
    return { kind: 'merge', state: 'waiting', attempt, before, held: plan.run?.held != null };
  }
  if (next.kind !== 'review') return null;
  if (next.by === 'human') return { kind: 'review', state: 'waiting', by: 'human', attempt, decision: ended.asked };
  return { kind: 'review', state: 'waiting', by: 'agent', attempt, before: reviewsBefore(plan, i) };
}

/** One at a time, in the order in which they came. */
const reviewsBefore = (plan: PlanState, i: number): number =>
  [...plan.toReview].indexOf(i) + (plan.reviewing === 0 ? 0 : 1);

export function rejectedBefore(plan: PlanState, i: number): Reason[] {
  const { review } = plan.tasks[i]!;
  if (review?.verdict !== 'rejected') return [];
  return [{ kind: 'review', state: 'rejected', severity: review.severity, issues: review.issues }];
}

/** @param causes what keeps the task from starting, however deep. */
export function decisionsAbout(plan: PlanState, i: number, causes: readonly Cause[] = []): Reason[] {
  const { id } = plan.plan.tasks[i]!;
  const about = new Set([id, ...causes.map(({ task }) => task)]);
  const isMeant = ({ task, kind, blocks }: OpenDecision) =>
    blocks.tasks.includes(id) || (task === undefined ? kind === 'livelock' : about.has(task));
  return [...plan.decisions.values()]
    .filter(isMeant)
    .map(({ id: decision, kind, task }) => ({ kind: 'decision', decision, asks: kind, task: task ?? null }));
}
