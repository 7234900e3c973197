// The tree of an attempt before it starts: where the results stand, with what earlier attempts of the task did and could not be merged.
//
//   no earlier work, or all of it is merged     the branch begins at the results
//   earlier work that merges cleanly            it begins at both, merged
//   earlier work in conflict with the results   it begins at the results, with the merge in progress for the agent to resolve
import type { WorkOnBranch } from '../../core/model/failure.ts';
import { setBranch } from '../../git/commits/branches.ts';
import { commitTree, identity } from '../../git/commits/commit-work.ts';
import { isContained, mergeInto } from '../../git/commits/merge.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { recoverTree } from '../../git/trees/recover-tree.ts';
import { clearTree, resetTree } from '../../git/trees/reset-tree.ts';
import { beginAnew, commitOf, makeTree } from '../../git/trees/trees.ts';

export interface TreeBeginning {
  readonly folder: string;
  /** Of this attempt, without `refs/heads/`. */
  readonly branch: string;
  /** Where the results are. */
  readonly results: string;
  /** What an earlier attempt left. */
  readonly earlier: WorkOnBranch | null;
  /** Of the commit that brings earlier work along. */
  readonly message: string;
}

export interface BegunTree {
  /** Where the results stood. */
  readonly base: string;
  /** Files with the marks of a merge that is in progress. */
  readonly merging: readonly string[];
  /** Where the files of an earlier tree are now in which git could not work; null: there was none. */
  readonly movedTo: string | null;
}

/** May be repeated by another runner. */
export async function beginTree(repository: GitCaller, beginning: TreeBeginning): Promise<BegunTree> {
  const { folder, branch, results, earlier } = beginning;
  const base = await tipOf(repository, results);
  const carried = earlier === null || (await isContained(repository, earlier.head, base)) ? null : earlier.head;
  const merged = carried === null ? null : await mergeInto(repository, base, carried);
  const start =
    merged?.kind === 'clean'
      ? await commitTree(repository, { tree: merged.tree, parents: [base, carried!], message: beginning.message })
      : base;
  // An attempt begins once: a branch of its name was made by a runner that died here.
  await setBranch(repository, branch, start);
  const { isThere, movedTo } = await recoverTree(repository, folder);
  if (!isThere) await makeTree(repository, { folder, branch, commit: start });
  else {
    await clearTree(repository, folder);
    await beginAnew(repository, { folder, branch, commit: start });
  }
  const merging = merged !== null && merged.kind !== 'clean' ? await leaveInProgress(repository, folder, carried!) : [];
  return { base, merging, movedTo };
}

async function tipOf(repository: GitCaller, branch: string): Promise<string> {
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === null) throw new GitTrouble(`the branch ${branch} is gone`);
  return tip;
}

async function leaveInProgress(repository: GitCaller, folder: string, head: string): Promise<string[]> {
  const args = ['merge', '--no-ff', '--no-commit', '--quiet', head];
  await repository.run({ args, answers: [0, 1], variables: await identity(repository) }, folder);
  const files = await repository.names({ args: ['diff', '--name-only', '--diff-filter=U', '-z'] }, folder);
  return [...new Set(files.map(String))];
}

/** The tree in which commands work stands where the results are. */
export async function followResults(
  repository: GitCaller,
  { folder, results }: Pick<TreeBeginning, 'folder' | 'results'>,
): Promise<string> {
  const base = await tipOf(repository, results);
  await resetTree(repository, { folder, commit: base });
  return base;
}
