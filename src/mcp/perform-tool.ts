// One call of a tool: its command, with an input and an output of its own. Cancelling the call is what Ctrl-C is in a terminal, so a wait
// leaves its queue and checks are stopped.
import type { Io } from '../cli/io.ts';
import type { Fields } from './tool-forms.ts';

/** Performs a command line; returns its exit code. */
export type Perform = (argv: readonly string[], io: Io) => Promise<number>;

export interface Answer {
  /** What `--json` prints, or `{ type: 'error', message, … }`. */
  readonly report: Fields;
  readonly isError: boolean;
  /** What a person would have read beside it. */
  readonly warnings: string;
}

export async function performTool(
  argv: readonly string[],
  { perform, input, signal }: { readonly perform: Perform; readonly input: string; readonly signal: AbortSignal },
): Promise<Answer> {
  let [printed, warnings] = ['', ''];
  const io: Io = {
    ...silent,
    out: (text) => {
      printed += text;
    },
    err: (text) => {
      warnings += text;
    },
    input: () => input,
    onInterrupt: (handler) => onAbort(signal, handler),
  };
  const exitCode = await perform(argv, io);
  const report = lastObject(printed) ?? { type: 'error', exitCode, message: warnings.trim() || 'it gave no answer' };
  return { report, isError: report.type === 'error', warnings: warnings.trim() };
}

/** The text that a command prints, for what is read and not asked. */
export async function printedBy(
  argv: readonly string[],
  perform: Perform,
): Promise<{ text: string; exitCode: number }> {
  let [text, errors] = ['', ''];
  const exitCode = await perform(argv, {
    ...silent,
    out: (piece) => {
      text += piece;
    },
    err: (piece) => {
      errors += piece;
    },
  });
  return { text: exitCode === 0 ? text : errors || text, exitCode };
}

/** Nobody sits there, and no terminal. */
const silent: Io = {
  out: () => undefined,
  err: () => undefined,
  drained: () => Promise.resolve(),
  input: () => '',
  live: false,
  interactive: false,
  ask: () => Promise.resolve(null),
  color: false,
  errorColor: false,
  columns: () => Number.POSITIVE_INFINITY,
  rows: () => 24,
  now: () => Date.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
  onResize: () => () => undefined,
  onInterrupt: () => () => undefined,
  onTerminate: () => () => undefined,
  onOutputGone: () => () => undefined,
};

function onAbort(signal: AbortSignal, handler: () => void): () => void {
  if (signal.aborted) handler();
  signal.addEventListener('abort', handler);
  return () => signal.removeEventListener('abort', handler);
}

function lastObject(text: string): Fields | null {
  const line = text.trimEnd().split('\n').at(-1)!;
  try {
    return JSON.parse(line) as Fields;
  } catch {
    return null;
  }
}
