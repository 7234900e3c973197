// Remembers the `status.json` that was put in its place, by its inode, size and time: one that is still the same was touched by nobody, so
// it is whole, and what was made of the log up to its number. The same of its backup, which was a `status.json` before. Kept apart, where
// nobody else writes, and worth nothing to anybody else: whoever loses it makes the next one from the beginning.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeName, type OutputPlaces } from './output-places.ts';

type Pair = Pick<OutputPlaces, 'status' | 'backup'>;

/**
 * @param folder private; made when it is needed.
 * @param good the backup was put there along with it.
 */
export function notePlaced(folder: string, { status, backup }: Pair, good = false): void {
  const kept = identityOf(backup);
  // What was there is the backup now, or what was the backup still is.
  const known = good ? [kept] : readNote(folder, status);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(
    noteOf(folder, status),
    `${identityOf(status)}\n${kept !== null && known.includes(kept) ? kept : ''}\n`,
  );
}

export function isAsPlaced(folder: string, { status }: Pair): boolean {
  const identity = identityOf(status);
  return identity !== null && readNote(folder, status)[0] === identity;
}

/** True also when there is none, and none was known. */
export function isBackupAsPlaced(folder: string, { status, backup }: Pair): boolean {
  return readNote(folder, status)[1] === (identityOf(backup) ?? '');
}

const noteOf = (folder: string, file: string): string => join(folder, encodeName(file));

function readNote(folder: string, file: string): readonly string[] {
  try {
    return readFileSync(noteOf(folder, file), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}` : null;
}
