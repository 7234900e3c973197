// Git's own folder of each tree: finding it without believing what is in the tree, taking away what a killed git left in it, removing it.
import { chmodSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { findGitFolders } from '../git-folders.ts';

/** Git's own folders of the tree. A kill may have left one that git does not list. */
export function entriesOf(repository: GitCaller, folder: string): string[] {
  const link = join(realParent(folder), '.git');
  return allEntries(repository).filter((entry) => resolve(entry, textOf(join(entry, 'gitdir'))) === link);
}

/** Those that would have become the tree's: a git was killed before it wrote where the tree is. Nothing is in them. */
export function begunEntries(repository: GitCaller, folder: string): string[] {
  return allEntries(repository).filter((entry) => {
    const isItsName = basename(entry).replace(/\d*$/, '') === basename(folder).replace(/\d*$/, '');
    const isEmpty = readdirSync(entry).every((name) => name === 'locked' || name === 'gitdir');
    return isItsName && isEmpty && textOf(join(entry, 'gitdir')) === '' && isOld(entry);
  });
}

/**
 * Entries of trees that were only begun: nobody has worked there. Git reads its list of trees no more while there is one, in the person's
 * own calls neither.
 * @returns how many there are, gone or too young to be given up
 */
export function removeUnreadable(repository: GitCaller): number {
  const unreadable = allEntries(repository).filter(
    (entry) =>
      lstatSync(join(entry, 'commondir'), { throwIfNoEntry: false })?.size === 0 &&
      textOf(join(entry, 'locked')) === 'initializing' &&
      !lstatSync(join(entry, 'index'), { throwIfNoEntry: false }),
  );
  for (const entry of unreadable.filter(isOld)) removeFolder(entry);
  return unreadable.length;
}

/** Whoever makes a tree now writes that within milliseconds. */
const isOld = (entry: string): boolean => Date.now() - lstatSync(entry).mtimeMs >= 5_000;

function allEntries({ place }: GitCaller): string[] {
  const folders = findGitFolders(place.root);
  if (folders === null) throw new GitTrouble(`${place.root} is in no repository`);
  const all = join(folders.common, 'worktrees');
  if (!lstatSync(all, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(all, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? join(all, one.name) : []));
}

/** Where the folder is, or would be. */
function realParent(folder: string): string {
  const parent = dirname(folder);
  const isThere = lstatSync(parent, { throwIfNoEntry: false }) !== undefined;
  return join(isThere ? realpathSync.native(parent) : parent, folder.slice(parent.length));
}

/** Whoever held the locks was killed; `locked` is left by one that was killed when it made the tree. Only where nobody works any more. */
export function freeEntry(entry: string): void {
  for (const name of readdirSync(entry)) if (/\.lock$|^locked$/.test(name)) rmSync(join(entry, name), { force: true });
}

/** What is not a link of git's to this very entry would let git work in another tree. */
export function leadsTo(folder: string, entry: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const said = /^gitdir: (.+)$/m.exec(textOf(join(folder, '.git')))?.[1];
  return said !== undefined && resolve(folder, said) === entry;
}

function textOf(file: string): string {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8').trim() : '';
}

/** Follows no link. Folders that nobody may write to are made writable first: package managers leave such. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    unlock(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function unlock(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(join(folder, entry.name));
}
