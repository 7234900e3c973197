// The door to steering: what people tell a plan and its tasks.
import type { SteerReport } from '../reports/steering.ts';

export interface SteerDoor {
  retry(plan: string | undefined, tasks: readonly string[], options: RetryOptions): Promise<SteerReport>;
  skip(plan: string | undefined, tasks: readonly string[], options: SkipOptions): Promise<SteerReport>;
  suspend(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport>;
  /** Without tasks: lets a paused plan go on. With tasks: resumes suspended ones. */
  resume(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport>;
  pause(plan: string | undefined, options: SteerOptions): Promise<SteerReport>;
  stop(plan: string | undefined, options: SteerOptions & { readonly kill?: boolean }): Promise<SteerReport>;
}

export interface SteerOptions {
  readonly reason?: string;
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
