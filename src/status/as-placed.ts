// Remembers the `status.json` that was put in its place, by its inode, size and time: one that is still the same was touched by nobody, so
// it is whole, and what was made of the log up to its number. Kept apart, where nobody else writes, and worth nothing to anybody else:
// whoever loses it makes the next one from the beginning.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeName } from './output-places.ts';

/** @param folder private; made when it is needed. */
export function notePlaced(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(noteOf(folder, file), identityOf(file));
}

export function isAsPlaced(folder: string, file: string): boolean {
  try {
    return readFileSync(noteOf(folder, file), 'utf8') === identityOf(file);
  } catch {
    return false;
  }
}

const noteOf = (folder: string, file: string): string => join(folder, encodeName(file));

function identityOf(file: string): string {
  const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true });
  return `${dev} ${ino} ${size} ${mtimeNs}\n`;
}
