// Decisions, as faces are told of them, and the door to answer them by. The same for terminals, pages and other programs.

import type { Choice, DecisionKind, Evidence, Names, OnFailure, OpenDecision } from '../../core/decision.ts';
import type { StoredEvent } from '../../core/event.ts';
import type { Failure } from '../../core/failure.ts';
import type { Outcome, Summary } from '../../core/outcome.ts';
import type { Issue, Severity } from '../../core/review.ts';
import type { SelectOptions } from '../signalbox.ts';
import type { PlanChange, RestructureOptions, RestructureReport } from './restructure-plan.ts';

export interface DecisionDoor {
  /** Asked about this plan and not answered, oldest first. */
  list(plan: string | undefined): Promise<DecisionListReport>;
  /** @param id of the decision, or of a task about which one is open. */
  show(plan: string | undefined, id: string): Promise<DecisionShowReport>;
  answer(plan: string | undefined, id: string, answer: DecisionAnswer): Promise<DecisionAnswerReport>;
  /** A person's verdict on an attempt: `task`, or `task#n` to be sure which attempt is meant. */
  review(plan: string | undefined, id: string, verdict: PersonVerdict): Promise<DecisionAnswerReport>;
  /** Another shape of the plan as the answer: a need dropped, two tasks made one, a task moved, or the file read again. */
  restructure(
    plan: string | undefined,
    id: string,
    change: PlanChange,
    options: Omit<RestructureOptions, 'by'>,
  ): Promise<RestructureReport>;
  /** Every question that was ever asked, oldest first, with its answer. */
  history(plan: string | undefined): Promise<DecisionHistoryReport>;
  /** What a run of the plan finds from before; null: nothing that would have to be said. */
  found(plan: string | undefined, select?: SelectOptions): Promise<FoundReport | null>;
}

export interface DecisionListReport {
  readonly plan: string;
  readonly decisions: readonly OpenDecision[];
}

export interface DecisionShowReport {
  readonly plan: string;
  /** With what goes on now, not with what went on when it was asked. */
  readonly decision: OpenDecision;
  /** Of the task it is about; empty when it is about the plan. */
  readonly title: string;
  readonly failure: Failure | null;
  readonly attempts: number;
  /** What the plan asks of the task. */
  readonly accept: readonly string[];
  readonly log: string | null;
  /** The last lines it printed, as they are. */
  readonly tail: readonly string[];
  /** Of a phase that ends as a unit: what was not completed. */
  readonly rest: readonly { readonly task: string; readonly failure: Failure | null; readonly log: string | null }[];
  /** What it blocks, each below what it waits for. */
  readonly tree: readonly BlockedBranch[];
  readonly options: readonly OptionReport[];
  /** Whether a run goes on that will act on the answer. */
  readonly running: boolean;
}

export interface BlockedBranch {
  readonly task: string;
  readonly title: string;
  /** 0: directly below what the decision is about. */
  readonly depth: number;
}

export interface OptionReport {
  readonly choice: Choice;
  /** What it does, in one line. */
  readonly does: string;
  /** What to type behind `signalbox`. */
  readonly command: string;
}

export interface DecisionAnswer {
  readonly choice: string;
  readonly reason?: string;
  /** For the agent, with `retry-with-note`. */
  readonly note?: string;
  /** With `other-agent`. */
  readonly agent?: string;
  /** With `reject`. */
  readonly severity?: Severity;
}

export type PersonVerdict =
  | { readonly choice: 'approve'; readonly reason?: string }
  | { readonly choice: 'reject'; readonly reason: string; readonly severity?: Severity };

export interface DecisionAnswerReport {
  readonly plan: string;
  readonly decision: string;
  readonly choice: Choice;
  readonly task: string | null;
  readonly affected: readonly string[];
  /** What was recorded. */
  readonly events: readonly StoredEvent[];
  readonly running: boolean;
}

export interface DecisionHistoryReport {
  readonly plan: string;
  readonly decisions: readonly PastDecision[];
}

export interface PastDecision {
  readonly id: string;
  readonly kind: DecisionKind;
  readonly task: string | null;
  readonly attempt: string | null;
  readonly openedAt: string;
  readonly blocks: Names;
  readonly goesOn: Names;
  readonly options: readonly Choice[];
  readonly evidence: Evidence | null;
  /** `closed`: nobody answered, and nobody has to any more. */
  readonly state: 'open' | 'answered' | 'closed';
  /** Null unless it was answered. */
  readonly answer: PastAnswer | null;
  readonly closedAt: string | null;
}

export interface PastAnswer {
  readonly choice: Choice;
  readonly by: string;
  readonly at: string;
  readonly reason: string | null;
  readonly affected: readonly string[];
  /** It was not a person's, but what the plan or the run says is to be done. */
  readonly policy: OnFailure | null;
}

export interface AttemptsReport {
  readonly plan: string;
  readonly retryable: readonly FailedTask[];
  readonly exhausted: readonly FailedTask[];
}

export interface FailedTask {
  readonly id: string;
  readonly title: string;
  readonly status: 'failed' | 'pending';
  /** Attempts that count, and how many of them there may be. */
  readonly used: number;
  readonly allowed: number;
  readonly failure: Failure | null;
  /** What its last review found. */
  readonly issues: readonly Issue[];
  readonly retryAt: string | null;
}

export interface FoundReport {
  readonly plan: string;
  readonly outcome: Outcome | null;
  /** When the last run ended. */
  readonly endedAt: number;
  readonly summary: Summary;
  readonly failed: readonly { readonly task: string; readonly failure: Failure; readonly blocks: Names }[];
  readonly skipped: readonly SetAside[];
  readonly suspended: readonly SetAside[];
  readonly decisions: readonly OpenDecision[];
  /** What can start at once, or after a while. */
  readonly goesOn: Names;
}

export interface SetAside {
  readonly task: string;
  readonly by: string | null;
  readonly reason: string | null;
  /** Of one that had failed before. */
  readonly failure: Failure | null;
  readonly treatAsDone: boolean;
}
