// The events of work by hand: a person, or an agent they supervise themselves, drives the plan with small commands.

import type { RecordedStatus } from '../state/state.ts';
import type { Base } from './event.ts';
import type { AttemptId, RunId, TaskId } from './ids.ts';

export type HandEvent = TaskStarted | TaskSeen | TaskHandedIn | HandRunStarted | HandRunEnded | StatusImported;

interface HandBase<Type extends string> extends Base<Type> {
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly by: string;
}

/** Of a call that its caller may repeat, not knowing whether it arrived. */
export interface Keyed {
  /** The caller's key for this call. */
  readonly request?: string;
}

export interface TaskStarted extends HandBase<'task-started'>, Keyed {}

/** A sign of life from the person or agent who works on it. */
export type TaskSeen = HandBase<'task-seen'>;

/** Handed in as done, with green checks. A review may still come. */
export interface TaskHandedIn extends HandBase<'task-handed-in'>, Keyed {
  /** How many checks were green: all of them, unless a person decided to leave them out. */
  readonly checks: number;
  readonly notes?: string;
}

export interface HandRunStarted extends Base<'hand-run-started'> {
  readonly run: RunId;
  readonly by: string;
}

export interface HandRunEnded extends Base<'hand-run-ended'> {
  readonly run: RunId;
  readonly by: string;
  readonly completed: number;
  readonly failed: number;
}

/** The log was lost: the status of the tasks just loaded, as status.json has it. */
export interface StatusImported extends Base<'status-imported'> {
  readonly from: string;
  readonly tasks: readonly ImportedTask[];
  readonly runs: readonly {
    readonly run: RunId;
    readonly startedAt: number;
    readonly endedAt: number;
    readonly completed: number;
    readonly failed: number;
  }[];
}

export interface ImportedTask {
  readonly task: TaskId;
  readonly status: Exclude<RecordedStatus, 'in_progress'>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly notes: string | null;
  readonly error: string | null;
  readonly errorAt: number;
  readonly failures: number;
  readonly attempts: number;
  readonly treatAsDone: boolean;
  readonly by: string | null;
  readonly reason: string | null;
}

/** An attempt without a process of ours: by a person, or by an agent they supervise themselves. */
export interface HandWork {
  readonly attempt: AttemptId;
  readonly token: number;
  readonly by: string;
  readonly startedAt: number;
  /** The last sign of life. */
  readonly lastAt: number;
}

export type KeyedCall = 'mark-started' | 'mark-complete' | 'mark-failed';

/** A call with a key that was recorded. */
export interface HeardRequest {
  readonly key: string;
  readonly call: KeyedCall;
  readonly by: string;
  /** Null: it was about none. */
  readonly attempt: AttemptId | null;
}

const kinds: ReadonlySet<string> = new Set<HandEvent['type']>([
  'task-started',
  'task-seen',
  'task-handed-in',
  'hand-run-started',
  'hand-run-ended',
  'status-imported',
]);

export const isHandEvent = <E extends { readonly type: string }>(event: E): event is Extract<E, HandEvent> =>
  kinds.has(event.type);
