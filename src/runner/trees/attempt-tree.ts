// The tree of an attempt before it starts: where the results stand, with what earlier attempts of the task did and could not be merged.
//
//   no earlier work, or all of it is merged     the branch begins at the results
//   earlier work that merges cleanly            it begins at both, merged
//   earlier work in conflict with the results   it begins at the results, with the merge in progress for the agent to resolve
//
// What somebody has changed in the tree since is part of that work: `keep-changes.ts`.
import type { WorkOnBranch } from '../../core/model/failure.ts';
import { setBranch } from '../../git/commits/branches.ts';
import { commitTree, identity } from '../../git/commits/commit-work.ts';
import { isContained, mergeInto } from '../../git/commits/merge.ts';
import { saveCommit } from '../../git/commits/save-everything.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import { staysIn } from '../../git/trees/found-in-tree.ts';
import { recoverTree } from '../../git/trees/recover-tree.ts';
import { clearTree } from '../../git/trees/reset-tree.ts';
import { entriesOf } from '../../git/trees/tree-entries.ts';
import { noteBeginning, readBeginning, readNote } from '../../git/trees/tree-note.ts';
import { beginAnew, commitOf, makeTree, tipOf } from '../../git/trees/trees.ts';
import { goneOn, keepChanges } from './keep-changes.ts';
import { noteBegun } from './notes-of-trees.ts';

export interface TreeBeginning {
  readonly folder: string;
  /** Of this attempt, without `refs/heads/`. */
  readonly branch: string;
  /** Where the results are. */
  readonly results: string;
  /** What an earlier attempt left. */
  readonly earlier: WorkOnBranch | null;
  /** Whether a branch is of an attempt since the plan was last started over: only that is carried along. */
  readonly isOfRound: (branch: string) => boolean;
  readonly isApart: (path: Buffer) => boolean;
  /** Of the commit that brings earlier work along. */
  readonly message: string;
  /** Of the commit with what somebody has changed in the tree. */
  readonly keeping: string;
}

export interface BegunTree {
  /** Where the results stood. */
  readonly base: string;
  /** Files with the marks of a merge that is in progress. */
  readonly merging: readonly string[];
  /** Files that somebody changed after the last attempt had ended, and that are brought along. */
  readonly byHand: readonly string[];
  /** Changes that are not brought along are on this branch; null: there were none. */
  readonly keptOn: string | null;
  /** Where the files of an earlier tree are now in which git could not work; null: there was none. */
  readonly movedTo: string | null;
}

/**
 * May be repeated by another runner.
 * @param prepare makes the tree fit for work
 */
export async function beginTree(
  repository: GitCaller,
  beginning: TreeBeginning,
  prepare: (begun: BegunTree) => Promise<void>,
): Promise<BegunTree> {
  const { folder, branch, results, isApart } = beginning;
  const { isThere, movedTo } = await recoverTree(repository, folder);
  const kept = isThere ? await keepChanges(repository, { ...beginning, message: beginning.keeping }) : null;
  const { head, byHand } = await goneOn(repository, beginning);
  const base = await tipOf(repository, results);
  const carried = head === null || (await isContained(repository, head, base)) ? null : head;
  const merged = carried === null ? null : await mergeInto(repository, base, carried);
  const start =
    merged?.kind === 'clean'
      ? await commitTree(repository, { tree: merged.tree, parents: [base, carried!], message: beginning.message })
      : base;
  await takeBranch(repository, beginning, { start, carried });
  if (kept === null) await makeTree(repository, { folder, branch, commit: start });
  else {
    await clearTree(repository, folder, kept.everything);
    const stays = (entry: Buffer) => staysIn(folder, isApart, entry);
    await beginAnew(repository, { folder, branch, commit: start }, stays);
  }
  const merging = merged !== null && merged.kind !== 'clean' ? await leaveInProgress(repository, folder, carried!) : [];
  const begun = { base, merging, byHand: carried === null ? [] : byHand, keptOn: kept?.keptOn ?? null, movedTo };
  try {
    await prepare(begun);
  } finally {
    await noteBegun(repository, beginning, { branch, carried: head === beginning.earlier?.head ? null : head });
  }
  return begun;
}

/** An attempt begins once: a branch of its name was made by a runner that died here. Somebody may have committed to it since. */
async function takeBranch(
  repository: GitCaller,
  { folder, branch }: TreeBeginning,
  { start, carried }: { readonly start: string; readonly carried: string | null },
): Promise<void> {
  const [entry] = entriesOf(repository, folder);
  if (entry !== undefined) {
    const begun = readBeginning(entry) ?? [];
    const stands = await commitOf(repository, `refs/heads/${branch}`);
    const isOurs = stands === null || begun.includes(stands) || stands === readNote(entry)?.head;
    if (!isOurs && !(await isContained(repository, stands, start))) await saveCommit(repository, branch, stands);
    noteBeginning(entry, [...begun, start, ...(carried === null ? [] : [carried])]);
  }
  await setBranch(repository, branch, start);
}

async function leaveInProgress(repository: GitCaller, folder: string, head: string): Promise<string[]> {
  const args = ['merge', '--no-ff', '--no-commit', '--quiet', head];
  await repository.run({ args, answers: [0, 1], variables: await identity(repository) }, folder);
  const files = await repository.names({ args: ['diff', '--name-only', '--diff-filter=U', '-z'] }, folder);
  return [...new Set(files.map(String))];
}
