// What somebody has changed in the tree of a task since its last attempt ended, before the next one begins there: a person who repairs the
// work by hand, as a rule. Nothing of it is deleted, and of the same round the next attempt goes on with it.
//
//   what is there                                             what becomes of it
//   nothing but what the attempt left                         -
//   changes that can be committed, or commits                 a commit of that attempt's branch, with which the next attempt begins
//   the same with marks of a merge, or on another branch      `<branch>.left`
//   what checks and reviews left behind                       `<branch>.left`
//   what a runner left that died while it set the tree up     `<branch>.left`, if it is neither side's
//   secrets, repositories, links that lead out of the tree    they stay there, uncommitted
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkOnBranch } from '../../core/model/failure.ts';
import { changedEntries, isAbsent } from '../../git/commits/changed-entries.ts';
import { commitWork } from '../../git/commits/commit-work.ts';
import { filesBetween } from '../../git/commits/merge.ts';
import { saveTree, treeOfEverything } from '../../git/commits/save-everything.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import { type Found, foundIn } from '../../git/trees/found-in-tree.ts';
import { entriesOf } from '../../git/trees/tree-entries.ts';
import { isMarked } from '../../git/trees/tree-marker.ts';
import { readBeginning, readNote, type TreeNote } from '../../git/trees/tree-note.ts';
import { commitOf } from '../../git/trees/trees.ts';

export interface TreeToKeep {
  readonly folder: string;
  /** Of the attempt that begins, without `refs/heads/`. */
  readonly branch: string;
  /** Of the commit with what was changed. */
  readonly message: string;
  readonly isApart: (path: Buffer) => boolean;
}

export interface KeptChanges {
  /** The tree of git with all that was there, which may go now. */
  readonly everything: string;
  /** Where changes are now with which no attempt goes on; null: there were none but of checks and reviews. */
  readonly keptOn: string | null;
}

/** Of a tree that git can work in and nobody works in any more. May be repeated. */
export async function keepChanges(repository: GitCaller, tree: TreeToKeep): Promise<KeptChanges> {
  const { folder } = tree;
  const [entry] = entriesOf(repository, folder);
  // Nobody has worked there before the mark is written.
  if (entry === undefined || !isMarked(entry))
    return { everything: await treeOfEverything(repository, tree), keptOn: null };
  const note = readNote(entry);
  const begun = readBeginning(entry);
  const branch = note?.branch ?? tree.branch;
  const everything = () => treeOfEverything(repository, tree);
  const save = async (all: string) => saveTree(repository, { ...tree, branch, tree: all });
  if (begun !== null) {
    const all = await everything();
    const isOthers = await hasMore(repository, { everything: all, folder, commits: begun });
    return { everything: all, keptOn: isOthers ? await save(all) : null };
  }
  const found = await foundIn(repository, tree);
  const byHand = note === null ? Object.keys(found) : differing(note.found, found);
  const isEmpty = Object.keys(found).length === 0;
  if (byHand.length === 0 && note?.isBegun) return { everything: await everything(), keptOn: null };
  const isResolved = isEmpty && existsSync(join(entry, 'MERGE_HEAD'));
  if (isEmpty && !isResolved && (await branchIn(repository, folder)) === note?.branch)
    return { everything: 'HEAD', keptOn: null };
  const isByHand = byHand.length > 0 || isResolved;
  const committed = note !== null && isByHand ? await commitByHand(repository, tree, note, found) : null;
  const all = await everything();
  const name = await save(all);
  return { everything: all, keptOn: isByHand && committed === null ? name : null };
}

async function branchIn(repository: GitCaller, folder: string): Promise<string | null> {
  const { bytes } = await repository.run({ args: ['symbolic-ref', '--quiet', 'HEAD'], answers: [0, 1] }, folder);
  return bytes.length === 0
    ? null
    : bytes
        .toString('utf8')
        .trim()
        .replace(/^refs\/heads\//, '');
}

/** Without what checks left behind, which is nobody's work. Null: it cannot be committed as it is. */
async function commitByHand(
  repository: GitCaller,
  { folder, message, isApart }: TreeToKeep,
  note: TreeNote,
  found: Found,
): Promise<string | null> {
  const isKnown = (path: Buffer) => {
    const name = path.toString('latin1');
    return note.found[name] !== undefined && note.found[name] === found[name];
  };
  const committed = await commitWork(repository, {
    ...{ folder, branch: note.branch, message },
    isApart: (path) => isApart(path) || isKnown(path),
  });
  return committed.kind === 'committed' ? committed.head : null;
}

/** What is new, changed, or gone. */
export const differing = (before: Found, now: Found): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => before[path] !== now[path]);

/** Files that are as in none of the commits, one of which is where the tree stands. */
export async function hasMore(
  repository: GitCaller,
  {
    everything,
    folder,
    commits,
  }: { readonly everything: string; readonly folder: string; readonly commits: readonly string[] },
): Promise<boolean> {
  const stands = await repository.line({ args: ['rev-parse', 'HEAD'] }, folder);
  let left: Set<string> | null = null;
  for (const commit of [stands, ...commits]) {
    const entries = await changedEntries(repository, ['diff-tree', '-r', '--no-renames', commit, everything]);
    const other = new Set(entries.filter(({ after }) => !isAbsent(after)).map(({ path }) => path.toString('latin1')));
    left = new Set([...(left ?? other)].filter((path) => other.has(path)));
  }
  return left !== null && left.size > 0;
}

export interface GoneOn {
  /** What the next attempt begins with; null: nothing. */
  readonly head: string | null;
  /** Files that somebody changed since the last attempt ended. */
  readonly byHand: readonly string[];
}

/** @param isOfRound whether a branch is of an attempt since the plan was last started over */
export async function goneOn(
  repository: GitCaller,
  {
    folder,
    earlier,
    isOfRound,
  }: {
    readonly folder: string;
    readonly earlier: WorkOnBranch | null;
    readonly isOfRound: (branch: string) => boolean;
  },
): Promise<GoneOn> {
  const [entry] = entriesOf(repository, folder);
  const note = entry === undefined ? null : readNote(entry);
  const last = note ?? earlier;
  if (last === null || !isOfRound(last.branch)) return { head: earlier?.head ?? null, byHand: [] };
  const tip = await commitOf(repository, `refs/heads/${last.branch}`);
  if (tip !== null && tip !== last.head) return { head: tip, byHand: await filesBetween(repository, last.head, tip) };
  return { head: note?.carried ?? earlier?.head ?? null, byHand: [] };
}
