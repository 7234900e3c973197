// What `validate` is asked, and what it finds.
import type { ChangedPart } from '../../core/match-revision.ts';

export interface ValidateOptions {
  readonly fix: boolean;
  /** Compares everything from the first event also where it is as it was written. */
  readonly deep?: boolean;
}

export interface ValidateReport {
  readonly root: string;
  /** Nothing is wrong, or nothing any more. */
  readonly ok: boolean;
  readonly events: number;
  readonly plans: readonly string[];
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly about:
    | 'database'
    | 'log'
    | 'snapshot'
    | 'locks'
    | 'attempts'
    | 'status'
    | 'backup'
    | 'summary'
    | 'findings'
    | 'timestamps';
  /** The plan it is about; null: the workspace. */
  readonly plan: string | null;
  readonly message: string;
  /** The way out. */
  readonly help: string;
  /** It was put right just now. */
  readonly fixed: boolean;
}

export interface SyncReport {
  readonly plan: string;
  /** Whether the log knows the plan at all. */
  readonly loaded: boolean;
  readonly inSync: boolean;
  /** Attempts run, so nothing can be taken now. */
  readonly running: boolean;
  readonly added: readonly string[];
  /** Never ran, and go. */
  readonly removed: readonly string[];
  /** Have ended, and are kept in the record. */
  readonly kept: readonly string[];
  /** Never ran, and say something else now; or are only put in other words, and nobody is at work on them. */
  readonly changed: readonly string[];
  /** What is different about the plan itself, beside its tasks. */
  readonly planChanges: readonly ChangedPart[];
  /** The same words under another id: for Signalbox one that is gone and a new one. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Have a history that the file contradicts. */
  readonly conflicts: readonly { readonly task: string; readonly what: 'changed' | 'removed' }[];
  /** What the next `run` does about it. */
  readonly run: 'nothing' | 'takes' | 'refuses' | 'waits';
}
