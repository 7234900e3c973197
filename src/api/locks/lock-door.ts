// The door to locks: what can be asked, and with which options.

import type { WaitGraphReport } from '../reports/graph.ts';
import type { LockCheckReport, LockListReport, LockReport, ReleaseReport } from '../reports/locks.ts';
import type { GraphOptions } from '../signalbox.ts';

export interface LockDoor {
  try(resources: readonly string[], options: LockOptions): Promise<LockReport>;
  wait(resources: readonly string[], options: LockWaitOptions): Promise<LockReport>;
  release(resources: readonly string[], options: ReleaseOptions): Promise<ReleaseReport>;
  releaseAll(options: Pick<ReleaseOptions, 'agent'>): Promise<ReleaseReport>;
  /**
   * Any call of a guest renews its lease: for calls that ask for no lock. Writes only if the guest holds or waits for one and half of the
   * lease is gone; creates no state. Tells whether it was renewed.
   */
  signOfLife(options: Pick<LockOptions, 'agent'>): Promise<boolean>;
  /** Somebody by a name goes: gives up what it waits for, and releases what it holds, but not what belongs to a task in its hands. */
  leave(options: Pick<ReleaseOptions, 'agent'>): Promise<ReleaseReport>;
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
  /** A request that would close a deadlock is refused, also where an attempt could be stopped instead. */
  readonly yields?: boolean;
  readonly signal?: AbortSignal;
}

export interface ReleaseOptions {
  readonly agent?: string;
  /** Takes it from whoever holds it; recorded with the reason. */
  readonly force?: { readonly reason: string };
}
