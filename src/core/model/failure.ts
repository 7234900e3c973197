// How attempts end and why tasks fail: data inside events, never exceptions.
import type { Severity } from './review.ts';

/** What was observed of an attempt's end. An exit code after our own kill is kept, but proves nothing. */
export type AttemptEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly code: number | null }
  /** It ended, or its host went away; how it ended is not known. */
  | { readonly kind: 'lost' }
  /** It was called back before anything ran; costs nothing. */
  | { readonly kind: 'never-started' }
  /** The program could not be started at all. `permanent`: trying again cannot help (missing program). */
  | { readonly kind: 'unstartable'; readonly message: string; readonly permanent: boolean };

/** Why Signalbox ends an attempt itself. */
export type Doom =
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** `last`: what it last said. */
  | { readonly kind: 'idle'; readonly limitMs: number; readonly last?: string }
  /** The run is being stopped; no fault of the task. */
  | { readonly kind: 'stop' }
  /** A person suspended or skipped the task. */
  | { readonly kind: 'withdrawn' }
  /** It makes the same call again and again. */
  | { readonly kind: 'looping'; readonly call: string; readonly times: number }
  /** Chosen to end a deadlock. Its exit code then means neither success nor failure. */
  | { readonly kind: 'deadlock'; readonly words: string; readonly blocker: DeadlockBlocker };

/** The holder of the lock that the victim waited for. */
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
  | { readonly kind: 'idle'; readonly limitMs: number; readonly last?: string }
  | { readonly kind: 'lost'; readonly times: number }
  | { readonly kind: 'unstartable'; readonly message: string }
  /** A check was not green. `code`: null when it took too long. `before`: it was not green before the plan began either. */
  | {
      readonly kind: 'check';
      readonly command: string;
      readonly code: number | null;
      readonly token: number;
      readonly before?: true;
    }
  /** An agent ended well and had done nothing. */
  | { readonly kind: 'nothing-done' }
  /** Rejected too often: it is not tried again. */
  | { readonly kind: 'rejected'; readonly severity: Severity; readonly times: number; readonly issue?: string }
  /** No reviewer gave an answer that could be understood. */
  | { readonly kind: 'review'; readonly message: string }
  /** A person or an agent says so. */
  | { readonly kind: 'said'; readonly message: string };

/** What an agent did. An absent field is not known. */
export interface Evidence {
  readonly toolCalls?: number;
  /** Whether anything in the workspace changed. */
  readonly changed?: boolean;
  /** Whether it printed anything. */
  readonly output?: boolean;
  /** Hashes of the files it had locked, at most fifty. */
  readonly files?: readonly { readonly file: string; readonly before: string; readonly after: string }[];
  /** The file in the workspace with the findings of a debugging agent. */
  readonly finding?: string;
  /** The longest row of equal calls. */
  readonly repeated?: { readonly call: string; readonly times: number };
}
