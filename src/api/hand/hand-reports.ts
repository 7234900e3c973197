// Driving a plan by hand: what goes in and what comes out. The same rules as a run's, and the same log.
import type { StoredEvent } from '../../core/event.ts';
import type { Failure } from '../../core/failure.ts';
import type { Status } from '../../core/state.ts';
import type { OutputPlaces } from '../../status/output-places.ts';
import type { StatusFile } from '../../status/status-file.ts';

export interface HandDoor {
  markStarted(plan: string | undefined, task: string, options: MarkOptions): Promise<MarkReport>;
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
  /** Where the files of the plan lie that other programs read: absolute. */
  outputs(plan: string | undefined): Promise<OutputPlaces>;
  /** Creates the state of the plan if there is none, and its status.json. */
  load(plan: string | undefined): Promise<void>;
  /** What status.json says, from the log itself. */
  statusFile(plan: string | undefined, describeFailure: (failure: Failure) => string): Promise<StatusFile>;
  /** Plan files that are there, those that are known first. */
  planFiles(): Promise<readonly string[]>;
}

export interface MarkOptions {
  readonly reason?: string;
  /** Against the rules: recorded as a decision. */
  readonly force?: boolean;
}

export interface CompleteOptions extends MarkOptions {
  readonly notes?: string;
  /** Leave the checks out: recorded as a decision. */
  readonly withoutChecks?: boolean;
  /** What the checks print, as it comes. */
  readonly onOutput?: (text: string) => void;
  readonly onCheck?: (command: string) => void;
  readonly signal?: AbortSignal;
}

export interface FailOptions extends MarkOptions {
  readonly error: string;
}

export interface SkipMarkOptions extends MarkOptions {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}

export interface MarkReport {
  readonly plan: string;
  readonly task: string;
  /** False: a check was not green, and nothing was recorded. */
  readonly ok: boolean;
  readonly status: Status;
  /** The attempt by hand that it is about; null where there was none. */
  readonly attempt: string | null;
  readonly checks: readonly CheckReport[];
  /** What was recorded. */
  readonly events: readonly StoredEvent[];
  /** Whether a run of this plan goes on. */
  readonly running: boolean;
}

export interface CheckReport {
  readonly command: string;
  readonly green: boolean;
  readonly exitCode: number | null;
  readonly because: 'ended' | 'timeout' | 'interrupted';
  readonly durationMs: number;
  /** The last of what it printed. */
  readonly tail: string;
}

export interface WriteFindingsOptions {
  /** Where the text is: a file, or the text itself; absent: the standard input. */
  readonly file?: string;
  readonly text?: string;
  readonly append?: boolean;
}

export interface FindingsReport {
  readonly plan: string;
  readonly task: string;
  readonly file: string;
  readonly text: string;
}

export interface HandRunReport {
  readonly plan: string;
  readonly run: string;
  readonly startedAt: string;
  /** Null: it goes on. */
  readonly completedAt: string | null;
  readonly completed: number;
  readonly failed: number;
}

export interface DetectStuckOptions {
  /** Fail them. */
  readonly mark?: boolean;
  /** How long somebody may be silent; 30 minutes by default. */
  readonly limitMs?: number;
}

export interface StuckReport {
  readonly plan: string;
  readonly limitMs: number;
  /** Attempts, and tasks that were started by hand, that were looked at. */
  readonly watched: number;
  readonly stuck: readonly StuckTask[];
}

export interface StuckTask {
  readonly task: string;
  readonly attempt: string;
  /** Its process is gone; its host is not heard of; it prints nothing; whoever works on it by hand has not called. */
  readonly kind: 'gone' | 'host' | 'silent' | 'hand';
  readonly by: string | null;
  readonly lastSign: string;
  readonly silentMs: number;
  readonly message: string;
  /** It ended, and not badly, as far as is known: it is not failed, because the next run takes its result in. */
  readonly waitsForRun: boolean;
  /** It was failed just now. */
  readonly marked: boolean;
  /** What it had made of its files was not put back: the next run does. */
  readonly filesLeft: boolean;
}
