// What an agent is told that works in a git worktree and not in the workspace. Pure text.
import { plainLine } from '../sanitize-terminal.ts';
import { joined, list } from './markdown.ts';

export interface OwnTree {
  /** Of this attempt, without `refs/heads/`; null: it works where the results of the plan gather, on no branch. */
  readonly branch: string | null;
  /** A merge is in progress in the tree, and these files conflict. */
  readonly merging?: readonly string[];
  /** Files that somebody changed in the tree after the last attempt had ended. */
  readonly byHand?: readonly string[];
}

/** @param held what nobody else has until its work is merged */
export function treeInWords({ branch }: OwnTree, held: readonly string[], reads: readonly string[]): string {
  const where =
    branch === null
      ? 'You work in the git worktree in which the results of the plan gather. What you change there is committed for you after you end. Do not commit,'
      : `You work in a git worktree of your own, on the branch \`${branch}\`. What others finish meanwhile is not in it: your work is merged with theirs after you end. You need not commit, but you may. Do not`;
  return joined([
    '## Your worktree',
    `${where} switch branches or push, and touch no other checkout of this repository.`,
    held.length === 0 ? '' : `Nobody else has these until your work is merged: ${held.join(', ')}.`,
    reads.length === 0
      ? ''
      : `Nobody writes to these until your work is merged, and neither do you: ${reads.join(', ')}.`,
  ]);
}

export const goingOnInTree = ({ branch }: OwnTree): string =>
  `${
    branch === null
      ? 'Your worktree has what others have finished meanwhile.'
      : `Your branch is now \`${branch}\`: it has your earlier work and what others have finished meanwhile.`
  } Look at files before you rely on what you remember of them.`;

const mostListed = 50;

export function mergingInWords({ merging = [], byHand = [] }: OwnTree): string {
  const more = merging.length - mostListed;
  const earlier = byHand.length === 0 ? 'your earlier work' : 'the earlier work, with what was changed by hand,';
  return list(
    `## A merge is in progress\n\nIn your tree, ${earlier} is being merged with what others have finished, and these files conflict. Resolve their conflict marks first, so that what each side meant is kept. You need not commit the merge.`,
    [...merging.slice(0, mostListed).map(plainLine), ...(more > 0 ? [`and ${more} more: see \`git status\``] : [])],
  );
}

export function byHandInWords({ byHand = [] }: OwnTree): string {
  const more = byHand.length - mostListed;
  return list(
    '## Changed by hand\n\nAfter the last attempt had ended, somebody changed these files in your tree, most likely a person who repaired something. Your tree has these changes: build on them.',
    [...byHand.slice(0, mostListed).map(plainLine), ...(more > 0 ? [`and ${more} more`] : [])],
  );
}
