// A tree that is used over and over, such as the one of the merge queue. It stands on a commit without a branch, and looks as if it were
// just made, but for ignored files: installed packages are worth keeping. One that a kill has left half made is made anew.
import { chmodSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { commitOf, makeTree, patience, type TreeWish } from './trees.ts';

/**
 * Only one may use the tree at a time.
 * @returns git's own folder of the tree, which goes when the tree is made anew
 */
export async function resetTree(
  repository: GitCaller,
  { folder, commit }: Pick<TreeWish, 'folder' | 'commit'>,
): Promise<string> {
  const entries = await entriesOf(repository, folder);
  const [entry, ...more] = entries;
  if (entry !== undefined && more.length === 0 && leadsTo(folder, entry)) {
    const isThere = await bringTo(repository, { folder, commit, entry }).catch((error) => {
      if (error instanceof GitTrouble) return false;
      throw error;
    });
    if (isThere) return entry;
  }
  remove(folder);
  for (const one of entries) remove(one);
  await makeTree(repository, { folder, commit, branch: null });
  return (await entriesOf(repository, folder))[0]!;
}

async function bringTo(
  repository: GitCaller,
  { folder, commit, entry }: Pick<TreeWish, 'folder' | 'commit'> & { readonly entry: string },
): Promise<boolean> {
  // Whoever held them was killed; `locked` is left by one that was killed when it made the tree.
  for (const name of readdirSync(entry)) if (/\.lock$|^locked$/.test(name)) rmSync(join(entry, name));
  const limitMs = patience(repository);
  await repository.run({ args: ['checkout', '--detach', '--force', '--quiet', commit], limitMs }, folder);
  // Twice forced: repositories inside, too.
  await repository.run({ args: ['clean', '-ffd', '--quiet'], limitMs }, folder);
  return (await commitOf(repository, 'HEAD', folder)) === commit;
}

/** Git's own folders of the tree. A kill may have left one that git does not list. */
async function entriesOf(repository: GitCaller, folder: string): Promise<string[]> {
  const shared = await repository.line({ args: ['rev-parse', '--path-format=absolute', '--git-common-dir'] });
  const all = join(shared, 'worktrees');
  if (!lstatSync(all, { throwIfNoEntry: false })?.isDirectory()) return [];
  const link = join(realParent(folder), '.git');
  return readdirSync(all, { withFileTypes: true })
    .flatMap((one) => (one.isDirectory() ? join(all, one.name) : []))
    .filter((entry) => resolve(entry, textOf(join(entry, 'gitdir'))) === link);
}

/** Where the folder is, or would be. */
function realParent(folder: string): string {
  const parent = dirname(folder);
  const isThere = lstatSync(parent, { throwIfNoEntry: false }) !== undefined;
  return join(isThere ? realpathSync.native(parent) : parent, folder.slice(parent.length));
}

/** What is not a link of git's to this very entry would let git work in another tree. */
function leadsTo(folder: string, entry: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const said = /^gitdir: (.+)$/m.exec(textOf(join(folder, '.git')))?.[1];
  return said !== undefined && resolve(folder, said) === entry;
}

function textOf(file: string): string {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8').trim() : '';
}

/** Follows no link. Folders that nobody may write to are made writable first: package managers leave such. */
function remove(folder: string): void {
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
