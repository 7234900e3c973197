// The events about locks. A request's ticket is the number of the event that queued it; a lock's fencing token is the number of the
// event that granted it. Both grow for ever, across restarts.
import type { Mode, OwnerId, Want } from '../../locks/lock-table.ts';
import type { Base, Event } from './event.ts';
import type { WriteFinding } from './failure.ts';
import type { AttemptId, ProcessIdentity, RunId, TaskId } from './ids.ts';

export type LockEvent =
  | LockAcquired
  | LockWaiting
  | LockWaitEnded
  | LockReleased
  | LockRenewed
  | LockRefused
  | LockTried
  | DeadlockDetected
  | WorkSaved
  | FilesPutBack
  | WriteFound
  | NeedAdded
  | DeadlockResolved;

const types: ReadonlySet<string> = new Set<LockEvent['type']>([
  'lock-acquired',
  'lock-waiting',
  'lock-wait-ended',
  'lock-released',
  'lock-renewed',
  'lock-refused',
  'lock-tried',
  'deadlock-detected',
  'work-saved',
  'files-put-back',
  'write-found',
  'need-added',
  'deadlock-resolved',
]);

export const isLockEvent = <E extends Event>(event: E): event is Extract<E, { readonly type: LockEvent['type'] }> =>
  types.has(event.type);

/** The owner: an attempt of ours, or an agent that Signalbox did not start. `plan` is empty for the latter. */
export interface LockParty {
  readonly owner: OwnerId;
  readonly run?: RunId;
  readonly task?: TaskId;
  readonly attempt?: AttemptId;
  readonly token?: number;
  /** The name that an agent gave itself. With an attempt: the person who works on it by hand. */
  readonly agent?: string;
}

export interface LockAcquired extends Base<'lock-acquired'>, LockParty, LockLease {
  readonly resource: string;
  readonly mode: Mode;
  /** The request that waited for it; absent when it was free at once. */
  readonly ticket?: number;
  /** Earlier requests that it passes. */
  readonly passes?: readonly number[];
}

/** The lease of an agent that Signalbox did not start: how long it may be silent, or the process it is bound to. */
export interface LockLease {
  readonly until?: number;
  readonly process?: ProcessIdentity;
}

export interface LockWaiting extends Base<'lock-waiting'>, LockParty {
  /** The first one that is not free. */
  readonly resource: string;
  readonly wants: readonly Want[];
  /** Who is in the way, by name. */
  readonly blockedBy: readonly string[];
  /** The process that waits. The request ends with it. */
  readonly process: ProcessIdentity;
  /** The lease of the later grant, as in `lock-acquired`. */
  readonly until?: number;
  readonly boundTo?: ProcessIdentity;
}

/** The wait ended without a grant. */
export interface LockWaitEnded extends Base<'lock-wait-ended'>, LockParty {
  readonly ticket: number;
  readonly because: 'timeout' | 'died' | 'ended' | 'deadlock' | 'given-up';
}

export interface LockReleased extends Base<'lock-released'>, LockParty {
  readonly resource: string;
  readonly because: 'released' | 'ended' | 'deadlock' | 'expired' | 'died' | 'forced';
  /** Who forced it, and why. */
  readonly by?: string;
  readonly reason?: string;
}

/** Any call of an agent that Signalbox did not start renews its lease. */
export interface LockRenewed extends Base<'lock-renewed'>, LockParty {
  readonly until: number;
}

/** A deadlock in which no party may be stopped: the request that would close it was refused, or the last waiting one was ended. */
export interface LockRefused extends Base<'lock-refused'>, LockParty {
  readonly resource: string;
  /** It already waited, and something other than its request closed the cycle. */
  readonly ticket?: number;
  readonly cycle: readonly string[];
  readonly words: string;
}

/**
 * A `try` that got nothing, of an owner that others can wait for. The second one for the same within 30 s counts as waiting in the search
 * for cycles. Of those that follow, only some are recorded: enough to know that they go on.
 */
export interface LockTried extends Base<'lock-tried'>, LockParty {
  /** The first one that is not free. */
  readonly resource: string;
  readonly wants: readonly Want[];
  /** Who is in the way, by name. */
  readonly blockedBy: readonly string[];
}

export interface DeadlockDetected extends Base<'deadlock-detected'> {
  readonly run: RunId;
  /** By name, each waiting for the next, the last for the first. */
  readonly cycle: readonly string[];
  readonly words: string;
  readonly victim: AttemptId;
  readonly victimTask: TaskId;
  readonly token: number;
  /** What the victim waited for, and who holds it. */
  readonly blockedOn: string;
  readonly blocker: string;
  readonly blockerTask?: TaskId;
  readonly reason: string;
}

/** The files of a stopped attempt were saved; `saved` is null when it had changed nothing. */
export interface WorkSaved extends Base<'work-saved'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly saved: string | null;
  readonly files: number;
}

/** Its files were put back as they were before it locked them; `left` are those that could not be. */
export interface FilesPutBack extends Base<'files-put-back'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly left?: readonly string[];
}

/** A shell command of the attempt wrote to files that it had not locked. */
export interface WriteFound extends Base<'write-found'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly files: readonly WriteFinding[];
}

/** The task starts only after its blocker has ended or released the contended lock. Never cascades. */
export interface NeedAdded extends Base<'need-added'> {
  readonly task: TaskId;
  readonly on: string;
  readonly onTask?: TaskId;
  readonly owner: OwnerId;
  readonly resource: string;
}

export interface DeadlockResolved extends Base<'deadlock-resolved'> {
  readonly run: RunId;
  readonly victim: AttemptId;
  readonly victimTask: TaskId;
  readonly token: number;
}
