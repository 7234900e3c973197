// The record that workers leave behind of what they started and how it ended: one file per run, appended by all its workers
// and read by whoever adopts their attempts. The truth about an attempt when no runner was there to see it.
//
//   w PID STARTTIME HOST;     the runner started a worker; written before the worker gets its first order
//   s TOKEN PID;              the worker has claimed the attempt and is about to start its program
//   e TOKEN END;              it ended: an exit code, or why it did not start (see `WorkerWord`)
//
// Each record is one append. A full disk can tear one; the semicolon at its end tells a whole record from a torn one, and
// a record is found wherever it begins, so a torn one never takes the next with it.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type HostId, hostId, type ProcessIdentity } from '../../core/model/ids.ts';

/**
 * What a worker says about an end. `claim`: somebody else has the claim, or the output file cannot be created. `journal`: the
 * journal cannot be written. `cd`, `stdin`: the folder or the input is not there. `u126`, `u127`: the program itself, not one
 * that it called, cannot be executed or found.
 */
export type WorkerWord = number | 'claim' | 'journal' | 'cd' | 'stdin' | 'u126' | 'u127';

export interface JournalledAttempt {
  readonly worker: ProcessIdentity | null;
  readonly ended: WorkerWord | null;
}

export const workerRecord = (worker: ProcessIdentity): string =>
  `w ${worker.pid} ${worker.startTime.replaceAll(' ', '_')} ${worker.host};\n`;

export function parseWord(text: string): WorkerWord | null {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  return /^(claim|journal|cd|stdin|u126|u127)$/.test(text) ? (text as WorkerWord) : null;
}

const record = /(?:w (\d+) ([\w:]+) (\w+)|s (\d+) (\d+)|e (\d+) (\w+));\n/g;

/** Reads a journal, also while it grows. A journal that is not there yet is an empty one. */
export class JournalReader {
  readonly #file: string;
  readonly #attempts = new Map<number, JournalledAttempt>();
  readonly #workers = new Map<number, ProcessIdentity>();
  #offset = 0;
  #rest = '';

  constructor(file: string) {
    this.#file = file;
  }

  attempt(token: number): JournalledAttempt | undefined {
    return this.#attempts.get(token);
  }

  /** Those that may still be between two attempts: started, and not in the middle of one. */
  unoccupiedWorkers(): readonly ProcessIdentity[] {
    const occupied = new Set<number>();
    for (const { worker, ended } of this.#attempts.values()) if (worker && ended === null) occupied.add(worker.pid);
    return [...this.#workers.values()].filter((worker) => !occupied.has(worker.pid));
  }

  /** All that were ever started for it. */
  workers(): readonly ProcessIdentity[] {
    return [...this.#workers.values()];
  }

  /** The hosts whose workers wrote it. */
  hosts(): ReadonlySet<HostId> {
    return new Set([...this.#workers.values()].map((worker) => worker.host));
  }

  /** Takes in what was appended since the last time. */
  advance(): void {
    let descriptor: number;
    try {
      // A pipe in its place is not waited for.
      descriptor = openSync(this.#file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    try {
      if (!fstatSync(descriptor).isFile()) return;
      const buffer = Buffer.allocUnsafe(64 * 1024);
      for (;;) {
        const length = readSync(descriptor, buffer, 0, buffer.length, this.#offset);
        if (length === 0) return;
        this.#offset += length;
        this.#takeIn(buffer.toString('latin1', 0, length));
      }
    } finally {
      closeSync(descriptor);
    }
  }

  #takeIn(chunk: string): void {
    const text = this.#rest + chunk;
    let end = 0;
    for (const match of text.matchAll(record)) {
      end = match.index + match[0].length;
      if (match[1]) this.#worker(Number(match[1]), match[2]!.replaceAll('_', ' '), match[3]!);
      else if (match[4]) this.#started(Number(match[4]), Number(match[5]));
      else this.#ended(Number(match[6]), match[7]!);
    }
    // The longest record is far shorter than this; garbage does not pile up.
    this.#rest = text.slice(Math.max(end, text.length - 256));
  }

  #worker(pid: number, startTime: string, host: string): void {
    this.#workers.set(pid, { pid, startTime, host: hostId(host) });
  }

  #started(token: number, pid: number): void {
    this.#attempts.set(token, { worker: this.#workers.get(pid) ?? null, ended: null });
  }

  #ended(token: number, text: string): void {
    const ended = parseWord(text);
    if (ended !== null) this.#attempts.set(token, { worker: this.#attempts.get(token)?.worker ?? null, ended });
  }
}
