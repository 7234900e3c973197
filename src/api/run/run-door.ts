// The door to runs of other processes: followed from here, or started to go on without this one.
import type { StoredEvent } from '../../core/model/event.ts';
import type { DetachReport, RunReport } from '../reports/run.ts';
import type { RunOptions } from '../signalbox.ts';

export interface RunDoor {
  /** Follows the run that is going on until it ends; where none is, tells how the last one ended. */
  attach(plan: string | undefined, options: AttachOptions): Promise<Attached>;
  /** Starts a run in a process of its own, without a terminal. Resolves when it has begun, or was refused. */
  detach(plan: string | undefined, options: DetachOptions): Promise<Detached>;
}

export interface FollowedRun {
  readonly run: string;
  readonly pid: number;
  readonly begunAt: number;
}

export interface AttachOptions {
  /** A run is going on, and is followed from here on. */
  readonly onBegin?: (run: FollowedRun) => void | Promise<void>;
  readonly onEvents?: (events: readonly StoredEvent[]) => void;
  /** The reader goes away; the run goes on. */
  readonly signal?: AbortSignal;
}

export type Attached =
  | (FollowedRun & { readonly kind: 'ended'; readonly report: RunReport })
  /** Its process was killed, and could not say so: the report is what the log knows. */
  | (FollowedRun & { readonly kind: 'died'; readonly report: RunReport })
  | { readonly kind: 'left'; readonly plan: string };

export interface DetachOptions {
  /** The command line of the run, without the program's name. */
  readonly argv: readonly string[];
  /** The same as options: what refuses the first run of a workspace does so before anything is made. */
  readonly options: RunOptions;
}

export type Detached =
  | { readonly kind: 'begun'; readonly report: DetachReport }
  /** What it printed before it ended. */
  | { readonly kind: 'refused'; readonly exitCode: number; readonly printed: string };
