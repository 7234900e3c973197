// A question that only a person or a policy may answer: its kinds, its options, and the evidence. Command line, library and files all
// show this data.

import type { Failure } from './failure.ts';
import type { AttemptId, DecisionId, TaskId } from './ids.ts';
import type { Issue, Severity } from './review.ts';
import type { MergeObstacle } from './verify-event.ts';

export type DecisionKind =
  /** A task failed for good, and others need it. */
  | 'failure'
  /** A review rejected with high severity. */
  | 'rejection'
  /** An attempt waits for a person's review. */
  | 'review'
  /** A preferred task has ended badly, and the plan says to ask. */
  | 'soft-failure'
  /** Work goes on without progress. */
  | 'livelock'
  /** A phase that ends as a unit has ended with failures. */
  | 'batch'
  /** Nothing can go on, and no open decision about a failure explains it. */
  | 'stuck'
  /** A task was suspended with a question, by its own attempt or by a person. */
  | 'question'
  /** For the second time in a row, its work could not be merged. */
  | 'conflict'
  /** Nothing can be merged until a person has looked at the branch. */
  | 'merge'
  /** A person went against a rule: question and answer in one. */
  | 'override';

export type Choice =
  | 'retry'
  | 'retry-with-note'
  | 'other-agent'
  | 'fix'
  | 'skip-all'
  | 'treat-as-done'
  | 'restructure'
  | 'escalate'
  | 'accept'
  | 'go-on'
  | 'approve'
  | 'reject'
  | 'skip-blocked'
  | 'details'
  | 'abort';

export type OnFailure = 'ask' | 'retry' | 'skip' | 'escalate' | 'abort';

/** The question, with everything a person needs to answer it. */
export interface Question {
  readonly kind: DecisionKind;
  /** The task it is about; absent: the plan. */
  readonly task?: TaskId;
  /** The attempt that raised it: an answer about an older one changes nothing. */
  readonly attempt?: AttemptId;
  /** Tasks that cannot go on until it is answered: how many, and the first of them. */
  readonly blocks: Names;
  /** Tasks that go on in the meantime. */
  readonly goesOn: Names;
  readonly options: readonly Choice[];
  /** What happens without an answer; absent: it stays open. */
  readonly default?: Choice;
  /** When the default is taken. */
  readonly deadline?: number;
  readonly evidence?: DecisionEvidence;
}

export interface Names {
  readonly count: number;
  readonly tasks: readonly TaskId[];
}

export type DecisionEvidence =
  | { readonly kind: 'rejected'; readonly severity: Severity; readonly issues: readonly Issue[] }
  | { readonly kind: 'same-rejection'; readonly times: number; readonly issues: readonly Issue[] }
  | { readonly kind: 'circular-rejection'; readonly circle: readonly TaskId[]; readonly times: number }
  | { readonly kind: 'no-progress'; readonly attempts: readonly AttemptId[] }
  | { readonly kind: 'same-calls'; readonly call: string; readonly times: number }
  | { readonly kind: 'undoing'; readonly file: string; readonly tasks: readonly TaskId[]; readonly times: number }
  /** `last`: what it last said. */
  | { readonly kind: 'silence'; readonly times: number; readonly last?: string }
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'unmerged'; readonly failure: Extract<Failure, { readonly kind: 'merge' }> }
  | { readonly kind: 'held'; readonly because: MergeObstacle }
  | { readonly kind: 'preferred'; readonly tasks: readonly TaskId[] }
  | { readonly kind: 'batch'; readonly phase: string; readonly completed: Names; readonly rest: Names };

/** Asked, and not answered. */
export interface OpenDecision extends Question {
  readonly id: DecisionId;
  readonly openedAt: number;
}

/** Questions that wait for a person although nothing has failed for good. */
export const isWaiting = ({ kind }: Pick<Question, 'kind'>): boolean => waiting.has(kind);

const waiting: ReadonlySet<DecisionKind> = new Set([
  'review',
  'rejection',
  'soft-failure',
  'livelock',
  'question',
  'conflict',
  'merge',
]);

const afterFailure: readonly Choice[] = [
  'retry',
  'retry-with-note',
  'other-agent',
  'fix',
  'skip-all',
  'treat-as-done',
  'restructure',
  'escalate',
  'abort',
];

const optionsOfKind: Readonly<Record<DecisionKind, readonly Choice[]>> = {
  failure: afterFailure,
  rejection: afterFailure,
  conflict: afterFailure,
  // Looks again, or lets the check be red, as it is on the branch itself.
  merge: ['go-on', 'accept', 'abort'],
  livelock: ['go-on', ...afterFailure],
  review: ['approve', 'reject', 'abort'],
  'soft-failure': ['go-on', 'retry', 'skip-all', 'abort'],
  batch: ['accept', 'retry', 'retry-with-note', 'fix', 'abort'],
  stuck: ['details', 'skip-blocked', 'restructure', 'abort'],
  // The next run would not know the question any more: nothing is aborted with it.
  question: ['retry-with-note', 'go-on', 'other-agent', 'fix', 'skip-all', 'treat-as-done', 'restructure'],
  override: ['go-on'],
};

/** @param without options that make no sense here, such as escalating without an agent for it. */
export const optionsFor = (kind: DecisionKind, without: readonly Choice[] = []): Choice[] =>
  optionsOfKind[kind].filter((choice) => !without.includes(choice));
