// The real terminal behind `Io`: the process's own streams, clock and signals, and what the environment says about colours.
import type { Io } from '../cli/io.ts';

export function processIo(): { io: Io; flushed: () => Promise<void> } {
  const { stdout, env } = process;
  const outputGone = new Set<() => void>();
  let gone = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (gone) return;
    gone = true;
    // `| head` has seen enough, which is no failure; anything else (a full disk behind `>`) is.
    if (error.code !== 'EPIPE') {
      errors().write(`signalbox: cannot write the output: ${error.message}\n`);
      if (outputGone.size === 0) process.exit(70);
    } else if (outputGone.size === 0) process.exit(0);
    for (const handler of outputGone) handler();
  });
  let stderr: NodeJS.WriteStream | null = null;
  /** Made when it is needed: most commands have nothing to say there, and making a stream takes a millisecond. */
  const errors = (): NodeJS.WriteStream => {
    // A reader of errors that went away changes nothing for the work.
    stderr ??= process.stderr.on('error', () => undefined);
    return stderr;
  };

  const io: Io = {
    out: (text) => {
      if (!gone && text !== '') stdout.write(text);
    },
    err: (text) => {
      if (text !== '') errors().write(text);
    },
    drained: () =>
      gone || !stdout.writableNeedDrain
        ? Promise.resolve()
        : new Promise((resolve) => {
            stdout.once('drain', resolve);
            stdout.once('close', resolve);
          }),
    live: stdout.isTTY === true && env.TERM !== 'dumb' && !env.CI,
    interactive: stdout.isTTY === true && process.stdin.isTTY === true && env.TERM !== 'dumb' && !env.CI,
    ask: async (prompt) => (await import('./ask-line.ts')).askLine(prompt),
    color: colorFor(stdout),
    get errorColor() {
      return colorFor(errors());
    },
    columns: () => (stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY),
    rows: () => (stdout.isTTY && stdout.rows) || 24,
    now: () => Date.now(),
    after: (delayMs, call) => {
      const timer = setTimeout(call, delayMs);
      return () => clearTimeout(timer);
    },
    onResize: (handler) => hook(stdout, 'resize', handler),
    onInterrupt: (handler) => hook(process, 'SIGINT', handler),
    onTerminate: (handler) => hook(process, 'SIGTERM', handler),
    onOutputGone: (handler) => {
      outputGone.add(handler);
      return () => outputGone.delete(handler);
    },
  };
  return { io, flushed: async () => void (await Promise.all([taken(stdout), stderr ? taken(stderr) : undefined])) };
}

/** NO_COLOR wins over everything, as its authors ask; FORCE_COLOR over the lack of a terminal. */
function colorFor(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && TERM !== 'dumb';
}

function hook(emitter: NodeJS.EventEmitter, name: string, handler: () => void): () => void {
  emitter.on(name, handler);
  return () => emitter.off(name, handler);
}

/** Resolves when everything written so far is out, or nobody will take it. */
const taken = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });
