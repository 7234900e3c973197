// What a person wrote, after reading: normalised, inherited, checked. Pure data that survives JSON unchanged;
// durations are milliseconds, ids are resolved, ranges are expanded.
import type { PlanPath, TaskId } from './ids.ts';

export interface Plan extends IsolationKeys {
  readonly path: PlanPath;
  readonly title: string;
  /**
   * The order beside the named needs. `phases`: a phase waits for the one before. `spec-kit`: the same, and inside a phase tasks
   * follow each other, except neighbours that are all `parallel`. `sequential`: every task waits for the one before.
   */
  readonly order: 'explicit' | 'phases' | 'spec-kit' | 'sequential';
  /** `[SEQUENTIAL]`: the tasks of each list follow each other, whatever the order is. None is inside another of its list. */
  readonly sequences?: readonly (readonly TaskId[])[];
  /** At least one; tasks before the first heading are in a phase with an empty name. */
  readonly phases: readonly Phase[];
  /** In the order of the file, every group directly before its first subtask. */
  readonly tasks: readonly Task[];
  /** Lock keys that lead through links: as written, and as resolved when the plan was loaded. */
  readonly links?: Readonly<Record<string, string>>;
  readonly maxParallel?: number;
  /** Limits by name as the plan declares them; the settings and the defaults are merged when a run starts. */
  readonly pools?: Readonly<Record<string, number>>;
  /** The last step: a command, or the name of an agent. */
  readonly finish?: string;
  readonly finishAgent?: true;
  readonly baseline?: boolean;
  /** Limits of a run. */
  readonly maxAttempts?: number;
  readonly budgetUsd?: number;
}

/** Where attempts work, and what becomes of it. */
export interface IsolationKeys {
  readonly isolation?: IsolationKind;
  /** What becomes of the results of a complete run with worktrees; absent: they stay on their branch. */
  readonly land?: 'none' | 'merge';
  readonly worktree?: WorktreeKeys;
}

/** `worktree`: each attempt works in a tree of its own; `shared`: all work in the workspace. */
export type IsolationKind = 'worktree' | 'shared';

/** Paths are from the root of the workspace, with slashes. */
export interface WorktreeKeys {
  /** Prepares a new tree, in a shell. */
  readonly setup?: string;
  /** Files that git does not track and a new tree gets all the same: patterns as git has them. */
  readonly include?: readonly string[];
  /** By its path: the command that makes a file anew. */
  readonly generated?: Readonly<Record<string, string>>;
  /** The folder for trees: relative, or absolute, or below `~`. */
  readonly at?: string;
}

export interface Phase {
  readonly name: string;
  readonly check?: readonly string[];
  readonly batch?: boolean;
}

/** Many headings do: "Phase 1: Schema". */
export const saysPhase = (name: string): boolean => /^phase\b/i.test(name);

export interface Task {
  readonly id: TaskId;
  readonly title: string;
  /** 1-based line in the plan file. */
  readonly line: number;
  /** Index into `Plan.phases`. */
  readonly phase: number;
  /** Index of the group into `Plan.tasks`; absent for a top-level task. */
  readonly parent?: number;
  /** A group has subtasks and never runs itself. */
  readonly group?: true;
  /** Own needs only; those of the groups around it hold through the graph. */
  readonly needs?: readonly TaskId[];
  readonly prefers?: readonly TaskId[];
  /** `[ ]*`, or inside such a group: its failure is a warning. */
  readonly optional?: true;
  /** `[P]`: under the order `spec-kit` it may run beside neighbours that have it too. */
  readonly parallel?: true;
  /** Added by Signalbox, not in the file: the checks and the review of a group or a phase, or the plan's last step. */
  readonly closes?: 'group' | 'phase' | 'plan';
  /** From the checkbox or the status in the plan; absent means pending. */
  readonly ticked?: 'completed' | 'skipped' | 'suspended';
  /** The prose under the task: goes to the agent. */
  readonly prompt?: string;
  /** Own keys first, then those of the groups around it, the plan's defaults, the settings. */
  readonly keys: TaskKeys;
}

/** What an attempt is performed and judged by. */
export type TaskText = Pick<Task, 'title' | 'prompt' | 'keys'>;

export interface TaskKeys {
  readonly run?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly files?: readonly string[];
  readonly reads?: readonly string[];
  readonly locks?: readonly string[];
  readonly check?: readonly string[];
  readonly accept?: readonly string[];
  readonly review?: 'agent' | 'human' | 'none';
  readonly retries?: number;
  /** 0 means none. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly budgetUsd?: number;
  readonly onFailure?: 'ask' | 'retry' | 'skip' | 'escalate' | 'abort';
  readonly softFailure?: 'proceed' | 'ask';
  /** What an agent must leave behind: changed files, or an answer. */
  readonly produces?: 'files' | 'text';
  readonly env?: Readonly<Record<string, string>>;
  readonly labels?: readonly string[];
  /** Resource pools. */
  readonly uses?: readonly string[];
  /** Higher first. */
  readonly priority?: number;
}
