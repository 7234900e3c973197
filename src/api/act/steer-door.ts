// The door to steering: what people tell a plan and its tasks.
import type { ResetReport, SteerReport } from '../reports/steering.ts';

export interface SteerDoor {
  retry(plan: string | undefined, tasks: readonly string[], options: RetryOptions): Promise<SteerReport>;
  skip(plan: string | undefined, tasks: readonly string[], options: SkipOptions): Promise<SteerReport>;
  /** With a question: one task, or none for the task of the attempt that calls. A person has to answer it. */
  suspend(plan: string | undefined, tasks: readonly string[], options: SuspendOptions): Promise<SteerReport>;
  /** Without tasks: lets a paused plan go on. With tasks: resumes suspended ones; the reason is for their next attempts. */
  resume(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport>;
  pause(plan: string | undefined, options: SteerOptions): Promise<SteerReport>;
  stop(plan: string | undefined, options: SteerOptions & { readonly kill?: boolean }): Promise<SteerReport>;
  /** Starts a plan over: what was recorded is kept aside. Without `yes` it only says what would happen. */
  reset(plan: string | undefined, options: ResetOptions): Promise<ResetReport>;
}

export interface SteerOptions {
  readonly reason?: string;
}

export interface ResetOptions {
  readonly yes?: boolean;
}

export interface SuspendOptions extends SteerOptions {
  readonly question?: string;
}

/** The reason is shown to the next attempt. */
export interface RetryOptions extends SteerOptions {
  /** Also retries completed tasks; recorded as a decision with this reason. */
  readonly forced?: SteerOptions;
}

export interface SkipOptions extends SteerOptions {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}
