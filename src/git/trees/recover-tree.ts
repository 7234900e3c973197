// The folder of a task before its tree is used or made. A kill may have left half a tree, and whoever worked there may have broken it.
//
//   what is there                                      what becomes of it
//   nothing, or an empty folder                        it goes, with the entries of git that lead there
//   a tree that git can work in                        it stays, without the locks of a killed git
//   half a tree without our mark                       it goes: the mark is written when a tree is whole, so nobody has worked there
//   a tree with our mark that git cannot work in,      moved aside, with git's own folder of it: there may be work in it
//   or files that git knows nothing of
import { cpSync, existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { untilNobodyWorks } from './left-at-work.ts';
import { begunEntries, entriesOf, freeEntry, leadsTo, removeFolder } from './tree-entries.ts';
import { isMarked } from './tree-marker.ts';

export interface RecoveredTree {
  /** There is a tree that git can work in. */
  readonly isThere: boolean;
  /** Where the files of one are now in which git cannot work; null: there was none. */
  readonly movedTo: string | null;
}

/** No agent works there any more. */
export async function recoverTree(repository: GitCaller, folder: string): Promise<RecoveredTree> {
  await untilNobodyWorks(repository, folder);
  for (const entry of begunEntries(repository, folder)) removeFolder(entry);
  const entries = entriesOf(repository, folder);
  if (hasOwnEntry(folder, entries) && (await canWorkIn(repository, folder))) return { isThere: true, movedTo: null };
  if (mayHaveWork(folder, entries)) return { isThere: false, movedTo: moveAside(folder, entries) };
  // The folder first: without its entry nobody knew that it is only half a tree.
  removeFolder(folder);
  for (const entry of entries) removeFolder(entry);
  return { isThere: false, movedTo: null };
}

/** Takes away the locks of a git that was killed there. @throws GitTrouble where git would work in another tree, or in none */
export async function freeTree(repository: GitCaller, folder: string): Promise<void> {
  await untilNobodyWorks(repository, folder);
  if (!hasOwnEntry(folder, entriesOf(repository, folder)))
    throw new GitTrouble(`${folder} is no tree of the repository any more`);
}

/** One, without locks from now on, to which the folder leads. */
function hasOwnEntry(folder: string, [entry, ...more]: readonly string[]): boolean {
  if (entry === undefined || more.length > 0 || !leadsTo(folder, entry)) return false;
  freeEntry(entry);
  return true;
}

/** There is a commit, and an index that can be read. */
async function canWorkIn(repository: GitCaller, folder: string): Promise<boolean> {
  try {
    await repository.run({ args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] }, folder);
    await repository.run({ args: ['ls-files', '--unmerged'] }, folder);
    return true;
  } catch (error) {
    if (error instanceof GitTrouble) return false;
    throw error;
  }
}

function mayHaveWork(folder: string, entries: readonly string[]): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats || (stats.isDirectory() && readdirSync(folder).length === 0)) return false;
  return entries.length === 0 || entries.some(isMarked);
}

/** Git's own folders first: a folder that none belongs to is moved by whoever comes next. */
function moveAside(folder: string, entries: readonly string[]): string {
  const isTaken = (n: number) => ['', '.git'].some((end) => existsSync(`${folder}.broken-${n}${end}`));
  let n = 1;
  while (isTaken(n)) n++;
  const aside = `${folder}.broken-${n}`;
  entries.forEach((entry, i) => {
    // It may be on another disk.
    cpSync(entry, `${aside}.git${i === 0 ? '' : i + 1}`, { recursive: true, verbatimSymlinks: true });
    removeFolder(entry);
  });
  renameSync(folder, aside);
  return aside;
}
