// What is recorded about locks. The number of the event that put a request into the queue is its ticket, the number of the one
// that granted a lock its fencing token: both grow for ever, across restarts.
import type { Mode, OwnerId, Want } from '../locks/lock-table.ts';
import type { Base, Event } from './event.ts';
import type { AttemptId, ProcessIdentity, RunId, TaskId } from './ids.ts';

export type LockEvent =
  | LockAcquired
  | LockWaiting
  | LockWaitEnded
  | LockReleased
  | LockRenewed
  | LockRefused
  | DeadlockDetected
  | WorkSaved
  | FilesPutBack
  | NeedAdded
  | DeadlockResolved;

const types: ReadonlySet<string> = new Set<LockEvent['type']>([
  'lock-acquired',
  'lock-waiting',
  'lock-wait-ended',
  'lock-released',
  'lock-renewed',
  'lock-refused',
  'deadlock-detected',
  'work-saved',
  'files-put-back',
  'need-added',
  'deadlock-resolved',
]);

export const isLockEvent = <E extends Event>(event: E): event is Extract<E, { readonly type: LockEvent['type'] }> =>
  types.has(event.type);

/** Who: an attempt of ours, or somebody whom Signalbox did not start. `plan` is empty for the latter. */
export interface LockParty {
  readonly owner: OwnerId;
  readonly run?: RunId;
  readonly task?: TaskId;
  readonly attempt?: AttemptId;
  readonly token?: number;
  /** A name that somebody gave themselves; beside an attempt, whoever works on it by hand. */
  readonly agent?: string;
}

export interface LockAcquired extends Base<'lock-acquired'>, LockParty, LockLease {
  readonly resource: string;
  readonly mode: Mode;
  /** The request that waited for it; absent when it was free at once. */
  readonly ticket?: number;
  /** Requests before it in the queue that it goes ahead of. */
  readonly passes?: readonly number[];
}

/** How long somebody whom Signalbox did not start keeps a lock without a word, or the process it is bound to. */
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
  /** The process that waits: with it, the request ends. */
  readonly process: ProcessIdentity;
  /** How somebody whom Signalbox did not start keeps what they then get, as in `lock-acquired`. */
  readonly until?: number;
  readonly boundTo?: ProcessIdentity;
}

/** Without having got anything. */
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

/** Any call of somebody whom Signalbox did not start says that they are still there. */
export interface LockRenewed extends Base<'lock-renewed'>, LockParty {
  readonly until: number;
}

/** A deadlock that nobody may be stopped for: the request that would have closed it was not taken, or the last one in it was ended. */
export interface LockRefused extends Base<'lock-refused'>, LockParty {
  readonly resource: string;
  /** It waited already, and something else than its request closed the circle. */
  readonly ticket?: number;
  readonly cycle: readonly string[];
  readonly words: string;
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

/** What an attempt that was stopped had made of its files lies aside; `saved` is null when it had changed nothing. */
export interface WorkSaved extends Base<'work-saved'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly saved: string | null;
  readonly files: number;
}

/** Its files are again what they were before it took them; `left` are those that could not be put back. */
export interface FilesPutBack extends Base<'files-put-back'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly left?: readonly string[];
}

/** The task starts only when its blocker has ended, or no longer holds what was contended. Never cascades. */
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
