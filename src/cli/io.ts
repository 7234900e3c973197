// Everything a command touches outside itself: streams, terminal, clock, timers and signals. Only main/ makes a real one, so
// that every command can be run inside a test.

export interface Io {
  /** Standard output and standard error; text is written as it is. */
  out(text: string): void;
  err(text: string): void;
  /** Resolves when standard output can take more; an endless writer waits for it. */
  drained(): Promise<void>;
  /** All of standard input. */
  input(): string;
  /** Standard output is a terminal on which a live progress block may be drawn. */
  readonly live: boolean;
  /** A person sits at both ends and can answer questions. Never true in CI. */
  readonly interactive: boolean;
  /** One line that the person types; null: Ctrl-C, or the end of the input. Earlier input is dropped: it was no answer. */
  ask(prompt: string): Promise<string | null>;
  readonly color: boolean;
  readonly errorColor: boolean;
  /** Size of the terminal; without one lines are endless. */
  columns(): number;
  rows(): number;
  now(): number;
  /** Calls once, later. Returns a function that cancels it, as all below do. */
  after(delayMs: number, call: () => void): () => void;
  onResize(handler: () => void): () => void;
  onInterrupt(handler: () => void): () => void;
  /** A signal that would end the process, and is no Ctrl-C: a termination, a closed terminal, a limit of the system. */
  onTerminate(handler: (signal: string) => void): () => void;
  /** The reader of the output is gone. Without a handler the command ends quietly. */
  onOutputGone(handler: () => void): () => void;
}
