// Worktrees of the workspace's repository. Each is judged by its state and never by git's exit code: a hook of the repository may fail
// behind a whole tree, and a kill may leave half of one. What could not be made is undone, and nothing else is.
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { type GitCaller, GitTrouble, splitNames } from '../git-caller.ts';
import { removeUnreadable } from './tree-entries.ts';

export interface TreeWish {
  /** Absolute; its parent is ours. */
  readonly folder: string;
  /** A whole name: full length. */
  readonly commit: string;
  /** The branch that is made for it and checked out; null: none is. */
  readonly branch: string | null;
}

export interface TreeEntry {
  readonly folder: string;
  readonly head: string;
  /** Without `refs/heads/`; null: none is checked out. */
  readonly branch: string | null;
  /** Its folder is gone. */
  readonly isGone: boolean;
}

/** The worktrees that the repository knows, the first one too. */
export async function listTrees(repository: GitCaller): Promise<TreeEntry[]> {
  const bytes = await listed(repository);
  const entries: TreeEntry[] = [];
  let fields = new Map<string, string>();
  for (const field of splitNames(bytes).map(String)) {
    if (field !== '') {
      const at = field.indexOf(' ');
      fields.set(at === -1 ? field : field.slice(0, at), at === -1 ? '' : field.slice(at + 1));
      continue;
    }
    entries.push({
      folder: fields.get('worktree') ?? '',
      head: fields.get('HEAD') ?? '',
      branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
      isGone: fields.has('prunable'),
    });
    fields = new Map();
  }
  return entries;
}

/** Longer than a half-made entry stays, unless its time lies in the future. */
const mostWaitMs = 10_000;

async function listed(repository: GitCaller): Promise<Buffer> {
  for (const until = performance.now() + mostWaitMs; ; ) {
    try {
      return (await repository.run({ args: ['worktree', 'list', '--porcelain', '-z'] })).bytes;
    } catch (error) {
      // A git that was killed while it made a tree may have left an entry that no git can read.
      if (!(error instanceof GitTrouble) || performance.now() > until || removeUnreadable(repository) === 0)
        throw error;
      await passed(100);
    }
  }
}

/** One after the other: git writes to files that all trees share. */
let last: Promise<unknown> = Promise.resolve();

/** @throws GitTrouble with nothing left behind */
export function makeTree(repository: GitCaller, wish: TreeWish): Promise<void> {
  const made = last.then(() => make(repository, wish));
  last = made.catch(() => undefined);
  return made;
}

async function make(repository: GitCaller, wish: TreeWish): Promise<void> {
  if ((await lookAt(repository, wish)) === null) return;
  const { folder, branch, commit } = wish;
  if (lstatSync(folder, { throwIfNoEntry: false })) throw new GitTrouble(`${folder} is there already`);
  const isNewBranch = branch !== null && (await commitOf(repository, `refs/heads/${branch}`)) === null;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const how = branch === null ? ['--detach'] : isNewBranch ? ['--no-track', '-b', branch] : [];
  const from = branch !== null && !isNewBranch ? branch : commit;
  // Without a deadline that fits, a large repository could never be checked out.
  const call = { args: ['worktree', 'add', '--force', ...how, '--', folder, from], limitMs: patience(repository) };
  const told = await repository.run(call).then(
    () => null,
    (error: Error) => error.message,
  );
  const wrong = await lookAt(repository, wish).catch((error: Error) => error.message);
  if (wrong === null) return;
  await undo(repository, wish, isNewBranch);
  throw new GitTrouble(told ?? wrong);
}

/** What is wrong with the tree, as the end of a sentence; null: it is as it was wished. */
async function lookAt(
  repository: GitCaller,
  { folder, commit, branch }: TreeWish,
  stays: (entry: Buffer) => boolean = () => false,
): Promise<string | null> {
  if (!existsSync(folder)) return `${folder} is missing`;
  const real = realpathSync.native(folder);
  const entry = (await listTrees(repository)).find((one) => one.folder === real);
  if (!entry) return `${folder} is no tree of the repository`;
  if (entry.branch !== branch) return `${folder} has another branch checked out`;
  if (entry.head !== commit) return `${folder} stands on another commit`;
  // A submodule has a configuration of its own, which may name programs: nobody looks into it.
  const args = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
  const entries = await repository.names({ args }, folder);
  return entries.every(stays) ? null : `${folder} has changes`;
}

/** Exactly what a failed attempt to make it has left. */
async function undo(repository: GitCaller, { folder, commit, branch }: TreeWish, isNewBranch: boolean): Promise<void> {
  const parent = realpathSync.native(dirname(folder));
  const real = join(parent, folder.slice(dirname(folder).length + 1));
  const entry = (await listTrees(repository)).find((one) => one.folder === real);
  if (entry)
    await repository.run({ args: ['worktree', 'remove', '--force', '--force', '--', folder] }).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
  if (entry) await repository.run({ args: ['worktree', 'prune'] });
  if (isNewBranch && branch !== null)
    await repository.run({ args: ['update-ref', '-d', `refs/heads/${branch}`, commit] }).catch(() => undefined);
}

/** By the size of the index: 375,000 files took 40 s. */
export function patience({ place }: GitCaller): number {
  const index = statSync(join(place.root, '.git', 'index'), { throwIfNoEntry: false })?.size ?? 0;
  return 120_000 + (index / 100) * 2;
}

/** The commit that a name stands for; null: there is none of that name. */
export async function commitOf(repository: GitCaller, name: string, cwd?: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { bytes, code } = await repository.run({ args, answers: [0, 1, 128] }, cwd);
  return code === 0 ? bytes.toString('latin1').trim() : null;
}

export async function tipOf(repository: GitCaller, branch: string): Promise<string> {
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === null) throw new GitTrouble(`the branch ${branch} is gone`);
  return tip;
}

/**
 * Lets a tree that stands idle begin anew on a branch of its own. Ignored files stay: installed packages are worth keeping.
 * @param stays what else may differ there, as `git status` tells it
 */
export function beginAnew(
  repository: GitCaller,
  wish: TreeWish & { readonly branch: string },
  stays?: (entry: Buffer) => boolean,
): Promise<void> {
  const begun = last.then(async () => {
    if ((await lookAt(repository, wish, stays)) === null) return;
    const { folder, branch, commit } = wish;
    const isNewBranch = (await commitOf(repository, `refs/heads/${branch}`)) === null;
    const how = isNewBranch ? ['--no-track', '-c', branch, commit] : [branch];
    const told = await repository
      .run({ args: ['switch', '--quiet', ...how], limitMs: patience(repository) }, folder)
      .then(
        () => null,
        (error: Error) => error.message,
      );
    const wrong = await lookAt(repository, wish, stays);
    if (wrong !== null) throw new GitTrouble(told ?? wrong);
  });
  last = begun.catch(() => undefined);
  return begun;
}
