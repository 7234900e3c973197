// Whose files are: what another user of the machine could have written is not taken for ours.
import { lstatSync, type Stats, statSync } from 'node:fs';

/** The number of the other user whom a path, or what it links to, belongs to. Null: it is this user's or root's, or not there. */
export function otherOwner(path: string): number | null {
  const found = statsOf(path);
  if (!found) return null;
  const target = found.isSymbolicLink() ? look(() => statSync(path, { throwIfNoEntry: false })) : undefined;
  return [found, target].find((stats) => stats && isOther(stats.uid))?.uid ?? null;
}

export const isOther = (uid: number): boolean => {
  const me = process.getuid?.();
  return me !== undefined && uid !== me && uid !== 0;
};

export const isThere = (path: string): boolean => statsOf(path) !== undefined;

/** Of a link, its own. */
export const statsOf = (path: string): Stats | undefined => look(() => lstatSync(path, { throwIfNoEntry: false }));

/** Behind a file, or in a folder that is closed to us, there is nothing for us. */
function look(at: () => Stats | undefined): Stats | undefined {
  try {
    return at();
  } catch (error) {
    if (/^(ENOTDIR|EACCES|ELOOP|ENAMETOOLONG)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
