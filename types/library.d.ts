// The library of Signalbox. Every function that names a plan takes its path relative to `cwd`, opens the workspace around that folder, and
// closes it again. What cannot be done is thrown as a `Refusal`, trouble with disk or database as an `Outage`; then nothing was recorded.

export type Status = 'pending' | 'in_progress' | 'completed' | 'failed' | 'blocked' | 'suspended' | 'skipped';
export type Outcome = 'complete' | 'failed' | 'stuck' | 'waiting' | 'paused' | 'aborted';

export interface Options {
  /** The workspace is looked for from here upward; the current folder by default. */
  readonly cwd?: string;
  /** Who does it, for the log; SIGNALBOX_AGENT or the user by default. */
  readonly by?: string;
}

/** The plan that commands mean when none is named, relative to the workspace; null: none was set. */
export function getActivePlanPath(options?: Options): Promise<string | null>;
/** The folder of what other programs read of the plan: absolute. */
export function getOutputDir(plan: string, options?: Options): Promise<string>;
export function getStatusPath(plan: string, options?: Options): Promise<string>;

/** What status.json says, made from the log itself; creates nothing. */
export function loadStatus(plan: string, options?: Options): Promise<PlanStatus>;
/** Creates the state of the plan if there is none. What is done stays done. */
export function initializePlanStatus(plan: string, options?: Options): Promise<PlanStatus>;

export interface MarkOptions extends Options {
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
  readonly signal?: AbortSignal;
}
export interface SkipOptions extends MarkOptions {
  /** Skip what needs it too. */
  readonly dependents?: boolean;
  /** Let what needs it go on. */
  readonly treatAsDone?: boolean;
}
/** Ids may be abbreviated while only one task begins so. */
export function markTaskStarted(plan: string, task: string, options?: MarkOptions): Promise<MarkReport>;
/** Runs the checks of the task first; `ok` is false, and nothing recorded, unless all are green. */
export function markTaskCompleted(plan: string, task: string, options?: CompleteOptions): Promise<MarkReport>;
/** It counts as an attempt. */
export function markTaskFailed(plan: string, task: string, error: string, options?: MarkOptions): Promise<MarkReport>;
/** Where others need it, one of `dependents` and `treatAsDone` has to be said. */
export function markTaskSkipped(plan: string, task: string, options?: SkipOptions): Promise<MarkReport>;

/** By priority, then the current phase, then age; failed ones with attempts left come last. Five by default. */
export function getNextTasks(plan: string, count?: number, options?: Options): Promise<readonly NextTask[]>;
export function getProgress(plan: string, options?: Options): Promise<Progress>;
export function getStatusSummary(plan: string, options?: Options): Promise<StatusSummary>;

export interface FindingsOptions extends Options {
  /** Behind what is there already, instead of in its place. */
  readonly append?: boolean;
}
/** Returns the file that was written: absolute. */
export function writeFindings(plan: string, task: string, text: string, options?: FindingsOptions): Promise<string>;
/** Null: nothing was written about it. */
export function readFindings(plan: string, task: string, options?: Options): Promise<string | null>;

/** Begins a run by hand and returns its name. */
export function startRun(plan: string, options?: Options): Promise<string>;
/** Without a run: the one by hand that goes on. */
export function completeRun(plan: string, run?: string, options?: Options): Promise<RunReport>;

export interface Summary {
  readonly totalTasks: number;
  readonly completed: number;
  readonly pending: number;
  readonly in_progress: number;
  readonly failed: number;
  readonly blocked: number;
  readonly suspended: number;
  readonly skipped: number;
}

export interface MarkReport {
  readonly plan: string;
  readonly task: string;
  /** False: a check was not green, and nothing was recorded. */
  readonly ok: boolean;
  readonly status: Status;
  readonly attempt: string | null;
  readonly checks: readonly {
    readonly command: string;
    readonly green: boolean;
    readonly exitCode: number | null;
    readonly because: 'ended' | 'timeout' | 'interrupted';
    readonly durationMs: number;
    readonly tail: string;
  }[];
  /** What was recorded. */
  readonly events: readonly { readonly type: string; readonly seq: number; readonly at: number }[];
  /** Whether a run of this plan goes on. */
  readonly running: boolean;
}

export interface NextTask {
  readonly id: string;
  readonly title: string;
  readonly phase: string;
  readonly status: 'pending' | 'failed';
  /** Pools that are full, and what it wants to lock and others have. */
  readonly waitsFor: readonly string[];
}

export interface Progress {
  readonly plan: string;
  readonly title: string;
  readonly outcome: Outcome | null;
  readonly running: boolean;
  readonly paused: boolean;
  readonly percent: number;
  readonly summary: Summary;
}

export interface StatusSummary {
  readonly plan: string;
  readonly title: string;
  readonly outcome: Outcome | null;
  readonly running: boolean;
  readonly paused: boolean;
  readonly summary: Summary;
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly phase: string;
    readonly status: Status;
    readonly attempts: number;
    readonly needs: readonly string[];
    readonly prefers: readonly string[];
    readonly blockedBy: readonly string[];
  }[];
}

export interface RunReport {
  readonly plan: string;
  readonly run: string;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly completed: number;
  readonly failed: number;
}

/** status.json, described by schema/status.json. */
export interface PlanStatus {
  readonly schemaVersion: number;
  readonly seq: number;
  readonly planPath: string;
  readonly planName: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly currentPhase: string | null;
  readonly planStatus: Status;
  readonly outcome: Outcome | null;
  readonly summary: Summary;
  readonly tasks: readonly {
    readonly id: string;
    readonly phase: string;
    readonly description: string;
    readonly status: Status;
    readonly startedAt: string | null;
    readonly completedAt: string | null;
    readonly duration: number | null;
    readonly notes: string | null;
    readonly lastError: string | null;
    readonly lastErrorAt: string | null;
    readonly retryCount: number;
    readonly stuckDetected: boolean;
    readonly attempts: number;
    readonly blockedBy: readonly string[];
    readonly blockedAt: string | null;
  }[];
  readonly runs: readonly {
    readonly runId: string;
    readonly startedAt: string;
    readonly completedAt: string | null;
    readonly tasksCompleted: number;
    readonly tasksFailed: number;
  }[];
}

/** A clear no, with the exit code that the command would have. */
export class Refusal extends Error {
  readonly exitCode: number;
  /** What to do instead. */
  readonly instead: string | undefined;
}
/** Something is wrong outside the program: the disk, the database. */
export class Outage extends Error {
  readonly kind: string;
}

// The rules of the core, for lists of tasks that a program has in memory. Pure: no files, no clock.

export interface ListedTask {
  readonly id: string;
  /** Pending by default. `blocked` is derived: whoever says so means pending. */
  readonly status?: Status;
  readonly needs?: readonly string[];
  readonly prefers?: readonly string[];
  readonly priority?: number;
  readonly model?: string;
  readonly uses?: readonly string[];
  readonly optional?: boolean;
  /** A task that was skipped and counts as done. */
  readonly treatAsDone?: boolean;
  readonly subtasks?: readonly ListedTask[];
}

export interface PlanDeadlock {
  /** Something is left, nothing runs, and nothing can ever start. */
  readonly deadlocked: boolean;
  /** Nothing is left, and no required task failed. */
  readonly complete: boolean;
  /** What is left and cannot start, with what is to blame, however far away. */
  readonly blocked: readonly {
    readonly task: string;
    readonly causes: readonly { readonly task: string; readonly status: Status | 'cycle' | 'unknown-need' }[];
  }[];
  /** Tasks that wait for each other. */
  readonly cycles: readonly (readonly string[])[];
  /** Needs that no task of the list has. */
  readonly unknown: readonly { readonly task: string; readonly need: string }[];
}
export function detectPlanDeadlock(tasks: readonly ListedTask[]): PlanDeadlock;

/** Leaves whose needs are all completed; best first. */
export function findReadyTasks<T extends ListedTask>(tasks: readonly T[]): T[];

/** How many of the ready tasks can start now, and which: a full pool keeps back its own tasks and no others. */
export function calculateAvailableSlots(
  tasks: readonly ListedTask[],
  limits?: {
    /** 3 by default; 0 lets none start. */
    readonly maxParallel?: number;
    /** By model or resource: haiku 5, sonnet 3, opus 1 by default. */
    readonly pools?: Readonly<Record<string, number>>;
  },
): { readonly slots: number; readonly start: readonly string[] };

export function checkCircuitBreaker(
  task: {
    /** Made so far. */
    readonly attempts: number;
    /** What each rejection said, the last one last. */
    readonly rejections?: readonly (readonly (string | { readonly message: string })[])[];
  },
  limits?: {
    /** 5 by default. */
    readonly maxAttempts?: number;
    /** The same rejection so often in a row is a loop; 3 by default. */
    readonly sameRejections?: number;
  },
): { readonly tripped: boolean; readonly reason: string | null };

export interface WaitOptions {
  /** Together with others who only read. */
  readonly shared?: boolean;
}
/** Resources are paths, globs and names such as `db:test`; they are in each other's way when they overlap. */
export class WaitForGraph {
  addHold(agent: string, resource: string, options?: WaitOptions): void;
  removeHold(agent: string, resource: string): void;
  /** For all of them, together. */
  addWait(agent: string, resources: string | readonly string[], options?: WaitOptions): void;
  removeWaits(agent: string): void;
  removeAgent(agent: string): void;
  /** Everybody who has it or something that overlaps it. */
  holdersOf(resource: string): string[];
  /** Agents of which each waits for the next, and the last for the first; null: there are none. */
  detectCycle(): string[] | null;
}
