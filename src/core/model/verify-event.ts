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
  | MergeScheduled
  | JobStarted
  | JobDoomed
  | CheckEnded
  | ReviewEnded
  | MergeEnded
  | MergeInterrupted
  | MergeHeld
  | BaselineRecorded
  | DecisionOpened
  | DecisionAnswered
  | DecisionOverdue
  | DecisionClosed;

/** A check, a review or a merge is a *job*: about an attempt that has ended, with a token of its own. */
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

export interface MergeScheduled extends JobBase<'merge-scheduled'> {
  readonly host: HostId;
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

/**
 * merged    its work is on the branch: `commit`
 * nothing   there was nothing to merge
 * conflict  others have changed the same meanwhile, or the merge would take their changes back: `files`
 * red       a check that was green before is not green on the merged result: `command`
 */
export interface MergeEnded extends JobBase<'merge-ended'> {
  readonly end: AttemptEnd;
  readonly result: 'merged' | 'nothing' | 'conflict' | 'red';
  readonly commit?: string;
  /** That the merge changed on the branch, or that are in its way. */
  readonly files?: readonly string[];
  readonly command?: string;
  /** What else is to be said, as a sentence without its end. */
  readonly problem?: string;
  /** Checks that were red at first and green when they were run once more. */
  readonly flaky?: readonly string[];
}

export type MergeFailure = Extract<Failure, { readonly kind: 'merge' }>;

/** Null: it went well. */
export function mergeFailure(event: MergeEnded): MergeFailure | null {
  const { result, files = [], token, command, problem } = event;
  if (result === 'merged' || result === 'nothing') return null;
  return {
    kind: 'merge',
    result,
    files,
    token,
    ...(command === undefined ? {} : { command }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** It proves nothing, and is done again. */
export interface MergeInterrupted extends JobBase<'merge-interrupted'> {
  readonly end: AttemptEnd;
  /** Why there is no answer, as the end of a sentence. */
  readonly problem?: string;
}

/** No fault of the task: nothing can be merged until a person has looked at it. */
export interface MergeHeld extends JobBase<'merge-held'> {
  readonly end: AttemptEnd;
  readonly because: MergeObstacle;
}

export type MergeObstacle =
  /** This check is red on the branch itself, and was green where the attempt began. */
  | { readonly kind: 'red-branch'; readonly command: string }
  /** The branch is checked out, and would be moved under that checkout. */
  | { readonly kind: 'checked-out'; readonly folder: string };

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
  'merge-scheduled',
  'job-started',
  'job-doomed',
  'check-ended',
  'review-ended',
  'merge-ended',
  'merge-interrupted',
  'merge-held',
  'baseline-recorded',
  'decision-opened',
  'decision-answered',
  'decision-overdue',
  'decision-closed',
]);

export const isVerifyEvent = <E extends { readonly type: string }>(event: E): event is Extract<E, VerifyEvent> =>
  kinds.has(event.type);
