// The door to decisions: what can be asked and answered. The same for terminals, pages and other programs.

import type { Names, OpenDecision } from '../../core/model/decision.ts';
import type { Failure } from '../../core/model/failure.ts';
import type { Severity } from '../../core/model/review.ts';
import type { Outcome, Summary } from '../../core/rules/outcome.ts';
import type {
  DecisionAnswerReport,
  DecisionHistoryReport,
  DecisionListReport,
  DecisionShowReport,
  RestructureReport,
} from '../reports/decisions.ts';
import type { SelectOptions } from '../signalbox.ts';
import type { PlanChange, RestructureOptions } from './restructure-plan.ts';

export interface DecisionDoor {
  /** Asked about this plan and not answered, oldest first. */
  list(plan: string | undefined): Promise<DecisionListReport>;
  /** @param id of the decision, or of a task about which one is open. */
  show(plan: string | undefined, id: string): Promise<DecisionShowReport>;
  answer(plan: string | undefined, id: string, answer: DecisionAnswer): Promise<DecisionAnswerReport>;
  /** A person's verdict on an attempt: `task`, or `task#n` to be sure which attempt is meant. */
  review(plan: string | undefined, id: string, verdict: PersonVerdict): Promise<DecisionAnswerReport>;
  /** Another shape of the plan as the answer: needs dropped, tasks merged, tasks moved, or the file read again. */
  restructure(
    plan: string | undefined,
    id: string,
    changes: PlanChange | readonly PlanChange[],
    options: Omit<RestructureOptions, 'by' | 'asAgent'>,
  ): Promise<RestructureReport>;
  /** Every question that was ever asked, oldest first, with its answer. */
  history(plan: string | undefined): Promise<DecisionHistoryReport>;
  /** What earlier runs left for the next one; null: nothing worth saying. */
  found(plan: string | undefined, select?: SelectOptions): Promise<FoundReport | null>;
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

export interface FoundReport {
  readonly plan: string;
  readonly outcome: Outcome | null;
  /** When the last run ended. */
  readonly endedAt: number;
  readonly paused: boolean;
  readonly summary: Summary;
  readonly failed: readonly FoundFailure[];
  readonly skipped: readonly SetAside[];
  readonly suspended: readonly SetAside[];
  readonly decisions: readonly OpenDecision[];
  /** What can start at once, or after a while; null: the run that is asked for is refused, or may start nothing. */
  readonly goesOn: Names | null;
  /** The same of checks of groups and phases, and of the last step. */
  readonly closing: Names;
}

export interface FoundFailure {
  readonly task: string;
  readonly failure: Failure;
  readonly blocks: Names;
  readonly optional: boolean;
}

export interface SetAside {
  readonly task: string;
  readonly by: string | null;
  readonly reason: string | null;
  /** Of a task that had failed before it was set aside. */
  readonly failure: Failure | null;
  readonly treatAsDone: boolean;
}
