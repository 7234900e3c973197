// Reads what attempts print, with bounded memory: the last lines of a file of any size, or everything as it grows. What is read
// comes from programs and is not fit for a terminal yet (see `sanitize-terminal.ts`).
import { closeSync, constants, type FSWatcher, fstatSync, openSync, readSync, watch } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface TailLimits {
  readonly lines: number;
  readonly maxBytes: number;
}

/** The last lines. Nothing for a file that is not there; a line that begins before the limit is cut and begins with `…`. */
export function tailLines(file: string, { lines, maxBytes }: TailLimits): readonly string[] {
  const descriptor = openRegular(file);
  if (descriptor === null) return [];
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const length = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    const isCut = size > buffer.length;
    let begin = 0;
    // Not in the middle of a character.
    while (isCut && begin < length && (buffer[begin]! & 0xc0) === 0x80) begin++;
    const text = buffer.toString('utf8', begin, length);
    const found = (isCut ? `…${text}` : text).replace(/\r?\n$/, '').split(/\r?\n/);
    return size === 0 ? [] : found.slice(-lines);
  } finally {
    closeSync(descriptor);
  }
}

export interface FollowOptions {
  /** In bytes; where to begin. */
  readonly offset?: number;
  /** Behind the watch, which can miss things, and before the file is there. */
  readonly pollMs?: number;
}

export interface Follow {
  /** No chunk comes after this. */
  stop(): void;
  /** Reads on to the end the file has now, then stops. */
  finish(): Promise<void>;
}

/** 64 KiB at once, 16 times per turn of the loop: 1 GB took 2.9 s and 13 MB of memory and never held the loop for 4 ms. */
const readSize = 64 * 1024;
const readsPerTurn = 16;

/** Hands over what is in the file and what is appended to it. A chunk's promise is waited for before the next is read. */
export function followOutput(
  file: string,
  onChunk: (text: string) => void | Promise<void>,
  { offset = 0, pollMs = 500 }: FollowOptions = {},
): Follow {
  const buffer = Buffer.allocUnsafe(readSize);
  const decoder = new StringDecoder('utf8');
  let position = offset;
  let descriptor: number | null = null;
  let watcher: FSWatcher | null = null;
  let stopped = false;
  let finishing = false;
  let wake: () => void = () => undefined;

  const look = (): void => wake();
  const timer = setInterval(look, pollMs);
  const finished = follow();

  return {
    stop: () => {
      stopped = true;
      wake();
    },
    finish: () => {
      finishing = true;
      wake();
      return finished;
    },
  };

  async function follow(): Promise<void> {
    await nextTurn(); // no chunk before the caller has its handle
    try {
      while (!stopped) {
        const wasFinishing = finishing;
        await readToEnd();
        if (stopped || wasFinishing) break;
        if (!finishing) await new Promise<void>((resolve) => (wake = resolve));
      }
      const rest = decoder.end();
      if (!stopped && rest !== '') await onChunk(rest);
    } finally {
      clearInterval(timer);
      watcher?.close();
      if (descriptor !== null) closeSync(descriptor);
    }
  }

  async function readToEnd(): Promise<void> {
    descriptor ??= openRegular(file);
    if (descriptor === null) return;
    watcher ??= watchQuietly(file, look);
    for (let reads = 1; !stopped; reads++) {
      const length = readSync(descriptor, buffer, 0, readSize, position);
      if (length === 0) {
        if (fstatSync(descriptor).size >= position) return;
        position = 0; // it was emptied: what follows is new
        continue;
      }
      position += length;
      const text = decoder.write(buffer.subarray(0, length));
      if (text !== '') await onChunk(text);
      if (reads % readsPerTurn === 0) await nextTurn();
    }
  }
}

/** An agent could put anything in the place of its output file: only a plain file is read, and a link is not followed. */
function openRegular(file: string): number | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (/^(ENOENT|ELOOP|ENXIO)$/.test((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return null;
}

function watchQuietly(file: string, look: () => void): FSWatcher | null {
  try {
    const watcher = watch(file, look);
    watcher.on('error', () => watcher.close()); // the poll goes on
    return watcher;
  } catch {
    return null; // no watches left: the poll does it
  }
}

/** The end of the file as text; nothing for one that is not there. */
export function readEnd(file: string, maxBytes: number): string {
  const descriptor = openRegular(file);
  if (descriptor === null) return '';
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const length = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}
