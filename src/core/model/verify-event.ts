// The events of checks, reviews and decisions.
import type { AgentReport } from './agent-result.ts';
import type { Choice, OnFailure, Question } from './decision.ts';
import type { Base } from './event.ts';
import type { AttemptEnd, Doom, Failure } from './failure.ts';
import type { AttemptId, DecisionId, HostId, ProcessIdentity, RunId, TaskId } from './ids.ts';
import type { Issue, Severity } from './review.ts';

export type VerifyEvent =
  | CheckScheduled
  | ReviewScheduled
  | JobStarted
  | JobDoomed
  | CheckEnded
  | ReviewEnded
  | BaselineRecorded
  | DecisionOpened
  | DecisionAnswered
  | DecisionOverdue
  | DecisionClosed;

/** A check or a review is a *job*: about an attempt that has ended, with a token of its own. */
interface JobBase<Type extends string> extends Base<Type> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
}

export interface CheckScheduled extends JobBase<'check-scheduled'> {
  readonly host: HostId;
  /** Its place among the checks of the task. */
  readonly check: number;
}

/** The account and the money of its agent are as in `AttemptScheduled`. */
export interface ReviewScheduled extends JobBase<'review-scheduled'> {
  readonly host: HostId;
  readonly account?: string;
  readonly mostUsd?: number;
  readonly sharesBudget?: true;
}

export interface JobStarted extends JobBase<'job-started'> {
  readonly supervisor: ProcessIdentity;
}

export interface JobDoomed extends JobBase<'job-doomed'> {
  readonly doom: Doom;
}

/** `interrupted`: it proves nothing, and is done again. */
export interface CheckEnded extends JobBase<'check-ended'> {
  readonly check: number;
  readonly command: string;
  readonly end: AttemptEnd;
  readonly result: 'passed' | 'failed' | 'interrupted';
  readonly failure?: Failure;
}

/** By an agent with its token, or by a person without one. */
export interface ReviewEnded extends Base<'review-ended'> {
  readonly run?: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token?: number;
  readonly by: string;
  /** Of an agent's. */
  readonly end?: AttemptEnd;
  /** `unreadable`: there was no answer, none that could be understood, or nothing to review. That is never an approval. */
  readonly result: 'approved' | 'rejected' | 'unreadable' | 'interrupted';
  readonly severity?: Severity;
  readonly issues?: readonly Issue[];
  readonly fingerprint?: string;
  /** With `unreadable`: why there is no answer. */
  readonly problem?: string;
  /** What a coding agent says about itself. */
  readonly agent?: AgentReport;
}

/** The results of the checks before the plan began. */
export interface BaselineRecorded extends Base<'baseline-recorded'> {
  readonly failed: readonly string[];
  readonly passed: number;
}

export interface DecisionOpened extends Base<'decision-opened'>, Question {
  readonly run?: RunId;
  readonly decision: DecisionId;
}

export interface DecisionAnswered extends Base<'decision-answered'> {
  readonly run?: RunId;
  readonly decision: DecisionId;
  readonly task?: TaskId;
  readonly choice: Choice;
  readonly by: string;
  readonly reason?: string;
  /** For the next attempt, with `retry-with-note`. */
  readonly note?: string;
  /** With `other-agent`. */
  readonly agent?: string;
  /** The tasks that it changes. */
  readonly affected: readonly TaskId[];
  /** It was the policy's answer. */
  readonly policy?: OnFailure;
}

/** The time for an answer is over: the decision stays open, and the run no longer waits for it. */
export interface DecisionOverdue extends Base<'decision-overdue'> {
  readonly decision: DecisionId;
  readonly task?: TaskId;
}

/** It needs no answer any more: its task or plan has changed. */
export interface DecisionClosed extends Base<'decision-closed'> {
  readonly decision: DecisionId;
  readonly task?: TaskId;
}

const kinds: ReadonlySet<string> = new Set<VerifyEvent['type']>([
  'check-scheduled',
  'review-scheduled',
  'job-started',
  'job-doomed',
  'check-ended',
  'review-ended',
  'baseline-recorded',
  'decision-opened',
  'decision-answered',
  'decision-overdue',
  'decision-closed',
]);

export const isVerifyEvent = <E extends { readonly type: string }>(event: E): event is Extract<E, VerifyEvent> =>
  kinds.has(event.type);
