// The door to work by hand. The same rules as in a run, and the same log.
import type { OutputPlaces } from '../../status/output-places.ts';
import type { StatusFile } from '../../status/status-file.ts';
import type { FindingsReport, HandRunReport, MarkReport, StuckReport } from '../reports/hand.ts';

export interface HandDoor {
  markStarted(plan: string | undefined, task: string, options: KeyedMarkOptions): Promise<MarkReport>;
  /** Runs the checks of the task first; records nothing unless all are green. */
  markCompleted(plan: string | undefined, task: string, options: CompleteOptions): Promise<MarkReport>;
  markFailed(plan: string | undefined, task: string, options: FailOptions): Promise<MarkReport>;
  markSkipped(plan: string | undefined, task: string, options: SkipMarkOptions): Promise<MarkReport>;
  /** Replaces what was written about the task, or adds to it. */
  writeFindings(plan: string | undefined, task: string, options: WriteFindingsOptions): Promise<FindingsReport>;
  readFindings(plan: string | undefined, task: string): Promise<FindingsReport>;
  /** Null: nothing was written about it. */
  findFindings(plan: string | undefined, task: string): Promise<FindingsReport | null>;
  startRun(plan: string | undefined): Promise<HandRunReport>;
  /** Without a run: the one by hand that goes on. */
  completeRun(plan: string | undefined, run?: string): Promise<HandRunReport>;
  detectStuck(plan: string | undefined, options: DetectStuckOptions): Promise<StuckReport>;
  /** Where the plan's files for other programs lie: absolute paths. */
  outputs(plan: string | undefined): Promise<OutputPlaces>;
  /** Creates the state of the plan if there is none, and its status.json. */
  load(plan: string | undefined): Promise<void>;
  /** What status.json says, from the log itself. */
  statusFile(plan: string | undefined): Promise<StatusFile>;
  /** Plan files that exist; known plans first. */
  planFiles(): Promise<readonly string[]>;
}

export interface MarkOptions {
  readonly reason?: string;
  /** Against the rules: recorded as a decision. */
  readonly force?: boolean;
}

export interface KeyedMarkOptions extends MarkOptions {
  /** The caller's key for this call: repeating it with the same key after it succeeded records nothing again. */
  readonly request?: string;
}

export interface CompleteOptions extends KeyedMarkOptions {
  readonly notes?: string;
  /** Leave the checks out: recorded as a decision. */
  readonly withoutChecks?: boolean;
  /** What the checks print, as it comes. */
  readonly onOutput?: (text: string) => void;
  readonly onCheck?: (command: string) => void;
  readonly signal?: AbortSignal;
}

export interface FailOptions extends KeyedMarkOptions {
  readonly error: string;
}

export interface SkipMarkOptions extends MarkOptions {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}

/** The text itself, or the file that it is in. */
export type WriteFindingsOptions = { readonly append?: boolean } & (
  | { readonly text: string }
  | { readonly file: string }
);

export interface DetectStuckOptions {
  /** Fail them. */
  readonly mark?: boolean;
  /** How long somebody may be silent; 30 minutes by default. */
  readonly limitMs?: number;
}
