// Turns what SQLite and the file system throw into outages with a way out. What is neither is a bug, and passes as it is.
import { closeSync, openSync } from 'node:fs';
import { Outage, type OutageKind } from '../outage.ts';

export interface Trouble {
  /** The database file. */
  readonly file: string;
  /** Asked only after an I/O error: on a full disk SQLite calls some failures (growing the -shm file) I/O errors too. */
  readonly freeBytes: () => number;
}

export function toOutage(error: unknown, { file, freeBytes }: Trouble): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof Outage && (error.kind !== 'broken-database' || error.message.includes(file))) return error;
  // Damage that was found above SQLite (a gap, a text that is no JSON) knows neither the file nor the way out.
  const kind = error instanceof Outage ? 'broken-database' : kindOf(codeOf(error), freeBytes);
  return kind === null ? error : new Outage(kind, `${sentences[kind](file)} (${error.message})`, { cause: error });
}

/** The code of a SQLite or system error; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

type Told = Extract<OutageKind, 'busy' | 'disk-full' | 'read-only' | 'broken-database' | 'open-files' | 'io'>;

/** SQLITE_PROTOCOL is a race for the WAL's locks that was lost too often: the same as busy. */
const byCode: readonly (readonly [RegExp, Told])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, 'busy'],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'disk-full'],
  [/^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EROFS|EACCES|EPERM)/, 'read-only'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'broken-database'],
  [/^(EMFILE|ENFILE)/, 'open-files'],
  [/^(SQLITE_(IOERR|NOMEM|NOLFS)|EIO|ENOTDIR|ENOENT|ELOOP|ENAMETOOLONG)/, 'io'],
];

/** One page and its frame would not fit. */
const nothingFits = 64 * 1024;

function kindOf(code: string, freeBytes: () => number): Told | null {
  const kind = byCode.find(([pattern]) => pattern.test(code))?.[1] ?? null;
  // SQLite does not tell why it could not open a file.
  if (/^SQLITE_(CANTOPEN|IOERR)/.test(code) && !mayOpenMore()) return 'open-files';
  return kind === 'io' && freeBytes() < nothingFits ? 'disk-full' : kind;
}

/** The database, its -wal and -shm, their folder, and some for temporary files: when it failed, SQLite has closed those it had. */
const filesOfDatabase = 8;

function mayOpenMore(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < filesOfDatabase) opened.push(openSync('/dev/null', 'r'));
    return true;
  } catch (error) {
    return !/^(EMFILE|ENFILE)$/.test(codeOf(error));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

const sentences: Readonly<Record<Told, (file: string) => string>> = {
  busy: (file) => `The database ${file} is busy: another process is writing to it. Try again.`,
  'disk-full': (file) =>
    `The disk is full: nothing more can be recorded in ${file}. What was recorded before is safe; free some space and run again.`,
  'read-only': (file) =>
    `The state in ${file} cannot be written or opened: its folder or file is read-only for this user. Make it writable, or work in a copy.`,
  'broken-database': (file) =>
    `The database ${file} is broken. It was left as it is; the next "signalbox run" keeps it aside under another name and takes the state from status.json, or else from the plan.`,
  'open-files': (file) =>
    `Too many open files: ${file} cannot be opened. Raise the limit (ulimit -n), or run less at the same time.`,
  io: (file) => `Reading or writing ${file} failed. What was recorded before is safe; check the disk and run again.`,
};
