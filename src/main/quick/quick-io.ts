// The terminal of small commands, when there is none: text goes straight to the file or pipe. Node's own streams take 5 ms to
// load, a sixth of what such a command may take. On a real terminal, and for whatever has to wait, the full one is used.
import { fstatSync, writeSync } from 'node:fs';
import type { Io } from '../../cli/io.ts';
import { processIo, taken } from '../process-io.ts';

export function quickIo(): { io: Io; flushed: () => Promise<void> } {
  if (isTerminal(1) || isTerminal(2)) return processIo();
  const never = () => () => undefined;
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const color = !NO_COLOR && FORCE_COLOR !== undefined && FORCE_COLOR !== '0';
  const io: Io = {
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    drained: () => Promise.resolve(),
    live: false,
    interactive: false,
    ask: () => Promise.resolve(null),
    color,
    errorColor: color,
    columns: () => Number.POSITIVE_INFINITY,
    rows: () => 24,
    now: () => Date.now(),
    after: (delayMs, call) => {
      const timer = setTimeout(call, delayMs);
      return () => clearTimeout(timer);
    },
    onResize: never,
    onInterrupt: (handler) => onSignal('SIGINT', handler),
    onTerminate: (handler) => onSignal('SIGTERM', handler),
    onOutputGone: never,
  };
  return { io, flushed: async () => void (await Promise.all([...waiting].map(taken))) };
}

function onSignal(name: NodeJS.Signals, handler: () => void): () => void {
  process.on(name, handler);
  return () => process.off(name, handler);
}

function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && !isNull(fd);
  } catch {
    return false;
  }
}

/** /dev/null is a device too, and the most frequent one that is no terminal. */
function isNull(fd: number): boolean {
  return process.platform === 'linux' && fstatSync(fd).rdev === 0x103;
}

/** Streams that had to take over, with something that may not be out yet. */
const waiting = new Set<NodeJS.WriteStream>();

function write(fd: 1 | 2, text: string): void {
  let rest: Buffer = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Somebody made the pipe non-blocking, and it is full: Node's stream knows how to wait.
      if (code === 'EAGAIN') {
        const stream = fd === 1 ? process.stdout : process.stderr;
        waiting.add(stream);
        stream.write(rest);
        return;
      }
      // `| head` has seen enough, which is no failure; a reader of errors that went away changes nothing.
      if (code === 'EPIPE' || fd === 2) process.exit(fd === 1 ? 0 : undefined);
      write(2, `signalbox: cannot write the output: ${message}\n`);
      process.exit(70);
    }
  }
}
