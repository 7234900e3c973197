// Why a task has its status, in sentences, and the commands that would change it.
import type { Unattended } from '../../../api/reports/locks.ts';
import type { Reason } from '../../../core/explain/explain.ts';
import { countWords, listWords } from '../../../core/model/count-words.ts';
import type { DecisionKind } from '../../../core/model/decision.ts';
import { describeDuration, describeElapsed } from '../../../core/model/duration-words.ts';
import type { Cause } from '../../../core/model/event.ts';
import { impossible } from '../../../core/model/impossible.ts';
import type { Short } from '../../../core/rules/budget.ts';
import type { Status } from '../../../core/state/state.ts';
import { about, shellPath } from '../shell-word.ts';
import { describeCause, describeLimit } from './describe-cause.ts';
import { describeIssue } from './describe-decision.ts';
import { describeFailure } from './describe-failure.ts';
import { countdown, describeBudget } from './describe-held-back.ts';
import { describeAgo, describeMoment, describeTime } from './describe-time.ts';

/** @param isAbsolute moments with date and zone, instead of "3 s ago". */
export interface ReasonManner {
  readonly now: number;
  readonly isAbsolute?: boolean;
  /** The path of a plan as it has to be typed. */
  readonly typed: (plan: string) => string;
}

export function describeReason(reason: Reason, { now, isAbsolute = false, typed }: ReasonManner): string {
  switch (reason.kind) {
    case 'need':
      return describeNeed(reason);
    case 'preference':
      return `It prefers ${reason.task}, which ${standing[reason.status]}${through(reason)}. It waits until ${reason.task} ends, even if it fails.`;
    case 'phase': {
      const tasks = reason.tasks.map(({ task, status }) => `${task} ${standing[status]}`);
      if (reason.step) return `It waits for the tasks before it: ${listWords(tasks)}.`;
      const name = reason.phase === '' ? '' : ` ("${reason.phase}")`;
      return `It waits for the phase before it${name}: ${listWords(tasks)}.`;
    }
    case 'slot':
      if (reason.limit === 0) return `It can never start: ${describeLimit(reason.pool, 0)}.`;
      return `It waits for a free slot: ${reason.running} running now, and ${describeLimit(reason.pool, reason.limit)}.`;
    case 'lock': {
      const since =
        reason.since === 0
          ? ''
          : isAbsolute
            ? `, since ${describeMoment(reason.since)}`
            : `, for ${describeElapsed(now - reason.since)}`;
      if (reason.how === 'behind')
        return `It waits for ${reason.resource}: ${reason.holder} is ahead of it in the queue.`;
      if (reason.how === 'after')
        return `It was stopped to end a deadlock, and runs again when ${reason.holder} releases ${reason.resource}.`;
      const left = reason.unattended ? `, ${describeUnattended(reason.unattended, typed)}` : '';
      return `It waits for ${reason.resource}, held by ${reason.holder}${since}${left}.`;
    }
    case 'backoff': {
      const left = reason.until - now;
      const at = isAbsolute
        ? `at ${describeMoment(reason.until)}`
        : `in ${describeDuration(left)}, at ${describeTime(reason.until, now)}`;
      const when = left > 0 ? at : 'now';
      return `Its next attempt may start ${when}${reason.failure ? `, because the last one ${describeFailure(reason.failure)}` : ''}.`;
    }
    case 'quota': {
      if (reason.until === 0) return `The limit of ${reason.account} should be over: another attempt finds out first.`;
      const at = isAbsolute
        ? describeMoment(reason.until)
        : `${describeTime(reason.until, now)}, ${countdown(reason.until, now)}`;
      return `It waits: ${reason.account} is at its usage limit until ${at}.`;
    }
    case 'paused':
      if (reason.budget) return describeShort(reason.budget);
      return `The plan was paused by ${reason.by}${saying(reason.reason)}.`;
    case 'suspended':
    case 'skipped':
      return `It was ${reason.kind} by ${reason.by}${saying(reason.reason)}.`;
    case 'failed': {
      const { failure, attempts, left, again } = reason;
      const tries = attempts === 1 ? 'its only attempt' : `the last of ${attempts} attempts`;
      // A person's words are a sentence of their own.
      const how = failure.kind === 'said' ? failure.message : `${tries} ${describeFailure(failure)}`;
      if (left === undefined) return `It failed for good: ${how}.`;
      const more = countWords(left, 'attempt');
      return `It failed: ${how}. It has ${more} left, ${again ? 'by hand or in a run' : 'by hand only'}.`;
    }
    case 'done':
      return reason.at > 0
        ? `It was completed ${isAbsolute ? `at ${describeMoment(reason.at)}` : describeAgo(reason.at, now)}.`
        : 'It was completed before the first run.';
    case 'running': {
      const ending = reason.ending ? ' and is being stopped' : '';
      const since = isAbsolute ? `since ${describeMoment(reason.since)}` : `for ${describeElapsed(now - reason.since)}`;
      if (reason.check !== undefined)
        return `${reason.attempt} has ended. Its check has been running ${since}${ending}: ${reason.check}`;
      if (reason.by !== undefined) return `${reason.by} has been working on it by hand ${since}, as ${reason.attempt}.`;
      return `${reason.attempt} has been running ${since}${ending}.`;
    }
    case 'review':
      return describeReviewReason(reason, now);
    case 'merge':
      if (reason.state === 'going-on')
        return `${reason.attempt} has been in its merge for ${describeElapsed(now - reason.since)}.`;
      if (reason.held) return `${reason.attempt} has ended and waits to be merged, which a person has to let go on.`;
      return reason.before === 0
        ? `${reason.attempt} has ended, and its merge is next.`
        : `${reason.attempt} has ended and waits to be merged, behind ${countWords(reason.before, 'other')}.`;
    case 'decision':
      return describeDecisionReason(reason);
    default:
      return impossible(reason);
  }
}

/**
 * Arguments of `signalbox` that would change it, the mildest first.
 * @param unlogged failed tasks that have left no log to look at.
 */
export function waysOut(task: string, reasons: readonly Reason[], unlogged: readonly string[] = []): string[] {
  const asked = reasons.flatMap((reason) => (reason.kind === 'decision' ? `decide ${reason.decision}` : []));
  const ways = new Set<string>(asked);
  for (const reason of reasons) {
    if (reason.kind === 'failed') {
      if (reason.left !== undefined) ways.add(about('mark-started', task));
      for (const way of waysPast({ task, status: 'failed' }, unlogged)) ways.add(way);
    } else if (reason.kind === 'running' && reason.by !== undefined) ways.add(about('mark-complete', task));
    else if (reason.kind === 'suspended') ways.add(about('resume', task));
    else if (reason.kind === 'paused' && !reason.budget) ways.add('resume');
    else if (reason.kind === 'review' && reason.state === 'waiting' && reason.by === 'human') {
      ways.add(about('approve', reason.attempt));
      ways.add(about('reject', reason.attempt, '--reason TEXT'));
    } else if (reason.kind === 'need') {
      for (const cause of reason.causes) for (const way of waysPast(cause, unlogged)) ways.add(way);
    }
  }
  return [...ways];
}

/** What a person can do about one root cause. */
export function waysPast(
  { task, status }: Pick<Cause, 'status'> & { readonly task: string },
  unlogged: readonly string[] = [],
): string[] {
  switch (status) {
    case 'failed': {
      const logs = unlogged.includes(task) ? [] : [about('logs', task)];
      return [...logs, about('retry', task), about('skip', task, '--treat-as-done')];
    }
    case 'suspended':
      return [about('resume', task)];
    case 'skipped':
      return [about('retry', task), about('skip', task, '--treat-as-done')];
    case 'pending':
      return [];
    default:
      return impossible(status);
  }
}

function describeReviewReason(reason: Extract<Reason, { kind: 'review' }>, now: number): string {
  switch (reason.state) {
    case 'going-on':
      return `${reason.attempt} has been in review for ${describeElapsed(now - reason.since)}.`;
    case 'rejected': {
      const issues = reason.issues.map((issue) => describeIssue(issue).slice(2));
      const what = issues.length === 0 ? '' : `: ${listWords(issues, 3)}`;
      return `Its last attempt was rejected (${reason.severity})${what}. The next attempt is told.`;
    }
    case 'waiting':
      if (reason.by === 'human') return `${reason.attempt} has ended and waits for a person's review.`;
      return reason.before === 0
        ? `${reason.attempt} has ended, and its review is next.`
        : `${reason.attempt} has ended and waits for its review, behind ${countWords(reason.before, 'other review')}.`;
    default:
      return impossible(reason);
  }
}

function describeDecisionReason({ decision, asks, task }: Extract<Reason, { kind: 'decision' }>): string {
  const about = task === null ? 'the plan' : task;
  return `${decision} needs a decision: ${asked[asks]} ${about}.`;
}

const asked: Readonly<Record<DecisionKind, string>> = {
  failure: 'what to do about',
  rejection: 'what to do about',
  review: 'whether to accept',
  'soft-failure': 'whether to go on with',
  livelock: 'how to end the loop in',
  batch: 'how to go on after an incomplete phase of',
  stuck: 'how to go on with',
  question: 'what to answer to',
  conflict: 'how to merge the work of',
  merge: 'how merging goes on in',
  override: 'what to do about',
};

const standing: Readonly<Record<Status, string>> = {
  pending: 'has not started yet',
  in_progress: 'is running',
  completed: 'is completed',
  failed: 'failed',
  blocked: 'is blocked',
  suspended: 'is suspended',
  skipped: 'was skipped',
};

function describeNeed(reason: Extract<Reason, { kind: 'need' }>): string {
  const subject = reason.part ? `Its subtask ${reason.task}` : `It needs ${reason.task}, which`;
  const deeper = reason.causes.filter((cause) => cause.task !== reason.task);
  const own = reason.causes.find((cause) => cause.task === reason.task && cause.limit !== undefined);
  const why = deeper.length === 0 ? '' : `, because ${listWords(deeper.map(describeCause))}`;
  if (own) return `${subject} can never start: ${describeLimit(own.limit!, 0)}${through(reason)}.`;
  const standingOf = reason.status === 'skipped' ? 'was skipped and is not treated as done' : standing[reason.status];
  return `${subject} ${standingOf}${why}${through(reason)}.`;
}

/** "The budget of the run is used up ($4.97 of $5.00 spent). A larger budget-usd lets it go on." */
function describeShort({ of, ...budget }: Short): string {
  const words = of === 'task' ? describeBudget({ ...budget, task: 'this task' }) : describeBudget(budget);
  return `${words[0]!.toUpperCase()}${words.slice(1)}. A larger budget-usd lets it go on.`;
}

const through = ({ via }: { readonly via?: string }) => (via === undefined ? '' : ` (through its group ${via})`);
const saying = (reason: string | null | undefined) => (reason ? `: ${reason}` : '');

/** Follows the name of an attempt. */
export const describeUnattended = ({ is, plan }: Unattended, typed: ReasonManner['typed']): string => {
  if (is === 'asked') return 'which waits for an answer: signalbox decide';
  const run = `signalbox run ${shellPath(typed(plan))}`;
  return is === 'dead' ? `which is dead: ${run} frees it` : `which no run watches: ${run} does`;
};
