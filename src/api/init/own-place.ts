// Files at the root of the workspace that `init` makes or adds to: what is there, and whether it can be written. Everything is looked at
// before the first write.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isNeverKept } from '../../files/disk/tree-path.ts';
import { readNotes } from '../files/read-text.ts';
import { realPath } from '../files/real-path.ts';
import { withOutage } from '../files/with-outage.ts';
import { writeMistake } from '../files/write-mistake.ts';
import { Refusal } from '../refusal.ts';
import { letsReplace, openToAllRefusal, otherOwner, statsOf } from '../trust/owner.ts';
import { leadsOut, type Workspace } from '../workspace.ts';

/** A way out that fits the file, such as a flag that leaves it out. */
type WayOut = string | undefined;

/** The text of a file; null: nothing is there. Whatever else is in its place refuses everything. */
export function findText(root: string, path: string, wayOut?: WayOut): string | null {
  if (!statsOf(join(root, path))) return null;
  const real = realFile(root, path, wayOut);
  const found = statSync(real);
  if (!found.isFile()) throw refused(path, found.isDirectory() ? 'is a folder' : 'is no plain file', wayOut);
  try {
    return readNotes(real, path);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(2, `${error.message}; ${nothing}`, instead(wayOut));
    throw error;
  }
}

/** A file that has to be changed, removed or made. */
export function refuseUnwritable(root: string, path: string, wayOut: WayOut = 'make it writable'): void {
  const isNew = !statsOf(join(root, path));
  const real = isNew ? join(root, path) : realFile(root, path, wayOut);
  const places = isNew ? [dirname(real)] : [real, dirname(real)];
  for (const place of places) {
    const because = notWritable(place);
    if (because !== null)
      throw refused(path, place === real ? because : `cannot be written: ${place} ${because}`, wayOut);
  }
}

/** A workspace in which the next command would refuse what is written now. */
export function refuseOthersFolder({ root, isGiven }: Workspace): void {
  if (isGiven) return;
  const other = otherOwner(root);
  if (other !== null)
    throw new Refusal(2, `${root} belongs to another user (${other}); ${nothing}`, {
      instead: `work as that user, or in a folder of yours; if you mean it: SIGNALBOX_WORKSPACE=${root}`,
    });
  if (letsReplace(root)) throw openToAllRefusal(root, nothing, root);
}

/** A bare repository is read by git alone. */
export function refuseBare(root: string): void {
  if (!['HEAD', 'objects', 'refs'].every((name) => statsOf(join(root, name)))) return;
  throw new Refusal(2, `${root} is a bare git repository, which nobody works in; ${nothing}`, {
    instead: 'call it in a clone',
  });
}

/** Where it is, or what it leads to if it is a link. */
function realFile(root: string, path: string, wayOut: WayOut): string {
  if (!statsOf(join(root, path))!.isSymbolicLink()) return join(root, path);
  const real = realPath(join(root, path));
  const way = relative(realPath(root), real).split(sep).join('/');
  if (leadsOut(way)) throw refused(path, `is a link that leads out of the workspace (${real})`, wayOut);
  if (isNeverKept(way)) throw refused(path, `is a link into ${way.split('/')[0]}`, wayOut);
  if (!statsOf(real) || statsOf(real)!.isSymbolicLink()) throw refused(path, 'is a link that leads nowhere', wayOut);
  return real;
}

/** Root could write what is read-only all the same; whoever took the right away meant everybody. */
export function notWritable(place: string): string | null {
  if ((statSync(place).mode & 0o222) === 0) return 'is read-only';
  try {
    accessSync(place, constants.W_OK);
    return null;
  } catch (error) {
    if (writeMistake(error) === undefined) throw error;
    return 'may not be written by this user';
  }
}

/** Writes a file that is as it was when it was looked at: what somebody has made or changed since is theirs. @param trouble see withOutage */
export function asTheyWere(path: string, trouble: string, write: () => void): void {
  try {
    withOutage(trouble, write);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ECHANGED') throw error;
    throw new Refusal(2, `${path} was written by somebody else meanwhile; ${nothing}`, { instead: 'try again' });
  }
}

/** Nothing is written but what a person has agreed to. */
export function refuseOther(changes: readonly object[], shown: readonly object[] | undefined): void {
  if (shown === undefined || JSON.stringify(shown) === JSON.stringify(changes)) return;
  throw new Refusal(2, `the files were changed while you were asked; ${nothing}`, { instead: 'try again' });
}

export const nothing = 'nothing was written';

const refused = (path: string, because: string, wayOut: WayOut): Refusal =>
  new Refusal(2, `${path} ${because}; ${nothing}`, instead(wayOut));

const instead = (wayOut: WayOut) => (wayOut === undefined ? {} : { instead: wayOut });
