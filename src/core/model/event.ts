// The facts that are recorded. One closed union in the past tense; the log of these is the truth. Every event has a
// version `v`: when a shape must change, the new version is added beside the old one and old logs keep folding.
import type { AttemptEnd, Doom, Evidence, Failure } from './failure.ts';
import type { HandEvent, Keyed } from './hand-event.ts';
import type { AttemptId, HostId, PlanPath, ProcessIdentity, RunId, TaskId } from './ids.ts';
import type { LockEvent } from './lock-event.ts';
import type { Plan } from './plan.ts';
import type { QuotaEvent } from './quota-event.ts';
import type { RunEvent } from './run-event.ts';
import type { VerifyEvent } from './verify-event.ts';

export type Event =
  | PlanLoaded
  | PlanEdited
  | PlanPaused
  | PlanResumed
  | PlanReset
  | PlanStuck
  | ClockStepped
  | RunEvent
  | AttemptScheduled
  | AttemptStarted
  | AttemptDoomed
  | AttemptEnded
  | RetryScheduled
  | BackoffEnded
  | TaskCompleted
  | TaskFailed
  | TaskSkipped
  | TaskSuspended
  | TaskResumed
  | TaskRetried
  | LockEvent
  | HandEvent
  | QuotaEvent
  | VerifyEvent;

/** An event with its place in the log. `seq` is gapless from 1; `at` (ms since 1970) never goes backwards. */
export type Stored<E> = E & { readonly seq: number; readonly at: number; readonly clock?: BootClock };
export type StoredEvent = Stored<Event>;

/** On the first event of a boot: how far the time of the log is ahead of its monotonic clock (ms). */
export interface BootClock {
  readonly boot: string;
  readonly offset: number;
}

export interface Base<Type extends string> {
  readonly type: Type;
  readonly v: 1;
  readonly plan: PlanPath;
}

/** The plan was loaded from its file: for the first time, or as a new revision matched by id. */
export interface PlanLoaded extends Base<'plan-loaded'> {
  /** Hash of the definition: shows whether the file has changed. Empty: it came with state that was trusted, and not from a file. */
  readonly revision: string;
  readonly definition: Plan;
  /** What is at work goes by it too. */
  readonly anew?: true;
}

/** The file of a plan that is being run says something else than what was loaded. */
export interface PlanEdited extends Base<'plan-edited'>, Partial<PlanDifference> {
  readonly run: RunId;
  /** Of the file as it was read. */
  readonly revision: string;
  /** `taken`: loaded with the next event; `waits`: for a person's `reload`; `refused`: it cannot be taken as it is. */
  readonly result: 'taken' | 'waits' | 'refused';
  /** Why it was not taken. */
  readonly because?: string;
  /** The person who reloaded it; absent: the run has noticed it. */
  readonly by?: string;
}

/** What an edit changes, by the ids of tasks. */
export interface PlanDifference {
  readonly added: readonly TaskId[];
  /** Never ran, and go. */
  readonly removed: readonly TaskId[];
  /** Have ended, are no longer in the file, and stay in the record. */
  readonly kept: readonly TaskId[];
  /** Say something else now, and nothing of them is running. */
  readonly changed: readonly TaskId[];
  /** Say something else now, and are running: their next attempt has the new text. */
  readonly nextAttempt: readonly TaskId[];
  /** Their boxes were ticked, so they count as ended. */
  readonly ticked: readonly TaskId[];
  readonly planChanges: readonly ChangedPart[];
}

/** `phases`: their names and keys, and which tasks are in which; `order`: who follows whom beside the needs. */
export type ChangedPart = 'title' | 'phases' | 'order' | 'keys';

/** Who asked: a person's login name, or `signalbox` for a rule. */
export interface PlanPaused extends Base<'plan-paused'> {
  readonly by: string;
  readonly reason?: string;
}
export interface PlanResumed extends Base<'plan-resumed'> {
  readonly by: string;
}

/** The plan starts over: nothing recorded before counts for it any more. The numbers of its attempts go on, so that none is used twice. */
export interface PlanReset extends Base<'plan-reset'> {
  readonly by: string;
  /** How often it was started over, this time included. */
  readonly round: number;
  /** The results of the round before; absent: it had no worktrees. */
  readonly results?: EarlierResults;
}

export interface EarlierResults {
  /** Where they gathered, without `refs/heads/`, and the commit that it stood at. */
  readonly branch: string;
  readonly tip: string;
  /** The branch that keeps them; absent: the person's branch had them all. */
  readonly kept?: string;
}

/** Nothing runs, nothing can start, and required tasks have not ended. */
export interface PlanStuck extends Base<'plan-stuck'> {
  readonly run: RunId;
  /** How many required tasks have not ended. */
  readonly blocked: number;
  /** The root causes, each once; at most 100 of them. */
  readonly causes: readonly Cause[];
}

/** A task that blocks others, and not because of yet another. */
export interface Cause {
  readonly task: TaskId;
  readonly status: 'failed' | 'suspended' | 'skipped' | 'pending';
  /** With `pending`: the limit of 0 that never admits it. */
  readonly limit?: string;
}

/** The wall clock was set, or the machine slept. The time of the log follows; the step counts for no limit and no lease. */
export interface ClockStepped extends Base<'clock-stepped'> {
  /** Negative: it was set back. */
  readonly byMs: number;
}

export interface AttemptScheduled extends Base<'attempt-scheduled'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  /** Fencing: greater than every token given out before in this workspace. */
  readonly token: number;
  readonly host: HostId;
  /** Tasks that it passes in the line for the same locks. Each may be passed a few times. */
  readonly passes?: readonly TaskId[];
  /** Performed by another agent than the plan says. */
  readonly agent?: string;
  readonly escalated?: true;
  /** Preferred tasks that ended badly; shown, and told to the agent. */
  readonly warnings?: readonly PreferenceWarning[];
  /** That it is charged to, if it is known. */
  readonly account?: string;
  /** What it may cost; absent: no budget limits it. */
  readonly mostUsd?: number;
  /** It may cost what is left for all: nothing is reserved for it. */
  readonly sharesBudget?: true;
}

export interface PreferenceWarning {
  readonly task: TaskId;
  readonly status: 'failed' | 'skipped' | 'blocked' | 'suspended';
}

export interface AttemptStarted extends Base<'attempt-started'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  /** The process around the attempt. While it lives, the attempt's end will be known. */
  readonly supervisor: ProcessIdentity;
}

export interface AttemptDoomed extends Base<'attempt-doomed'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly doom: Doom;
}

export interface AttemptEnded extends Base<'attempt-ended'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly end: AttemptEnd;
  readonly evidence?: Evidence;
}

/** The task is pending again and may start at `notBefore`. */
export interface RetryScheduled extends Base<'retry-scheduled'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  /** `failed` uses a retry, `rejected` and `lost` are counted apart, `stopped`, `deadlock`, `quota`, `budget` and `conversation` (it could not go on in the earlier one) cost nothing; nor do `conflict` and `red`: it could not be merged with what others did; nor does `silent`: it said nothing for too long; nor does `edited`: the plan has changed under a closing task; nor does `setup`: that of its tree failed. */
  readonly because:
    | 'failed'
    | 'rejected'
    | 'lost'
    | 'stopped'
    | 'deadlock'
    | 'quota'
    | 'budget'
    | 'conversation'
    | 'conflict'
    | 'red'
    | 'silent'
    | 'edited'
    | 'setup';
  readonly failure?: Failure;
  readonly notBefore: number;
}
export interface BackoffEnded extends Base<'backoff-ended'> {
  readonly task: TaskId;
}

export interface TaskCompleted extends Base<'task-completed'>, Keyed {
  readonly run?: RunId;
  readonly task: TaskId;
  readonly attempt?: AttemptId;
  /** By hand, against the rules: see the decision. */
  readonly by?: string;
  readonly notes?: string;
}
/** For good: no retry is left. */
export interface TaskFailed extends Base<'task-failed'>, Keyed {
  readonly run?: RunId;
  readonly task: TaskId;
  readonly attempt?: AttemptId;
  readonly failure: Failure;
  readonly optional?: true;
  /** By hand. */
  readonly by?: string;
  /** Found silent, or without its process. */
  readonly stuck?: true;
}
export interface TaskSkipped extends Base<'task-skipped'> {
  readonly task: TaskId;
  readonly by: string;
  readonly reason?: string;
  /** Those who need it go on as if it were completed. */
  readonly treatAsDone?: true;
}
export interface TaskSuspended extends Base<'task-suspended'> {
  readonly task: TaskId;
  readonly by: string;
  readonly reason?: string;
}
export interface TaskResumed extends Base<'task-resumed'> {
  readonly task: TaskId;
  readonly by: string;
  /** For the next attempt. */
  readonly note?: string;
}
/** A person's retry: pending again, with one more attempt granted. */
export interface TaskRetried extends Base<'task-retried'> {
  readonly task: TaskId;
  readonly by: string;
  readonly note?: string;
  /** Performed by this agent from now on. */
  readonly agent?: string;
  /** The debugging agent gets all that is known, and tries a fix. */
  readonly escalated?: true;
  /** A run retries it with the attempts it has left: no extra one is granted. */
  readonly left?: true;
  /** It was completed or skipped, and a decision opened it again. */
  readonly reopened?: true;
  /** A policy's retry waits until then. */
  readonly notBefore?: number;
}
