// Reads files that people name; they may be anything. Each is read up to a limit, whatever size it claims, and none can make us
// wait for ever: a pipe is opened without waiting for a writer.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../../files/disk/names-in.ts';
import { sizeDiagnostic } from '../../plan/diagnostics/file-size.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { largestFile } from '../../plan/limits.ts';
import { Refusal } from '../refusal.ts';

export class MissingFile extends Refusal {}

/** A plan or settings file as text, or the reason why it cannot be read. It is read again and again, so a pipe is none. */
export function readText(file: string, name: string): string {
  return decoded(name, reading(file, name, { most: largestFile, isSource: false, refuse: tooLargePlan }));
}

/** A file of another tool; a pipe from one will do. `most` is less when it is one of many. */
export function readSource(file: string, name: string, most = largestFile): string {
  const refuse = most < largestFile ? tooLargeTogether : tooLargePlan;
  return decoded(name, reading(file, name, { most, isSource: true, refuse }));
}

/** A text to be kept, not a plan. */
export function readNotes(file: string, name: string): string {
  return decoded(name, reading(file, name, { most: largestFile, isSource: true, refuse: tooLargeNotes }));
}

/** As `readNotes`, for a file that anybody may have written: bytes that are no text are shown as well as possible. */
export function readShown(file: string, name: string): string {
  return reading(file, name, { most: largestFile, isSource: false, refuse: tooLargeNotes }).toString('utf8');
}

/** No more than the start of a small file. */
export function readStart(file: string, name: string, most: number): string {
  return reading(file, name, { most, isSource: false, refuse: null }).toString('utf8');
}

/** All of the standard input, up to the size of a plan. */
export function readInput(isPlan = false): string {
  const name = 'the standard input';
  const refuse = isPlan ? tooLargePlan : tooLargeNotes;
  try {
    return decoded(name, readAll(0, { name, most: largestFile, first: firstPiece, read: readSync, refuse }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') throw new Refusal(2, 'the standard input is empty', { instead: 'name a file' });
    if (code === 'EISDIR') throw new Refusal(2, 'the standard input is a folder', { instead: 'name a file in it' });
    throw error;
  }
}

type Refuse = (name: string, size: number | null) => Refusal;

const tooLargePlan: Refuse = (name, size) =>
  new Refusal(3, `${name} is too large for a plan`, { diagnostics: [sizeDiagnostic(name, size)] });

const tooLargeTogether: Refuse = (name) => {
  const message = `the files up to this one are larger than ${largestFile / 1_000_000} MB together, the most that a plan may have`;
  const diagnostics = [{ ...sizeDiagnostic(name, null), message }];
  return new Refusal(3, `the files up to ${name} are too large for a plan`, { diagnostics });
};

const tooLargeNotes: Refuse = (name) =>
  new Refusal(3, `${name} is larger than ${largestFile / 1_000_000} MB`, { instead: 'split it into several' });

interface Manner {
  /** In bytes. */
  readonly most: number;
  /** Read once, and so from a pipe too. */
  readonly isSource: boolean;
  /** Null: what is behind `most` is not asked for. */
  readonly refuse: Refuse | null;
}

function reading(file: string, name: string, { most, isSource, refuse }: Manner): Buffer {
  let descriptor = -1;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile() && (!isSource || stats.isDirectory())) throw noFile(name, stats);
    // Asked before it is read: a file of gigabytes must not fill the memory.
    if (refuse && stats.isFile() && stats.size > most) throw refuse(name, stats.size);
    // Files of the system claim to be empty and may never end.
    const first = stats.isFile() && stats.size > 0 ? Math.min(stats.size, most) + 1 : firstPiece;
    const read = stats.isFile() ? readSync : patient(name, stats.isFIFO());
    return readAll(descriptor, { name, most, first, read, refuse });
  } catch (error) {
    throw refusalOf(error, file, name);
  } finally {
    if (descriptor >= 0) closeSync(descriptor);
  }
}

/** The nearest name in the folder. */
function nearFile(file: string, name: string): { readonly instead?: string } {
  const near = nearest(basename(file), namesIn(dirname(file)));
  return near === undefined ? {} : { instead: `did you mean ${join(dirname(name), near)}?` };
}

function refusalOf(error: unknown, file: string, name: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new MissingFile(2, `there is no file ${name}`, nearFile(file, name));
    case 'EISDIR':
      return new Refusal(2, `${name === '' ? '.' : name} is a folder; name a file in it`);
    case 'EACCES':
    case 'EPERM':
      return new Refusal(2, `${name} cannot be read by this user`);
    // A socket, or a device that is not there.
    case 'ENXIO':
    case 'ENODEV':
      return new Refusal(2, `${name} is not a file that can be read`);
    case 'ELOOP':
      return new Refusal(2, `${name} is a link that leads to itself`);
    case 'ENAMETOOLONG':
      return new Refusal(2, `there is no file ${name}: its name is too long`);
    default:
      return error;
  }
}

function noFile(name: string, stats: Stats): Refusal {
  if (stats.isDirectory()) return new Refusal(2, `${name === '' ? '.' : name} is a folder; name a file in it`);
  const what = stats.isFIFO() ? 'a pipe' : 'a device';
  return new Refusal(2, `${name} is ${what}, not a file`, {
    instead: 'write the plan to a file: it is read more than once',
  });
}

type Read = (descriptor: number, buffer: Buffer, at: number, length: number, position: null) => number;

interface Pieces {
  readonly name: string;
  readonly most: number;
  /** How much is made room for at first. */
  readonly first: number;
  readonly read: Read;
  readonly refuse: Refuse | null;
}

const firstPiece = 65_536;

/** One byte more than is allowed tells that it is too much. */
function readAll(descriptor: number, { name, most, first, read, refuse }: Pieces): Buffer {
  let bytes = Buffer.allocUnsafeSlow(first);
  let size = 0;
  for (;;) {
    const length = read(descriptor, bytes, size, bytes.length - size, null);
    size += length;
    if (length === 0) return bytes.subarray(0, size);
    if (size > most && refuse) throw refuse(name, null);
    if (size > most) return bytes.subarray(0, most);
    if (size < bytes.length) continue;
    const larger = Buffer.allocUnsafeSlow(Math.min(2 * bytes.length, most + 1));
    bytes.copy(larger);
    free(bytes);
    bytes = larger;
  }
}

const pause = 20;
/** How long a pipe may have no writer, and how long a writer may be silent: a mistake must not look like work. */
const longest = { unopened: 500, silent: 10_000 };

/** Reads from what may have nothing yet. */
function patient(name: string, isPipe: boolean): Read {
  // Until somebody has opened it, a pipe looks as if it were at its end.
  let isOpen = !isPipe;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  return (descriptor, buffer, at, length, position) => {
    for (let waited = 0; ; waited += pause) {
      const found = ifAny(() => readSync(descriptor, buffer, at, length, position));
      if (found !== null && (found > 0 || isOpen || waited >= longest.unopened)) {
        isOpen = true;
        return found;
      }
      if (waited >= longest.silent) throw new Refusal(2, `nothing came from ${name} for ${longest.silent / 1_000} s`);
      Atomics.wait(sleeper, 0, 0, pause);
    }
  };
}

/** Null: there is nothing yet. */
function ifAny(read: () => number): number | null {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

function decoded(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new Refusal(3, `${name} is not text in UTF-8`);
  } finally {
    free(bytes);
  }
}

/** Freed at once: the collector does not see how large the buffer is, and reading the text needs the room. */
function free(bytes: Buffer): void {
  (bytes.buffer as ArrayBuffer & { transfer(length: number): ArrayBuffer }).transfer(0);
}
