// The library of Signalbox; written by `npm run schema`. Every function that names a plan takes its path relative to `cwd`, opens the
// workspace of the plan, and closes it again. What cannot be done is thrown as a `Refusal`, trouble with disk or database as an
// `Outage`; then nothing was recorded.

export interface Options {
  /** Where the plan's path starts; the current folder by default. The workspace is looked for from the plan upward. */
  readonly cwd?: string;
  /** Who does it, for the log; SIGNALBOX_AGENT or the user by default. */
  readonly by?: string;
}

/** The plan that commands mean when none is named, relative to the workspace; null: none was set. */
export declare const getActivePlanPath: (options?: Options) => Promise<string | null>;

/** The folder of what other programs read of the plan: absolute. */
export declare const getOutputDir: (plan: string, options?: Options) => Promise<string>;

export declare const getStatusPath: (plan: string, options?: Options) => Promise<string>;

/** What status.json says, made from the log itself; creates nothing. */
export declare const loadStatus: (plan: string, options?: Options) => Promise<PlanStatus>;

/** Creates the state of the plan if there is none. What is done stays done. */
export declare const initializePlanStatus: (plan: string, options?: Options) => Promise<PlanStatus>;

export interface MarkOptions extends Options {
  readonly reason?: string;
  /** Against the rules: recorded as a decision. */
  readonly force?: boolean;
}

/** Ids may be abbreviated while only one task begins so. */
export declare const markTaskStarted: (plan: string, task: string, options?: MarkOptions) => Promise<MarkReport>;

export interface CompleteOptions extends MarkOptions {
  readonly notes?: string;
  /** Leave the checks out: recorded as a decision. */
  readonly withoutChecks?: boolean;
  /** What the checks print, as it comes. */
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Runs the checks of the task first; `ok` is false, and nothing recorded, unless all are green. */
export declare const markTaskCompleted: (plan: string, task: string, options?: CompleteOptions) => Promise<MarkReport>;

/** It counts as an attempt. */
export declare const markTaskFailed: (
  plan: string,
  task: string,
  error: string,
  options?: MarkOptions,
) => Promise<MarkReport>;

export interface SkipOptions extends MarkOptions {
  /** Skip what needs it too. */
  readonly dependents?: boolean;
  /** Let what needs it go on. */
  readonly treatAsDone?: boolean;
}

/** Where others need it, one of `dependents` and `treatAsDone` has to be said. */
export declare const markTaskSkipped: (plan: string, task: string, options?: SkipOptions) => Promise<MarkReport>;

/** By priority, then the current phase, then age; failed ones with attempts left come last. Five by default. */
export declare const getNextTasks: (plan: string, count?: number, options?: Options) => Promise<readonly NextTask[]>;

export declare const getProgress: (plan: string, options?: Options) => Promise<Progress>;

export declare const getStatusSummary: (plan: string, options?: Options) => Promise<StatusSummary>;

export interface FindingsOptions extends Options {
  /** Behind what is there already, instead of in its place. */
  readonly append?: boolean;
}

/** Returns the file that was written: absolute. */
export declare const writeFindings: (
  plan: string,
  task: string,
  text: string,
  options?: FindingsOptions,
) => Promise<string>;

/** Null: nothing was written about it. */
export declare const readFindings: (plan: string, task: string, options?: Options) => Promise<string | null>;

/** Begins a run by hand and returns its name. */
export declare const startRun: (plan: string, options?: Options) => Promise<string>;

/** Without a run: the one by hand that goes on. */
export declare const completeRun: (plan: string, run?: string, options?: Options) => Promise<RunReport>;

/** 2 usage · 3 plan or settings invalid · 4 waiting for a person · 7 agent missing or not usable · 8 already being run. */
export type RefusalCode = 2 | 3 | 4 | 7 | 8;

export declare class Refusal extends Error {
  readonly exitCode: RefusalCode;
  /** What to do instead. */
  readonly instead: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  constructor(
    exitCode: RefusalCode,
    message: string,
    more?: {
      instead?: string;
      diagnostics?: readonly Diagnostic[];
    },
  );
}

export type OutageKind =
  | 'busy'
  | 'disk-full'
  | 'read-only'
  | 'network-file-system'
  | 'unsafe-path'
  | 'broken-database'
  | 'moved-database'
  | 'newer-database'
  | 'old-engine'
  | 'open-files'
  | 'io';

export declare class Outage extends Error {
  readonly kind: OutageKind;
  constructor(kind: OutageKind, message: string, options?: ErrorOptions);
}

/** What stands there cannot be read, and trying again does not help. Whoever only looks takes the state from elsewhere. */
export declare const isUnreadable: (error: unknown) => error is Outage;

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
    readonly causes: readonly DeadlockCause[];
  }[];
  /** Tasks that wait for each other. */
  readonly cycles: readonly (readonly string[])[];
  /** Needs that no task of the list has. */
  readonly unknown: readonly {
    readonly task: string;
    readonly need: string;
  }[];
}

export interface DeadlockCause {
  readonly task: string;
  readonly status: Status | 'cycle' | 'unknown-need';
}

export declare function detectPlanDeadlock(tasks: readonly ListedTask[]): PlanDeadlock;

/** Leaves whose needs are all completed; best first: by priority, then in the order of the list. */
export declare function findReadyTasks<T extends ListedTask>(tasks: readonly T[]): T[];

export interface SlotLimits {
  /** 3 by default; 0 lets none start. */
  readonly maxParallel?: number;
  /** By model or resource: haiku 5, sonnet 3, opus 1 by default. */
  readonly pools?: Readonly<Record<string, number>>;
}

/** How many of the ready tasks can start now, and which: a full pool keeps back its own tasks and no others. */
export declare function calculateAvailableSlots(
  tasks: readonly ListedTask[],
  { maxParallel, pools }?: SlotLimits,
): {
  readonly slots: number;
  readonly start: readonly string[];
};

export interface CircuitTask {
  /** Made so far. */
  readonly attempts: number;
  /** What each rejection said, the last one last. */
  readonly rejections?: readonly (readonly (
    | string
    | {
        readonly message: string;
      }
  )[])[];
}

export interface CircuitLimits {
  /** 5 by default. */
  readonly maxAttempts?: number;
  /** The same rejection so often in a row is a loop; 3 by default. */
  readonly sameRejections?: number;
}

export declare function checkCircuitBreaker(
  { attempts, rejections }: CircuitTask,
  { maxAttempts, sameRejections }?: CircuitLimits,
): {
  readonly tripped: boolean;
  readonly reason: string | null;
};

export interface WaitOptions {
  /** Together with others who only read. */
  readonly shared?: boolean;
}

/** Resources are paths, globs and names such as `db:test`; they are in each other's way when they overlap. */
export declare class WaitForGraph {
  private readonly table;
  private facts;
  addHold(agent: string, resource: string, { shared }?: WaitOptions): void;
  removeHold(agent: string, resource: string): void;
  /** For all of them, together. */
  addWait(agent: string, resources: string | readonly string[], { shared }?: WaitOptions): void;
  /** It got up, its time was over, or it was refused: it waits for nothing any more. */
  removeWaits(agent: string): void;
  removeAgent(agent: string): void;
  /** Everybody who has it or something that overlaps it. */
  holdersOf(resource: string): string[];
  /** Agents of which each waits for the next, and the last for the first; null: there are none. */
  detectCycle(): string[] | null;
}

export interface MarkReport {
  readonly plan: string;
  readonly task: string;
  /** False: a check was not green, and nothing was recorded. */
  readonly ok: boolean;
  readonly status: Status;
  /** The attempt by hand that it is about; null where there was none. */
  readonly attempt: string | null;
  readonly checks: readonly {
    readonly command: string;
    readonly green: boolean;
    readonly exitCode: number | null;
    readonly because: 'ended' | 'timeout' | 'interrupted';
    readonly durationMs: number;
    /** The last of what it printed. */
    readonly tail: string;
  }[];
  /** What was recorded. */
  readonly events: readonly RecordedEvent[];
  /** The call with this request key succeeded before: nothing was recorded and no check ran again. */
  readonly repeated?: true;
  /** Whether a run of this plan goes on. */
  readonly running: boolean;
}

export interface NextTask {
  readonly id: string;
  readonly title: string;
  readonly phase: string;
  /** Failed ones may be tried again, and come last. */
  readonly status: 'pending' | 'failed';
  /** Pools that are full, what it wants to lock and others have, an account at its limit, and `budget-usd`. */
  readonly waitsFor: readonly string[];
}

export interface Progress {
  readonly plan: string;
  readonly title: string;
  /** Of the last run; null while one goes on and before the first. */
  readonly outcome: Outcome | null;
  /** Whether a run of this plan goes on. */
  readonly running: boolean;
  readonly paused: boolean;
  /** As in `status.json`: of the whole plan, whatever the last run was about. */
  readonly planStatus: Status;
  /** How the plan was last worked on; cut-off: by a run whose runner is gone and could not say so. */
  readonly lastRun: 'none' | 'running' | 'ended' | 'cut-off' | 'by-hand';
  readonly summary: Summary;
  /** Completed and skipped tasks of all, in whole percent: 100 only when all are, and 0 only when none is. */
  readonly percent: number;
  /** Of those in progress; absent: none. */
  readonly waitingForLocks?: number;
}

export interface StatusSummary {
  readonly plan: string;
  readonly title: string;
  /** Of the last run; null while one goes on and before the first. */
  readonly outcome: Outcome | null;
  /** Whether a run of this plan goes on. */
  readonly running: boolean;
  readonly paused: boolean;
  /** As in `status.json`: of the whole plan, whatever the last run was about. */
  readonly planStatus: Status;
  /** How the plan was last worked on; cut-off: by a run whose runner is gone and could not say so. */
  readonly lastRun: 'none' | 'running' | 'ended' | 'cut-off' | 'by-hand';
  readonly summary: Summary;
  /** Usage limits of accounts, and budgets, that hold tasks back; absent: none. */
  readonly heldBack?: readonly (
    | {
        readonly kind: 'quota';
        readonly account: string;
        /** Null: its time is over, and one attempt tries it. */
        readonly until: string | null;
        /** How many tasks wait because of it. */
        readonly tasks: number;
      }
    | {
        readonly kind: 'budget';
        /** Whose budget it is; absent: that of the run. */
        readonly task?: string;
        readonly budgetUsd: number;
        readonly spentUsd: number;
        /** For what runs now. */
        readonly reservedUsd: number;
        /** What the first that waits may cost itself. */
        readonly mostUsd?: number;
        /** How many tasks wait because of it. */
        readonly tasks: number;
      }
  )[];
  readonly tasks: readonly {
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
    readonly stage: 'running' | 'checking' | 'reviewing' | 'merging' | null;
    /** Of a task in progress whose attempt stands still: the locks it waits for, and who has them. */
    readonly waitsFor?: readonly { readonly resource: string; readonly holder: string }[];
    /** Of a running coding agent: its last tool call, or the beginning of its last message. */
    readonly action?: string;
    readonly attempts: number;
    /** The last one, where its number is another: the plan was started over. */
    readonly attempt?: string;
    readonly needs: readonly string[];
    readonly prefers: readonly string[];
    /** Of the plan: words for people and programs. */
    readonly labels?: readonly string[];
    /** Root causes of a blocked task. */
    readonly blockedBy: readonly string[];
    readonly startedAt: string | null;
    readonly endedAt: string | null;
    /** What of the time since its start does not count: the clock was set by as much, or the machine slept. */
    readonly uncountedMs?: number;
    readonly retryAt: string | null;
    readonly failure: Failure | null;
    /** What whoever did it says about it, and why an attempt was stopped before it. */
    readonly notes?: string;
    /** Where what the debugging agent found out is kept. */
    readonly finding?: string;
    readonly by: string | null;
    readonly reason: string | null;
  }[];
  /** Asked and not answered. */
  readonly decisions: readonly OpenDecision[];
}

export interface RunReport {
  readonly plan: string;
  readonly run: string;
  readonly startedAt: string;
  /** Null: it goes on. */
  readonly completedAt: string | null;
  readonly completed: number;
  readonly failed: number;
}

export interface PlanStatus {
  readonly schemaVersion: 1;
  /** Of the last event of the workspace that is in it. */
  readonly seq: number;
  /** Which log that number belongs to: after a database was lost, the numbers begin again. */
  readonly log: string;
  readonly planPath: string;
  readonly planName: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly currentPhase: string | null;
  readonly planStatus: Status;
  /** Of the last run; null while one goes on and before the first. */
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
    readonly optional?: true;
    readonly treatAsDone?: true;
    readonly by?: string;
    readonly reason?: string;
  }[];
  readonly runs: readonly {
    readonly runId: string;
    readonly startedAt: string;
    readonly completedAt: string | null;
    readonly tasksCompleted: number;
    readonly tasksFailed: number;
    readonly outcome?: string;
  }[];
  readonly decisions: readonly {
    readonly id: string;
    readonly kind: string;
    readonly task: string | null;
    readonly openedAt: string;
    readonly options: readonly string[];
    readonly blocks: readonly string[];
  }[];
  /** Failed tasks with what cannot run because of them. */
  readonly cascades: readonly { readonly task: string; readonly blocked: readonly string[] }[];
  readonly savedWork: readonly string[];
}

export type Status = 'pending' | 'in_progress' | 'completed' | 'failed' | 'blocked' | 'suspended' | 'skipped';

export type Outcome = 'complete' | 'failed' | 'stuck' | 'waiting' | 'paused' | 'aborted';

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

/** What every event has; the rest depends on its type, and is in schema/output.json. */
export interface RecordedEvent {
  readonly type: string;
  readonly seq: number;
  readonly at: number;
  readonly plan: string;
}

export type Failure =
  | { readonly kind: 'exit'; readonly code: number; readonly command?: string }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  | {
      readonly kind: 'idle';
      readonly limitMs: number;
      /** What it last said. */
      readonly last?: string;
    }
  | { readonly kind: 'mute'; readonly limitMs: number }
  | { readonly kind: 'lost'; readonly times: number }
  | { readonly kind: 'unstartable'; readonly message: string }
  | {
      readonly kind: 'check';
      readonly command: string;
      /** Null: it took too long. */
      readonly code: number | null;
      readonly token: number;
      /** It was not green before the plan began either. */
      readonly before?: true;
    }
  | {
      readonly kind: 'agent';
      readonly class:
        | 'refused-tools'
        | 'max-turns'
        | 'budget'
        | 'overload'
        | 'billing'
        | 'authentication'
        | 'context'
        | 'crash'
        | 'ungoverned'
        | 'killed'
        | 'no-result';
      readonly message: string;
    }
  | { readonly kind: 'audit'; readonly files: readonly string[] }
  | { readonly kind: 'nothing-done'; readonly lacks?: 'calls' | 'change' | 'proof' | 'owner' | 'text' }
  | { readonly kind: 'rejected'; readonly severity: Severity; readonly times: number; readonly issue?: string }
  | {
      readonly kind: 'merge';
      readonly result: 'conflict' | 'red';
      readonly files: readonly string[];
      /** Of the merge, whose log has the output of a red check. */
      readonly token: number;
      readonly command?: string;
      readonly problem?: string;
    }
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'review'; readonly message: string }
  | { readonly kind: 'said'; readonly message: string };

export type MergeObstacle =
  | { readonly kind: 'red-branch'; readonly command: string }
  | { readonly kind: 'checked-out'; readonly folder: string };

export type Severity = 'low' | 'medium' | 'high';

export interface Issue {
  readonly message: string;
  readonly file?: string;
  /** The task that is to blame, if it is another one. */
  readonly task?: string;
}

export interface OpenDecision {
  readonly id: string;
  readonly openedAt: number;
  readonly kind: DecisionKind;
  /** What it is about; absent: the plan. */
  readonly task?: string;
  /** The attempt that raised it. */
  readonly attempt?: string;
  /** What cannot go on until it is answered. */
  readonly blocks: Names;
  /** What goes on in the meantime. */
  readonly goesOn: Names;
  readonly options: readonly Choice[];
  /** What happens without an answer; absent: it stays open. */
  readonly default?: Choice;
  /** When the default is taken. */
  readonly deadline?: number;
  readonly evidence?: Evidence;
}

export type DecisionKind =
  | 'failure'
  | 'rejection'
  | 'review'
  | 'soft-failure'
  | 'livelock'
  | 'batch'
  | 'stuck'
  | 'question'
  | 'conflict'
  | 'merge'
  | 'override';

export type Choice =
  | 'retry'
  | 'retry-with-note'
  | 'other-agent'
  | 'fix'
  | 'skip-all'
  | 'treat-as-done'
  | 'restructure'
  | 'escalate'
  | 'accept'
  | 'go-on'
  | 'approve'
  | 'reject'
  | 'skip-blocked'
  | 'details'
  | 'abort';

export interface Names {
  /** How many there are. */ readonly count: number;
  /** The first of them. */
  readonly tasks: readonly string[];
}

export type Evidence =
  | { readonly kind: 'rejected'; readonly severity: Severity; readonly issues: readonly Issue[] }
  | { readonly kind: 'same-rejection'; readonly times: number; readonly issues: readonly Issue[] }
  | { readonly kind: 'circular-rejection'; readonly circle: readonly string[]; readonly times: number }
  | { readonly kind: 'no-progress'; readonly attempts: readonly string[] }
  | { readonly kind: 'same-calls'; readonly call: string; readonly times: number }
  | { readonly kind: 'undoing'; readonly file: string; readonly tasks: readonly string[]; readonly times: number }
  | { readonly kind: 'silence'; readonly times: number; readonly last?: string }
  | { readonly kind: 'question'; readonly question: string }
  | {
      readonly kind: 'unmerged';
      readonly failure: {
        readonly kind: 'merge';
        readonly result: 'conflict' | 'red';
        readonly files: readonly string[];
        /** Of the merge, whose log has the output of a red check. */
        readonly token: number;
        readonly command?: string;
        readonly problem?: string;
      };
    }
  | { readonly kind: 'held'; readonly because: MergeObstacle }
  | { readonly kind: 'preferred'; readonly tasks: readonly string[] }
  | { readonly kind: 'batch'; readonly phase: string; readonly completed: Names; readonly rest: Names };

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly excerpt: string;
  readonly help?: string;
}
