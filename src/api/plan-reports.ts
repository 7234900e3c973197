// What is told about plan files: checked, rewritten, made from another tool's.
import type { Diagnostic } from '../plan/diagnostic.ts';

export interface CheckReport {
  readonly plan: string;
  readonly ok: boolean;
  readonly title: string;
  readonly tasks: number;
  readonly groups: number;
  readonly phases: number;
  readonly order: string;
  /** The order was not written in the plan. */
  readonly orderAssumed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Keys that `run` refuses because this version cannot do them. */
  readonly unsupported: readonly { readonly key: string; readonly task?: string; readonly line: number }[];
}

export interface FormatOptions {
  /** Also writes the ids of tasks that have none. */
  readonly ids?: boolean;
  readonly write?: boolean;
}

export interface FormatReport {
  readonly plan: string;
  /** The file is, or was, not in this form. */
  readonly changed: boolean;
  readonly written: boolean;
  /** It cannot be rewritten without changing what it means, so it stays as it is. */
  readonly untouched: boolean;
  /** Why not. */
  readonly hindrance: { readonly line: number; readonly message: string; readonly help: string } | null;
  /** Ids that were given. */
  readonly ids: readonly string[];
  readonly text: string;
}

export interface ImportOptions {
  /** Where the plan is to be written; without it, it is only given out. */
  readonly out?: string;
  /** Also over a file that exists. */
  readonly force?: boolean;
  /** Which of Task Master's lists. */
  readonly tag?: string;
}

export interface ImportReport {
  readonly tool: string;
  readonly source: string;
  /** The file that was written. */
  readonly plan: string | null;
  readonly tasks: number;
  readonly groups: number;
  /** What could not be carried over, with the tasks that had it. */
  readonly losses: readonly { readonly what: string; readonly tasks: readonly string[] }[];
  readonly text: string;
}
