// What can be asked about locks, and what is answered.

import type { GraphOptions, WaitGraphReport } from '../graph/graph-reports.ts';

export interface LockDoor {
  try(resources: readonly string[], options: LockOptions): Promise<LockReport>;
  wait(resources: readonly string[], options: LockWaitOptions): Promise<LockReport>;
  release(resources: readonly string[], options: ReleaseOptions): Promise<ReleaseReport>;
  releaseAll(options: Pick<ReleaseOptions, 'agent'>): Promise<ReleaseReport>;
  check(resource: string, options: { readonly shared: boolean }): Promise<LockCheckReport>;
  list(): Promise<LockListReport>;
  /** Who waits for whom in the whole workspace, and, in a format, the picture of it. */
  waits(options: GraphOptions): Promise<WaitGraphReport>;
}

export interface LockOptions {
  /** Somebody's own name, outside of an attempt. */
  readonly agent?: string;
  readonly shared?: boolean;
  /** Binds the locks to a process: they go when it does. */
  readonly pid?: number;
}

export interface LockWaitOptions extends LockOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ReleaseOptions {
  readonly agent?: string;
  /** Takes it from whoever holds it; recorded with the reason. */
  readonly force?: { readonly reason: string };
}

export interface LockReport {
  /** `deadlock`: waiting would never end; `victim`: this attempt was stopped to end one; `over`: this attempt has ended. */
  readonly answer: 'granted' | 'busy' | 'timeout' | 'deadlock' | 'victim' | 'over' | 'interrupted';
  readonly owner: string;
  readonly resources: readonly string[];
  /** Who is in the way, and with what; empty when it was granted. */
  readonly holders: readonly LockHolder[];
  /** The deadlock in words. */
  readonly reason: string | null;
  /** What this owner would have to release first; empty unless waiting would be a deadlock. */
  readonly release: readonly string[];
  readonly waitedMs: number;
}

export interface LockHolder {
  readonly owner: string;
  readonly task: string | null;
  readonly plan: string | null;
  readonly resource: string;
  readonly does: 'holds' | 'waits';
  /** Since when; null for one that only waits. */
  readonly since: string | null;
  /** Absent: it is looked after, or was not started by Signalbox. */
  readonly unattended?: Unattended;
}

/**
 * An attempt whose runner is dead. `alone`: its own process may live. A run of the plan ends or goes on with it, and so frees its locks.
 * `asked`: it has ended, and a person is to say what becomes of it; with a run or without.
 */
export interface Unattended {
  readonly is: 'dead' | 'alone' | 'asked';
  readonly plan: string;
}

export interface ReleaseReport {
  readonly owner: string;
  readonly released: readonly string[];
  /** Asked for, and not held by this owner. */
  readonly notHeld: readonly string[];
}

export interface LockCheckReport {
  readonly resource: string;
  readonly free: boolean;
  readonly holders: readonly LockHolder[];
}

export interface LockListReport {
  readonly holds: readonly {
    readonly resource: string;
    readonly mode: 'exclusive' | 'shared';
    readonly owner: string;
    readonly task: string | null;
    readonly plan: string | null;
    readonly since: string;
    readonly fence: number;
    /** When it goes by itself; null: with its attempt or process. */
    readonly until: string | null;
    readonly unattended?: Unattended;
  }[];
  readonly waits: readonly {
    readonly resources: readonly string[];
    readonly owner: string;
    readonly task: string | null;
    readonly plan: string | null;
    readonly since: string;
    readonly blockedBy: readonly string[];
  }[];
  /** Cycles that are being resolved or that nobody may resolve, in words. */
  readonly deadlocks: readonly string[];
}

/** Everybody who waits for a lock in the workspace, and everybody in their way. */
export interface WaitReport {
  readonly parties: readonly WaitParty[];
  readonly waits: readonly WaitEdge[];
  /** Cycles, in words. */
  readonly deadlocks: readonly string[];
}

export interface WaitParty {
  /** Unique, unlike a name: two plans may have the same attempt. */
  readonly id: string;
  readonly name: string;
  readonly task: string | null;
  readonly plan: string | null;
  /** Of the task. */
  readonly title: string | null;
  readonly holds: readonly { readonly resource: string; readonly mode: 'exclusive' | 'shared' }[];
  readonly waitsFor: readonly {
    readonly resources: readonly string[];
    readonly since: string;
    /** 1: next in line. */
    readonly place: number;
  }[];
  /** It is being stopped, to end a deadlock or for another reason. */
  readonly ending: boolean;
  readonly inCycle: boolean;
}

export interface WaitEdge {
  readonly waiter: string;
  readonly blocker: string;
  /** What the waiter wants. */
  readonly resource: string;
  /** What the blocker has or wants of it: `src/a.ts` is in the way of `src/**`. */
  readonly theirs: string;
  /** `held`: the blocker has it; `behind`: it only came first. */
  readonly how: 'held' | 'behind';
  readonly inCycle: boolean;
}
