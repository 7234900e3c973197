// Saved work, as faces are told of it.

export interface SavedListReport {
  /** The oldest first. */
  readonly saved: readonly SavedSummary[];
}

export interface SavedSummary {
  readonly id: string;
  readonly task: string;
  readonly attempt: string;
  readonly plan: string;
  readonly at: string;
  /** Why it was saved. */
  readonly reason: string;
  readonly files: number;
}

export interface SavedShowReport extends Omit<SavedSummary, 'files'> {
  readonly files: readonly SavedFileReport[];
}

export interface SavedFileReport {
  readonly path: string;
  /** What the attempt had made of it. */
  readonly was: 'changed' | 'new' | 'deleted';
  /** In octal; null for what has none. */
  readonly mode: string | null;
  /** Of the saved version; null for what is no file. */
  readonly bytes: number | null;
  /** Where the symlink leads that was saved. */
  readonly target: string | null;
  /** From the file as it is now to the saved one; null when there is nothing to compare by lines. */
  readonly diff: string | null;
  /** Why there is no difference to show. */
  readonly without: 'same' | 'binary' | 'large' | 'deleted' | 'no-file' | null;
}

export interface SavedRestoreOptions {
  /** Another folder than the workspace, relative to the current one. */
  readonly to?: string;
  /** Also over what was changed since. */
  readonly force?: boolean;
}

export interface SavedRestoreReport {
  readonly id: string;
  readonly to: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Already as they were saved. */
  readonly same: readonly string[];
  /** What could not be done, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}
