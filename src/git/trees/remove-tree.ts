// Removes worktrees and branches, only where nothing is lost with them. Git itself removes: where it refuses, the tree stays, and the
// reason is said. Each function answers with the end of a sentence, or null where it is done.
import { existsSync, lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { openOperations } from '../commits/open-operations.ts';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { listTrees } from './trees.ts';

/** Why a tree is not to be removed. @param home a folder of ours that it lies in */
export async function whyKept(repository: GitCaller, folder: string, home: string): Promise<string | null> {
  const way = wayTo(folder, home);
  if (way !== 'plain') return way === 'gone' ? null : `${way.link} is no plain folder`;
  const [begun] = await openOperations(repository, folder);
  if (begun !== undefined) return `${begun} was begun in it and not ended`;
  const args = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignore-submodules=none'];
  if ((await repository.run({ args }, folder)).bytes.length > 0) return 'it has changes that are not committed';
  const gitFolder = await repository.line({ args: ['rev-parse', '--absolute-git-dir'] }, folder);
  // Their commits are kept there, and go with it.
  return existsSync(join(gitFolder, 'modules'))
    ? 'it has submodules, and nobody knows whether their commits are elsewhere'
    : null;
}

/** `link`: what is no folder on the way, and is never followed. */
export function wayTo(folder: string, home: string): 'plain' | 'gone' | { readonly link: string } {
  const names = relative(home, folder).split(sep);
  for (let at = 0; at <= names.length; at++) {
    const path = join(home, ...names.slice(0, at));
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return 'gone';
    if (!stats.isDirectory()) return { link: path };
  }
  return 'plain';
}

export async function removeTree(repository: GitCaller, folder: string): Promise<string | null> {
  const told = await said(repository, ['worktree', 'remove', '--', folder]);
  if (lstatSync(folder, { throwIfNoEntry: false })) return told ?? 'git says that it is removed, and it is still there';
  return (await listTrees(repository)).some((one) => one.folder === folder) ? (told ?? 'git still knows it') : null;
}

/** @param head it is only removed where it still stands there */
export async function removeBranch(repository: GitCaller, branch: string, head: string): Promise<string | null> {
  const there = (await listTrees(repository)).find((one) => one.branch === branch);
  return there
    ? `it is checked out in ${there.folder}`
    : said(repository, ['update-ref', '-d', `refs/heads/${branch}`, head]);
}

async function said(repository: GitCaller, args: readonly string[]): Promise<string | null> {
  try {
    await repository.run({ args, limitMs: longMs });
    return null;
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    return error.message;
  }
}

/** Installed packages are many files. */
const longMs = 600_000;
