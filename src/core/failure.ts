// How attempts end and why tasks fail: data inside events, never exceptions.

/** What was observed of an attempt's end. An exit code after our own kill is kept, but proves nothing. */
export type AttemptEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly code: number | null }
  /** It ended, or its host went away, and nobody knows how. */
  | { readonly kind: 'lost' }
  /** Its order was called back before anything ran; costs nothing. */
  | { readonly kind: 'never-started' }
  /** The program could not be started at all. `permanent`: trying again cannot help (missing program). */
  | { readonly kind: 'unstartable'; readonly message: string; readonly permanent: boolean };

/** Why Signalbox ends an attempt itself. */
export type Doom =
  | { readonly kind: 'timeout'; readonly limitMs: number }
  | { readonly kind: 'idle'; readonly limitMs: number }
  /** The run is being stopped; no fault of the task. */
  | { readonly kind: 'stop' }
  /** A person suspended or skipped the task. */
  | { readonly kind: 'withdrawn' }
  /** Chosen to end a deadlock: whatever exit code it still produces is neither success nor failure. */
  | { readonly kind: 'deadlock'; readonly words: string; readonly blocker: DeadlockBlocker };

/** Who holds what the victim waited for. */
export interface DeadlockBlocker {
  /** As in the lock table. */
  readonly owner: string;
  readonly name: string;
  readonly resource: string;
}

/** Why an attempt, or in the end its task, failed. */
export type Failure =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  | { readonly kind: 'idle'; readonly limitMs: number }
  | { readonly kind: 'lost'; readonly times: number }
  | { readonly kind: 'unstartable'; readonly message: string };
