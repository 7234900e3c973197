// Types of the layers below that stand in reports, by their names in the published schema. Those layers know nothing of schemas: theirs are
// written in `core-schemas.ts`, `events.ts` and `status-file.ts`, and do not compile when they say something else than the types.
import Type, { type TSchema } from 'typebox';
import type { Reason } from '../../core/explain/explain.ts';
import type { AgentReport } from '../../core/model/agent-result.ts';
import type {
  Choice,
  DecisionEvidence,
  DecisionKind,
  Names,
  OnFailure,
  OpenDecision,
} from '../../core/model/decision.ts';
import type { Cause, StoredEvent } from '../../core/model/event.ts';
import type { AttemptEnd, Doom, Evidence, Failure } from '../../core/model/failure.ts';
import type { AttemptId, DecisionId, HostId, PlanPath, ProcessIdentity, RunId, TaskId } from '../../core/model/ids.ts';
import type { Issue, Severity } from '../../core/model/review.ts';
import type { Isolation, Limits, LivelockRules } from '../../core/model/run-event.ts';
import type { Selection } from '../../core/model/selection.ts';
import type { MergeObstacle } from '../../core/model/verify-event.ts';
import type { Outcome, Summary } from '../../core/rules/outcome.ts';
import type { Status } from '../../core/state/state.ts';
import type { Diagnostic } from '../../plan/diagnostics/diagnostic.ts';
import type { Shown } from './schema-words.ts';

export interface CoreTypes {
  readonly status: Status;
  readonly 'outcome-word': Outcome;
  readonly summary: Summary;
  readonly process: ProcessIdentity;
  readonly limits: Limits;
  readonly selection: Selection;
  readonly cause: Cause;
  readonly doom: Doom;
  readonly 'attempt-end': AttemptEnd;
  readonly 'agent-report': AgentReport;
  readonly 'attempt-evidence': Evidence;
  readonly 'merge-obstacle': MergeObstacle;
  readonly isolation: Isolation;
  readonly failure: Failure;
  readonly severity: Severity;
  readonly issue: Issue;
  readonly choice: Choice;
  readonly 'on-failure': OnFailure;
  readonly 'livelock-rules': Partial<LivelockRules>;
  readonly 'task-names': Names;
  readonly evidence: DecisionEvidence;
  readonly 'decision-kind': DecisionKind;
  readonly decision: OpenDecision;
  readonly reason: Reason;
  readonly diagnostic: Diagnostic;
}

/** A reference in the schema, the type itself in the program. */
export const defined = <Name extends keyof CoreTypes | 'event'>(name: Name) =>
  Type.Unsafe<(CoreTypes & { readonly event: StoredEvent })[Name]>({ $ref: `#/$defs/${name}` });

/** The names of those whose schema is not what the type says. */
export type Differing<Schemas extends { readonly [Name in keyof Types]: TSchema }, Types> = {
  [Name in keyof Types]: Same<Plain<Shown<Schemas[Name]>>, Plain<Types[Name]>> extends true ? never : Name;
}[keyof Types];

/** Does not compile while there are any. */
export type None<Names extends never> = Names;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Branded ids are plain texts in a schema. */
type Plain<T> = T extends AttemptId | DecisionId | HostId | PlanPath | RunId | TaskId
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Plain<T[Key]> }
      : T;
