// Everything a command touches outside itself: streams, terminal, clock, timers and signals. Only main/ makes a real one, so
// that every command can be run inside a test.

export interface Io {
  /** Standard output and standard error; text is written as it is. */
  out(text: string): void;
  err(text: string): void;
  /** Resolves when standard output can take more: whoever writes without end waits for it. */
  drained(): Promise<void>;
  /** Standard output is a terminal on which a live progress block may be drawn. */
  readonly live: boolean;
  /** A person sits at both ends: what is asked will be read, and can be answered. Never where programs test programs. */
  readonly interactive: boolean;
  /** One line that the person types; null: Ctrl-C, or the end of the input. What was typed before the question is not meant. */
  ask(prompt: string): Promise<string | null>;
  readonly color: boolean;
  readonly errorColor: boolean;
  /** Of the terminal; without one there is no end to a line. */
  columns(): number;
  rows(): number;
  now(): number;
  /** Calls once, later; returns how to call it off. So do all below. */
  after(delayMs: number, call: () => void): () => void;
  onResize(handler: () => void): () => void;
  onInterrupt(handler: () => void): () => void;
  onTerminate(handler: () => void): () => void;
  /** Whoever read the output is gone. Without a handler the command ends quietly. */
  onOutputGone(handler: () => void): () => void;
}
