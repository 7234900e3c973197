// A tree that is used over and over, such as the one of the merge queue. It stands on a commit without a branch, and looks as if it were
// just made, but for ignored files: installed packages are worth keeping. One that a kill has left half made is made anew.
import { pastStaleLock } from '../commits/ref-lock.ts';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import type { Overrides } from '../switched-off.ts';
import { untilNobodyWorks } from './left-at-work.ts';
import { entriesOf, freeEntry, leadsTo, removeFolder } from './tree-entries.ts';
import { commitOf, makeTree, patience, type TreeWish } from './trees.ts';

/**
 * Only one may use the tree at a time.
 * @returns git's own folder of the tree, which goes when the tree is made anew
 */
export async function resetTree(
  repository: GitCaller,
  { folder, commit }: Pick<TreeWish, 'folder' | 'commit'>,
): Promise<string> {
  await untilNobodyWorks(repository, folder);
  const entries = entriesOf(repository, folder);
  const [entry, ...more] = entries;
  if (entry !== undefined && more.length === 0 && leadsTo(folder, entry)) {
    const isThere = await bringTo(repository, { folder, commit, entry }).catch((error) => {
      if (error instanceof GitTrouble) return false;
      throw error;
    });
    if (isThere) return entry;
  }
  removeFolder(folder);
  for (const one of entries) removeFolder(one);
  await makeTree(repository, { folder, commit, branch: null });
  return entriesOf(repository, folder)[0]!;
}

async function bringTo(
  repository: GitCaller,
  { folder, commit, entry }: Pick<TreeWish, 'folder' | 'commit'> & { readonly entry: string },
): Promise<boolean> {
  freeEntry(entry);
  const limitMs = patience(repository);
  await repository.run({ args: ['checkout', '--detach', '--force', '--quiet', commit], limitMs }, folder);
  // Twice forced: repositories inside, too.
  await repository.run({ args: ['clean', '-ffd', '--quiet'], limitMs }, folder);
  return (await commitOf(repository, 'HEAD', folder)) === commit;
}

/**
 * A tree that nobody works in any more stands at its commit again: operations are given up, and changes dropped. The caller has kept them.
 * @param everything the tree of git with all that goes. What is not in it stays: ignored files, and what is never committed
 */
export async function clearTree(repository: GitCaller, folder: string, everything: string): Promise<void> {
  for (const operation of ['rebase', 'am', 'bisect']) {
    const args = operation === 'bisect' ? ['bisect', 'reset', 'HEAD'] : [operation, '--quit'];
    await repository.run({ args }, folder).catch(() => undefined);
  }
  // Git removes only what it knows.
  await repository.run({ args: ['read-tree', '--reset', everything] }, folder);
  const drop = (settings: Overrides = []) => repository.run({ args: ['reset', '--hard', '--quiet'], settings }, folder);
  const { bytes, code } = await repository.run({ args: ['symbolic-ref', '--quiet', 'HEAD'], answers: [0, 1] }, folder);
  // A git that was killed may have left a lock of the branch, which would be in the way of the person's own git, too.
  await (code === 0 ? pastStaleLock(repository, bytes.toString('utf8').trim(), drop) : drop());
}
