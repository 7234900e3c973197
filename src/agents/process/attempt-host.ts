// The door to processes: starts attempts on this host, ends them, and finds out about those that an earlier runner started.
// It decides nothing. The runner tells it what should be alive, it tells the runner what it observed; both may be repeated.
// The simulator brings its own implementation.
import type { AttemptEnd } from '../../core/model/failure.ts';
import type { AttemptId, ProcessIdentity, RunId } from '../../core/model/ids.ts';

export interface AttemptHost {
  /** Starts an attempt. Never throws: trouble is observed as an end. Starting the same token again does nothing. */
  start(order: StartOrder): void;

  /**
   * Ends an attempt with its whole process tree: asks politely, waits `graceMs`, then kills. Its end is observed only when
   * the tree is confirmed dead. Asked again, a shorter grace counts from now; otherwise nothing changes.
   */
  stop(token: number, graceMs: number): void;

  /**
   * Takes over attempts that an earlier runner on this host was given. Each is then observed exactly as if this host had
   * started it: `started` if it lives, and its end when it ends or as it ended. One whose order may still lie in a dead
   * runner's pipe is claimed first, so that it can never start afterwards, and observed as `never-started`.
   */
  adopt(attempts: readonly Adoptable[]): void;

  /** When an attempt last showed a sign of life (output), in ms of the host's clock; undefined if it is not alive here. */
  lastOutputAt(token: number): number | undefined;

  /** Lets go: idle supervisors end, attempts that still run are left alone. Nothing is observed afterwards. */
  close(): Promise<void>;
}

export type Observation =
  | { readonly kind: 'started'; readonly token: number; readonly supervisor: ProcessIdentity }
  | { readonly kind: 'ended'; readonly token: number; readonly end: AttemptEnd };

/** Everything that is needed to start one attempt. */
export interface StartOrder {
  readonly token: number;
  readonly run: RunId;
  readonly attempt: AttemptId;
  /** The program's absolute path and its arguments; never seen by a shell. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** On top of the host's allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; absent means none. */
  readonly stdinFile?: string;
  /** Standard output and error; created exclusively: that is the claim. */
  readonly outputFile: string;
  /** Standard error, where it goes to a file of its own, which is there already. */
  readonly errorFile?: string;
}

export interface Adoptable {
  readonly token: number;
  /** The run it was scheduled in: its runner kept the journal that tells what became of it. */
  readonly run: RunId;
  readonly supervisor: ProcessIdentity | null;
  readonly outputFile: string;
}
