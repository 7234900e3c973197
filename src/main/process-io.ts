// The real terminal behind `Io`: the process's own descriptors, clock and signals, and what the environment says about colours. Text is
// written at once and in order, without Node's streams: making them costs each call of a hook or a lock 4 ms.

import { fstatSync, writeSync } from 'node:fs';
import endingSignals from '../../bin/ending-signals.json' with { type: 'json' };
import { readInput } from '../api/files/read-text.ts';
import { detachedVariable } from '../api/run/detached-variable.ts';
import type { Io } from '../cli/io.ts';

/** Nobody reads along: what a run without a terminal prints must not fill the disk. */
const mostDetached = 8 * 1024 * 1024;

export function processIo(): Io {
  const { env } = process;
  const terminal = isDevice(1) && process.stdout.isTTY ? process.stdout : null;
  const isForPeople = terminal !== null && env.TERM !== 'dumb' && !env.CI;
  const outputGone = new Set<() => void>();
  let gone = false;
  let left = env[detachedVariable] === undefined ? Number.POSITIVE_INFINITY : mostDetached;
  const out = (text: string): void => {
    if (gone || left <= 0) return;
    try {
      left -= Buffer.byteLength(text);
      writeAll(1, left > 0 ? text : 'Too much to keep here: the rest is in signalbox events.\n');
    } catch (error) {
      gone = true;
      const { code, message } = error as NodeJS.ErrnoException;
      // `| head` has seen enough, which is no failure; anything else (a full disk behind `>`) is.
      if (code !== 'EPIPE') complain(`signalbox: cannot write the output: ${message}\n`);
      if (outputGone.size === 0) process.exit(code === 'EPIPE' ? 0 : 70);
      for (const handler of outputGone) setImmediate(handler);
    }
  };
  return {
    out,
    err: complain,
    // Everything is out when `out` returns. An endless writer still lets others have their turn.
    input: () => readInput(),
    drained: () => new Promise((resolve) => setImmediate(resolve)),
    live: isForPeople,
    interactive: isForPeople && isDevice(0) && process.stdin.isTTY === true,
    ask: async (prompt) => (await import('./ask-line.ts')).askLine(prompt),
    color: hasColor(terminal !== null),
    get errorColor() {
      return hasColor(isDevice(2) && process.stderr.isTTY === true);
    },
    columns: () => (terminal ? terminal.columns || 80 : Number.POSITIVE_INFINITY),
    rows: () => terminal?.rows || 24,
    now: () => Date.now(),
    after: (delayMs, call) => {
      const timer = setTimeout(call, delayMs);
      return () => clearTimeout(timer);
    },
    onResize: (handler) => (terminal ? hook(terminal, 'resize', handler) : () => undefined),
    onInterrupt: (handler) => hook(process, 'SIGINT', handler),
    onTerminate: (handler) => {
      const off = terminating.map((signal) => hook(process, signal, handler));
      return () => {
        for (const unhook of off) unhook();
      };
    },
    onOutputGone: (handler) => {
      outputGone.add(handler);
      return () => outputGone.delete(handler);
    },
  };
}

function complain(text: string): void {
  try {
    writeAll(2, text);
  } catch {
    // There is nobody left to tell.
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      // A pipe that another program made non-blocking is full; its reader needs a moment.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Terminals are; pipes and files are not, and asking further would load half of Node's network code. */
function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Every signal that ends a process and can be caught. Left out: Ctrl-C, the ones that Node ignores, and those of a broken program, which
 * cannot go on. A profiler of Node's sends SIGPROF to itself.
 */
const terminating = endingSignals.filter(
  (signal) => signal !== 'SIGPROF' || !process.execArgv.some((option) => /^--(?:cpu-)?prof/.test(option)),
);

/** NO_COLOR wins over everything, as its authors ask; FORCE_COLOR over the lack of a terminal. */
function hasColor(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return isTerminal && TERM !== 'dumb';
}

function hook(emitter: NodeJS.EventEmitter, name: string, handler: (signal: string) => void): () => void {
  emitter.on(name, handler);
  return () => emitter.off(name, handler);
}
