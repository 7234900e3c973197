// Whose files are: what another user of the machine could have written is not taken for ours.
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../../core/model/command-line.ts';
import { realPath } from '../files/real-path.ts';
import { Refusal } from '../refusal.ts';

/** The way out where everybody can write: close it, or mean it. */
export const openToAllRefusal = (open: string, what: string, root: string): Refusal =>
  new Refusal(2, `everybody on this machine can write to ${open}, so ${what}`, {
    instead: `take that right away: chmod o-w ${quoted(open)}; if you mean it: SIGNALBOX_WORKSPACE=${root}`,
  });

/** The number of the other user whom a path, or what it links to, belongs to. Null: it is this user's or root's, or not there. */
export function otherOwner(path: string): number | null {
  const found = statsOf(path);
  if (!found) return null;
  const target = found.isSymbolicLink() ? look(() => statSync(path, { throwIfNoEntry: false })) : undefined;
  return [found, target].find((stats) => stats && isOther(stats.uid))?.uid ?? null;
}

const writableByAll = 0o002;
const sticky = 0o1000;

/**
 * What lets everybody on the machine write a path: itself, what it links to, or a folder where it can be replaced. Null: nothing. Groups
 * do not count: many systems give each user one.
 */
export function openToAll(path: string): string | null {
  const real = realPath(path);
  const found = look(() => statSync(real, { throwIfNoEntry: false }));
  if (!found) return null;
  if (found.mode & writableByAll) return real;
  return [dirname(path), dirname(real)].find(letsReplace) ?? null;
}

/** In a folder like /tmp, nobody takes away what another has put there. */
export function letsReplace(folder: string): boolean {
  const found = look(() => statSync(folder, { throwIfNoEntry: false }));
  return found !== undefined && (found.mode & (writableByAll | sticky)) === writableByAll;
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
