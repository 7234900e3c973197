// The names of things. Branded so that a task id is never passed where a plan path is meant.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A task's id, unique in its plan: `1.2`, `api`, `T014`. */
export type TaskId = Branded<'TaskId'>;
/** One try of one task: `<task>#<n>`, unique in its plan. */
export type AttemptId = Branded<'AttemptId'>;
/** A plan is its workspace-relative path, with forward slashes. */
export type PlanPath = Branded<'PlanPath'>;
/** One execution of a plan by `signalbox run`. */
export type RunId = Branded<'RunId'>;
/** A place whose processes see each other: boot id + pid namespace. */
export type HostId = Branded<'HostId'>;

/** A question to a person: `d7`, unique in its workspace. */
export type DecisionId = Branded<'DecisionId'>;

/** As people type it, too: a letter that can be written with one character or with two is one letter. */
export const taskId = (text: string): TaskId => text.normalize('NFC') as TaskId;
export const planPath = (text: string): PlanPath => text as PlanPath;
export const runId = (text: string): RunId => text as RunId;
export const decisionId = (n: number): DecisionId => `d${n}` as DecisionId;
export const hostId = (text: string): HostId => text as HostId;
export const attemptId = (task: TaskId, n: number): AttemptId => `${task}#${n}` as AttemptId;

/** Identifies a process for good, also after its pid was reused. */
export interface ProcessIdentity {
  readonly host: HostId;
  readonly pid: number;
  /** Opaque; equal for the same process only (clock ticks since boot on Linux). */
  readonly startTime: string;
}
