// What a dry run tells.
export interface DryRunReport {
  readonly plan: string;
  readonly order: string;
  readonly limits: {
    readonly plan: number;
    readonly workspace?: number;
    readonly pools: Readonly<Record<string, number>>;
  };
  /** The longest way through what would run, by time where something is known about it, else by the number of tasks. */
  readonly criticalPath: { readonly tasks: readonly string[]; readonly estimateMs: number | null };
  /** How long it may all take; null before anything of this plan was completed. */
  readonly estimate: {
    /** Null when something would never start. */
    readonly wallMs: number | null;
    /** How many completed tasks it is judged by. */
    readonly measured: number;
    /** For how many of the tasks some of their own kind were among those. */
    readonly ownKind: number;
  } | null;
  /** Tasks by the number of steps before them, ended ones left out. */
  readonly waves: readonly {
    readonly tasks: readonly DryRunTask[];
    /** Who of them cannot run together. */
    readonly conflicts: readonly DryRunConflict[];
    /** There are more than those. */
    readonly moreConflicts: boolean;
  }[];
}

export interface DryRunTask {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly pools: readonly string[];
  /** Taken all at once before it starts. */
  readonly locks: { readonly exclusive: readonly string[]; readonly shared: readonly string[] };
  readonly estimateMs: number | null;
}

/** One key, or two that overlap, and all tasks that take a lock on it. */
export interface DryRunConflict {
  readonly keys: readonly string[];
  readonly tasks: readonly string[];
}
