// A question that only a person or a policy may answer: its kinds, its options, and what is known about it when it is asked. The same
// data for every face.

import type { AttemptId, DecisionId, TaskId } from './ids.ts';
import type { Issue, Severity } from './review.ts';

export type DecisionKind =
  /** A task failed for good, and others need it. */
  | 'failure'
  /** A review rejected with high severity. */
  | 'rejection'
  /** A person is to review an attempt. */
  | 'review'
  /** A preferred task has ended badly, and the plan says to ask. */
  | 'soft-failure'
  /** Work goes on and nothing comes of it. */
  | 'livelock'
  /** A phase that ends as a unit has ended with failures. */
  | 'batch'
  /** Nothing can go on, for another reason than a failure that is asked about already. */
  | 'stuck'
  /** Somebody went against a rule: asked and answered by themselves. */
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

/** What is asked, with everything that a person needs to answer. */
export interface Question {
  readonly kind: DecisionKind;
  /** What it is about; absent: the plan. */
  readonly task?: TaskId;
  /** The attempt that raised it: an answer about an older one changes nothing. */
  readonly attempt?: AttemptId;
  /** What cannot go on until it is answered: how many tasks, and the first of them. */
  readonly blocks: Names;
  /** What goes on in the meantime. */
  readonly goesOn: Names;
  readonly options: readonly Choice[];
  /** What happens without an answer; absent: it stays open. */
  readonly default?: Choice;
  /** When the default is taken. */
  readonly deadline?: number;
  readonly evidence?: Evidence;
}

export interface Names {
  readonly count: number;
  readonly tasks: readonly TaskId[];
}

export type Evidence =
  | { readonly kind: 'rejected'; readonly severity: Severity; readonly issues: readonly Issue[] }
  | { readonly kind: 'same-rejection'; readonly times: number; readonly issues: readonly Issue[] }
  | { readonly kind: 'circular-rejection'; readonly circle: readonly TaskId[]; readonly times: number }
  | { readonly kind: 'no-progress'; readonly attempts: readonly AttemptId[] }
  | { readonly kind: 'same-calls'; readonly call: string; readonly times: number }
  | { readonly kind: 'undoing'; readonly file: string; readonly tasks: readonly TaskId[]; readonly times: number }
  | { readonly kind: 'preferred'; readonly tasks: readonly TaskId[] }
  | { readonly kind: 'batch'; readonly phase: string; readonly completed: Names; readonly rest: Names };

/** Asked, and not answered. */
export interface OpenDecision extends Question {
  readonly id: DecisionId;
  readonly openedAt: number;
}

/** Questions that wait for a person although nothing has failed for good. */
export const isWaiting = ({ kind }: Pick<Question, 'kind'>): boolean =>
  kind === 'review' || kind === 'rejection' || kind === 'soft-failure' || kind === 'livelock';

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
  livelock: ['go-on', ...afterFailure],
  review: ['approve', 'reject', 'abort'],
  'soft-failure': ['go-on', 'retry', 'skip-all', 'abort'],
  batch: ['accept', 'retry', 'retry-with-note', 'fix', 'abort'],
  stuck: ['details', 'skip-blocked', 'restructure', 'abort'],
  override: ['go-on'],
};

/** @param without those that make no sense here: nobody to escalate to, nothing to retry. */
export const optionsFor = (kind: DecisionKind, without: readonly Choice[] = []): Choice[] =>
  optionsOfKind[kind].filter((choice) => !without.includes(choice));
