// The one door for all faces: every command and query of Signalbox, with what goes in and what comes out. Reports are plain
// data in the shapes of the contract's `--json`; a face only turns them into text. What cannot be done is thrown as a
// `Refusal`, trouble outside the program as an `Outage`.

import type { OnFailure, OpenDecision } from '../core/decision.ts';
import type { StoredEvent } from '../core/event.ts';
import type { Reason } from '../core/explain.ts';
import type { Failure } from '../core/failure.ts';
import type { ChangedPart } from '../core/match-revision.ts';
import type { Outcome, Summary } from '../core/outcome.ts';
import type { LastRun } from '../core/plan-status.ts';
import type { Status, StatusCounts } from '../core/state.ts';
import type { BlockedTask } from '../core/stuck.ts';
import type { AttemptsReport, DecisionDoor } from './decisions/decision-reports.ts';
import type { DryRunConflict, DryRunReport, DryRunTask } from './dry-run-reports.ts';
import type {
  GraphEdge,
  GraphFormat,
  GraphNode,
  GraphOptions,
  GraphPicture,
  GraphReport,
  WaitGraphReport,
} from './graph/graph-reports.ts';
import type { HandDoor } from './hand/hand-reports.ts';
import type {
  LockCheckReport,
  LockDoor,
  LockHolder,
  LockListReport,
  LockReport,
  ReleaseReport,
  WaitEdge,
  WaitParty,
  WaitReport,
} from './locks/lock-reports.ts';
import type { CheckReport, FormatOptions, FormatReport, ImportOptions, ImportReport } from './plan-reports.ts';
import type { SavedListReport, SavedRestoreOptions, SavedRestoreReport, SavedShowReport } from './saved-reports.ts';
import type { SyncReport, ValidateOptions, ValidateReport } from './validate/validate-report.ts';
import type { VerifiedCheck, VerifyOptions, VerifyReport } from './verify/verify-reports.ts';

export interface Signalbox {
  /** The workspace's root folder. */
  readonly root: string;

  check(plan: string): Promise<CheckReport>;
  /** A plan in the native form, with the same meaning. Without `write` nothing is changed. */
  format(plan: string, options: FormatOptions): Promise<FormatReport>;
  /** A native plan from another tool's file, given out or written to a new file. */
  import(tool: string, source: string, options: ImportOptions): Promise<ImportReport>;
  run(plan: string | undefined, options: RunOptions): Promise<RunReport>;
  /** What a run would do first, without doing it or keeping anything. */
  dryRun(plan: string | undefined, options: SelectOptions): Promise<DryRunReport>;
  status(plan?: string, options?: StatusOptions): Promise<StatusReport>;
  /** The status now, and again each time it has changed, until `signal` is aborted. */
  statusChanges(
    plan: string | undefined,
    options: StatusOptions & { readonly signal?: AbortSignal },
  ): AsyncIterable<StatusReport>;
  /** The counts alone: for prompts and status lines, which ask often. */
  progress(plan?: string): Promise<ProgressReport>;
  /** Who waits for whom, and, in a format, the picture of it. */
  graph(plan: string | undefined, options: GraphOptions): Promise<GraphReport>;
  next(plan: string | undefined, most: number): Promise<NextReport>;
  why(plan: string | undefined, task: string): Promise<WhyReport>;
  /** Tasks that have failed, with the attempts they have left. */
  attempts(plan: string | undefined): Promise<AttemptsReport>;
  plans(): Promise<PlansReport>;
  /** The log, oldest first; with `follow` it goes on until `signal` is aborted. */
  events(plan: string | undefined, options: EventsOptions): AsyncIterable<StoredEvent>;
  /** What an attempt printed, raw; with `follow` until the attempt has ended. */
  logs(plan: string | undefined, task: string, options: LogsOptions): AsyncIterable<LogChunk>;

  /** Makes a plan the one that commands mean when none is named. */
  set(plan: string): Promise<SetReport>;
  retry(plan: string | undefined, tasks: readonly string[], options: RetryOptions): Promise<SteerReport>;
  skip(plan: string | undefined, tasks: readonly string[], options: SkipOptions): Promise<SteerReport>;
  suspend(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport>;
  /** Without tasks: lets a paused plan go on. With tasks: resumes suspended ones. */
  resume(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport>;
  pause(plan: string | undefined, options: SteerOptions): Promise<SteerReport>;
  stop(plan: string | undefined, options: SteerOptions & { readonly kill?: boolean }): Promise<SteerReport>;
  /** Takes the plan file as it is now, also where it contradicts what was done. */
  reload(plan: string | undefined): Promise<ReloadReport>;

  /** Work of attempts that were ended in the middle of it. */
  savedList(): Promise<SavedListReport>;
  savedShow(id: string): Promise<SavedShowReport>;
  /** Writes the saved files back into the workspace, or into another folder. */
  savedRestore(id: string, options: SavedRestoreOptions): Promise<SavedRestoreReport>;

  /** Runs every check of what is completed once more; records nothing. */
  verify(plan: string | undefined, options: VerifyOptions): Promise<VerifyReport>;

  /** Locks on files and other things, for agents and people. */
  locks(): Promise<LockDoor>;

  /** Questions that only a person may answer, and verdicts of people. */
  decisions(): Promise<DecisionDoor>;

  /** Tasks marked by people and agents that no runner looks after. */
  hand(): Promise<HandDoor>;

  /** What a run depends on and does not control. With `fix`, what can be put right safely is. */
  doctor(options: { readonly fix: boolean }): Promise<DoctorReport>;

  /** Log, snapshot, locks and files against each other. With `fix`, what can be made again from something whole is. */
  validate(options: ValidateOptions): Promise<ValidateReport>;
  /** The plan file against what was loaded of it. */
  syncCheck(plan: string | undefined): Promise<SyncReport>;

  close(): Promise<void>;
}

export type { CheckReport, FormatOptions, FormatReport, ImportOptions, ImportReport } from './plan-reports.ts';

/** What a run is about; without either, all of the plan. */
export interface SelectOptions {
  readonly maxParallel?: number;
  /** These tasks and groups. */
  readonly only?: readonly string[];
  /** This task and whatever cannot start before it has ended. */
  readonly from?: string;
}

export interface RunOptions extends SelectOptions {
  /** Writes boxes of tasks that have ended back into the plan file. */
  readonly tick?: boolean;
  /** False: nobody is stopped in this run because of a deadlock. */
  readonly detectDeadlocks?: boolean;
  /** What is done about final failures, over what the plan says. */
  readonly onFailure?: OnFailure;
  /** Go on in this process with what another one runs, without stopping its attempts. */
  readonly takeOver?: boolean;
  /** After so many completed tasks a fresh process takes over, started with the same command line. */
  readonly refresh?: {
    /** Absent: what the settings say. */
    readonly after?: number;
    readonly argv: readonly string[];
    /** It was started; its exit code is that of the run. */
    readonly onSuccessor: (exitCode: Promise<number>) => void;
  };
  /** How long questions may stay open before the run goes on without an answer; absent: it does not wait for answers. */
  readonly decideWithinMs?: number;
  /** Every event of the plan from the start of the run on, in order, after it is durable. */
  readonly onEvents?: (events: readonly StoredEvent[]) => void;
  /** News that are no events: warnings about the plan, a database kept aside; as a mere remark, the order that was assumed. */
  readonly onNotice?: (text: string, kind: 'warning' | 'remark') => void;
  /** Asked for again and again: the interrupts of the person. The first drains, the second stops, the third kills. */
  readonly onInterruptible?: (stop: (mode: 'drain' | 'stop' | 'kill', exitCode: 130 | 143) => void) => void;
}

export interface RunReport {
  readonly plan: string;
  readonly run: string;
  readonly seq: number;
  readonly at: number;
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly summary: Summary;
  readonly blocked: readonly BlockedTask[];
  /** Tasks that failed for good, optional ones too. */
  readonly failed: readonly {
    readonly task: string;
    readonly failure: Failure;
    readonly optional: boolean;
    readonly log: string | null;
    /** The last lines it printed, as they are. */
    readonly tail: readonly string[];
  }[];
  readonly skipped: readonly string[];
  /** Asked and not answered. */
  readonly decisions: readonly OpenDecision[];
  readonly durationMs: number;
}

export type {
  DecisionDoor,
  DryRunConflict,
  DryRunReport,
  DryRunTask,
  GraphEdge,
  GraphFormat,
  GraphNode,
  GraphOptions,
  GraphPicture,
  GraphReport,
  LockCheckReport,
  LockDoor,
  LockHolder,
  LockListReport,
  LockReport,
  ReleaseReport,
  SavedListReport,
  SavedRestoreOptions,
  SavedRestoreReport,
  SavedShowReport,
  SyncReport,
  ValidateOptions,
  ValidateReport,
  VerifiedCheck,
  VerifyOptions,
  VerifyReport,
  WaitEdge,
  WaitGraphReport,
  WaitParty,
  WaitReport,
};

export interface StatusOptions {
  /** In a plan of more tasks, those that are completed or only wait for their turn are counted and not listed. */
  readonly foldAbove?: number;
}

/** Where a plan stands. */
interface Standing {
  readonly plan: string;
  readonly title: string;
  /** Of the last run; null while one goes on and before the first. */
  readonly outcome: Outcome | null;
  readonly running: boolean;
  readonly paused: boolean;
  /** As in `status.json`: of the whole plan, whatever the last run was about. */
  readonly planStatus: Status;
  readonly lastRun: LastRun;
  readonly summary: Summary;
}

export interface StatusReport extends Standing {
  readonly tasks: readonly TaskReport[];
  /** Only when tasks were left out of the list: how many, by phase. */
  readonly folded?: readonly FoldedPhase[];
  /** Asked and not answered. */
  readonly decisions: readonly OpenDecision[];
}

export interface FoldedPhase {
  readonly phase: string;
  readonly counts: Readonly<StatusCounts>;
}

export interface ProgressReport extends Standing {
  /** Completed and skipped tasks of all, in whole percent: 100 only when all are, and 0 only when none is. */
  readonly percent: number;
}

export interface TaskReport {
  readonly id: string;
  readonly title: string;
  readonly phase: string;
  /** The group around it. */
  readonly parent?: string;
  readonly group?: true;
  readonly optional?: true;
  /** Added by Signalbox: the check or review of a group, the check of a phase, the last step of the plan. Counts in no summary. */
  readonly closes?: 'group' | 'phase' | 'plan';
  readonly status: Status;
  /** Of a task in progress. */
  readonly stage: Stage | null;
  readonly attempts: number;
  readonly needs: readonly string[];
  readonly prefers: readonly string[];
  /** Root causes of a blocked task. */
  readonly blockedBy: readonly string[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly retryAt: string | null;
  readonly failure: Failure | null;
  /** What whoever did it says about it, and why an attempt was stopped before it. */
  readonly notes?: string;
  /** Where what the debugging agent found out is kept. */
  readonly finding?: string;
  readonly by: string | null;
  readonly reason: string | null;
}

export type Stage = 'running' | 'checking' | 'reviewing';

export interface NextReport {
  readonly plan: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly phase: string;
    /** Failed ones may be tried again, and come last. */
    readonly status: 'pending' | 'failed';
    /** Pools that are full, and what it wants to lock and others have. */
    readonly waitsFor: readonly string[];
  }[];
}

export interface WhyReport {
  readonly plan: string;
  readonly task: string;
  readonly title: string;
  readonly status: Status;
  readonly reasons: readonly Reason[];
  /** As in `status`. */
  readonly notes?: string;
  /** Where what the debugging agent found out is kept. */
  readonly finding?: string;
  /** Failed tasks among the reasons that have left no log, as what was done by hand. */
  readonly unlogged?: readonly string[];
  /** Whether a run of this plan goes on. */
  readonly running: boolean;
}

export interface PlansReport {
  readonly current: string | null;
  readonly plans: readonly {
    readonly plan: string;
    readonly title: string;
    readonly outcome: Outcome | null;
    readonly running: boolean;
    readonly paused: boolean;
    readonly planStatus: Status;
    readonly lastRun: LastRun;
    readonly summary: Summary;
    readonly changedAt: string;
  }[];
}

export interface EventsOptions {
  readonly after?: number;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

export interface LogsOptions {
  /** Which attempt; the last one by default. */
  readonly attempt?: number;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

export interface LogChunk {
  readonly attempt: string;
  readonly text: string;
}

export interface SteerOptions {
  readonly reason?: string;
}

/** The reason is for whoever tries it again. */
export interface RetryOptions extends SteerOptions {
  /** What is completed too, by a decision that has this reason. */
  readonly forced?: SteerOptions;
}

export interface SkipOptions extends SteerOptions {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}

export interface SteerReport {
  readonly plan: string;
  /** What was recorded. */
  readonly events: readonly StoredEvent[];
  /** Whether a run goes on that will act on it. */
  readonly running: boolean;
}

export interface SetReport {
  readonly plan: string;
  readonly file: string;
}

export interface ReloadReport {
  readonly plan: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly changed: readonly string[];
  readonly planChanges: readonly ChangedPart[];
  /** Changed although they have a history. */
  readonly rewritten: readonly string[];
}

export interface DoctorReport {
  readonly root: string;
  /** Nothing is broken; there may be warnings. */
  readonly ok: boolean;
  readonly checks: readonly DoctorCheck[];
}

export interface DoctorCheck {
  /** Stable: `sqlite`, `journals`, `agent:NAME`. */
  readonly id: string;
  readonly status: 'ok' | 'warning' | 'broken';
  readonly message: string;
  /** The way out. */
  readonly help?: string;
  /** It was put right just now. */
  readonly fixed?: true;
}
