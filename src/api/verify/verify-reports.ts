// What `verify` is told and what it answers.
export interface VerifyOptions {
  /** How many checks at once; one by default. */
  readonly parallel?: number;
  readonly signal?: AbortSignal;
  /** Each as it ends. */
  readonly onCheck?: (check: VerifiedCheck) => void;
}

export interface VerifyReport {
  readonly plan: string;
  /** Every check was run and is green. */
  readonly ok: boolean;
  /** Distinct commands; fewer are listed when it was interrupted. */
  readonly total: number;
  readonly passed: number;
  readonly checks: readonly VerifiedCheck[];
}

export interface VerifiedCheck {
  readonly command: string;
  /** The tasks that it belongs to. */
  readonly tasks: readonly string[];
  readonly result: 'passed' | 'failed' | 'timed-out' | 'interrupted';
  readonly code: number | null;
  readonly durationMs: number;
  readonly log: string;
  /** The last lines of one that is not green, as they are. */
  readonly tail: readonly string[];
}
