// Reads files that an agent or a repository may have written: nothing but plain files, and never more of them than was asked for.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export interface Beginning {
  readonly text: string;
  /** There is more. */
  readonly isCut: boolean;
}

/** Of a plain file, also behind a link; null: there is none. */
export const beginningOf = (file: string, mostBytes: number): Beginning | null =>
  readPlain(file, 0, (fd, size) => ({
    // Half a character at the end is none.
    text: pieceOf(fd, 0, Math.min(size, mostBytes)).replace(/\uFFFD$/, ''),
    isCut: size > mostBytes,
  }));

/** The beginning and the end of a plain file that is no link; empty: there is none. */
export const endsOf = (file: string, mostBytes: number): string =>
  readPlain(file, constants.O_NOFOLLOW, (fd, size) => {
    const head = pieceOf(fd, 0, Math.min(size, mostBytes));
    return size <= mostBytes ? head : `${head}\n${pieceOf(fd, Math.max(mostBytes, size - mostBytes), mostBytes)}`;
  }) ?? '';

/** A pipe does not block where it is opened this way, and is then seen to be none. */
function readPlain<T>(file: string, flags: number, read: (fd: number, size: number) => T): T | null {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() ? read(fd, stat.size) : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

function pieceOf(fd: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, from));
}
