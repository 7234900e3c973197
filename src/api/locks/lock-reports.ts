// What can be asked about locks, and what is answered.

export interface LockDoor {
  try(resources: readonly string[], options: LockOptions): Promise<LockReport>;
  wait(resources: readonly string[], options: LockWaitOptions): Promise<LockReport>;
  release(resources: readonly string[], options: ReleaseOptions): Promise<ReleaseReport>;
  releaseAll(options: Pick<ReleaseOptions, 'agent'>): Promise<ReleaseReport>;
  check(resource: string, options: { readonly shared: boolean }): Promise<LockCheckReport>;
  list(): Promise<LockListReport>;
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
