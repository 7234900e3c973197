// Events of checks, reviews, merges and decisions, one line each.

import { countWords, listWords } from '../../../core/model/count-words.ts';
import type { StoredEvent } from '../../../core/model/event.ts';
import { impossible } from '../../../core/model/impossible.ts';
import { type MergeEnded, mergeFailure, type VerifyEvent } from '../../../core/model/verify-event.ts';
import { describeDecision } from './describe-decision.ts';
import { describeDoom, describeFailure, describeMergeFailure } from './describe-failure.ts';
import { describeObstacle } from './describe-obstacle.ts';

export type StoredVerifyEvent = Extract<StoredEvent, VerifyEvent>;

export function describeVerifyEvent(event: StoredVerifyEvent): string {
  switch (event.type) {
    case 'check-scheduled':
      return `check ${event.check + 1} of ${event.attempt} is next`;
    case 'review-scheduled':
      return `the review of ${event.attempt} is next`;
    case 'merge-scheduled':
      return `the merge of ${event.attempt} is next`;
    case 'job-started':
      return `a check, review or merge of ${event.attempt} started`;
    case 'job-doomed':
      return `a check, review or merge of ${event.attempt} ${describeDoom(event.doom)}`;
    case 'check-ended':
      return `check of ${event.attempt} ${describeCheck(event)}: ${event.command}`;
    case 'review-ended':
      return describeReview(event);
    case 'merge-ended':
      return describeMerge(event);
    case 'merge-interrupted':
      return `the merge of ${event.attempt} was interrupted${because(event.problem)}`;
    case 'merge-held':
      return `nothing can be merged: ${describeObstacle(event.because)}`;
    case 'baseline-recorded':
      return event.failed.length === 0
        ? `${countWords(event.passed, 'check')} passed before the plan began`
        : `${countWords(event.failed.length, 'check')} already failed before the plan began`;
    case 'decision-opened':
      // It is answered in the same breath, and asks nobody.
      if (event.kind === 'override') return `${event.decision} records that a person overrode a rule for ${event.task}`;
      return `${event.decision} needs a decision: ${inSentence(describeDecision({ ...event, id: event.decision, openedAt: event.at }))}`;
    case 'decision-answered':
      return `${event.decision} was decided by ${event.by}: ${event.choice}${because(event.reason)}`;
    case 'decision-overdue':
      return `nobody answered ${event.decision} in time; it stays open`;
    case 'decision-closed':
      return `${event.decision} no longer needs an answer`;
    default:
      return impossible(event);
  }
}

/** For a sentence after a colon: "task 1 failed." A name at its start keeps its case. */
const inSentence = (sentence: string) => sentence.replace(/^(Task|Phase|The|A) /, (word) => word.toLowerCase());

const because = (reason: string | undefined) => (reason === undefined ? '' : ` (${reason})`);

function describeCheck(event: Extract<StoredVerifyEvent, { readonly type: 'check-ended' }>): string {
  if (event.result === 'passed') return 'passed';
  if (event.result === 'interrupted') return 'was interrupted';
  return event.failure === undefined ? 'failed' : describeFailure(event.failure);
}

export function describeReview(event: Extract<StoredVerifyEvent, { readonly type: 'review-ended' }>): string {
  const { attempt, by, result } = event;
  if (result === 'approved') return `${attempt} was approved by ${by}`;
  if (result === 'rejected') {
    const first = event.issues?.[0]?.message;
    return `${attempt} was rejected by ${by} (${event.severity})${first === undefined ? '' : `: ${first}`}`;
  }
  if (result === 'interrupted') return `the review of ${attempt} was interrupted`;
  return `the review of ${attempt} by ${by} gave no answer${because(event.problem)}`;
}

function describeMerge(event: Extract<StoredVerifyEvent, { readonly type: 'merge-ended' }>): string {
  const { attempt, result } = event;
  const failure = mergeFailure(event);
  if (failure !== null) return `${attempt} ${describeMergeFailure(failure)}`;
  return `${attempt} ${result === 'merged' ? 'was ' : ''}${mergeWords(event)}`;
}

/** Of a merge that went well, as the end of a sentence. */
export function mergeWords({ result, files = [], flaky = [] }: Pick<MergeEnded, 'result' | 'files' | 'flaky'>): string {
  if (result === 'nothing') return 'changed nothing, so there was nothing to merge';
  const unsteady = flaky.length === 0 ? '' : `; not green at first, and green when run once more: ${listWords(flaky)}`;
  return `merged (${countWords(files.length, 'file')})${unsteady}`;
}
