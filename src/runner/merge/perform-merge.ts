// One merge of the queue: the commit of an attempt comes to the branch as a whole, green where it is merged, or not at all. A merge
// that was killed is simply performed again: it finds the branch before its one step or after it.
import type { MergeAnswer } from '../../core/rules/job-end.ts';
import { commitTree } from '../../git/commits/commit-work.ts';
import {
  advanceBranch,
  checkoutOf,
  filesBetween,
  forkOf,
  isContained,
  mergeOf,
  revertsIn,
} from '../../git/commits/merge.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { commitOf } from '../../git/trees/trees.ts';
import { judgeChecks } from './judge-checks.ts';
import { mergeWithGenerated } from './merge-generated.ts';
import type { MergeOrder } from './merge-order.ts';
import { type MergeParts, MergeTrouble } from './merge-parts.ts';
import { QueueTree } from './queue-tree.ts';

export async function performMerge(order: MergeOrder, parts: MergeParts): Promise<MergeAnswer> {
  try {
    for (;;) {
      const answer = await mergeOnce(order, parts);
      if (answer !== 'moved') return answer;
      parts.print(`signalbox: ${order.branch} has moved meanwhile; the merge begins again\n`);
    }
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    const isOutside = error instanceof GitTrouble || error instanceof MergeTrouble || syscall !== undefined;
    if (isOutside) return { kind: 'trouble', problem: message };
    throw error;
  }
}

async function mergeOnce(order: MergeOrder, parts: MergeParts): Promise<MergeAnswer | 'moved'> {
  const { branch, head, message } = order;
  const { repository, print } = parts;
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === null) throw new MergeTrouble(`there is no branch ${branch}`);
  const fork = await forkOf(repository, tip, head);
  const early = await answerWithoutMerge(repository, { ...order, tip, fork });
  if (early !== null) return early;
  const folder = await checkoutOf(repository, branch);
  if (folder !== null) return held({ kind: 'checked-out', folder });

  const queue = new QueueTree(order, parts);
  const merged = await mergeWithGenerated(order, parts, queue, tip);
  switch (merged.kind) {
    case 'conflict':
      return conflict(merged.files);
    case 'reverts':
      return conflict(merged.files, 'the merge would take back what others have changed in these files');
    case 'not-generated':
      return conflict(merged.files, `"${merged.command}", which makes these files anew, failed on the merged result`);
  }
  const commit = await commitTree(repository, { tree: merged.tree, parents: [tip, head], message });
  // Where nothing was merged meanwhile the result is what was checked already.
  const judged = fork === tip ? unchanged : await judgeChecks({ queue, order, merged: commit, tip, print });
  if (judged.kind === 'red') return { kind: 'ended', result: 'red', command: judged.command };
  if (judged.kind === 'red-branch') return held(judged);

  const landed = await advanceBranch(repository, { branch, tip, commit });
  if (landed.kind === 'moved') return 'moved';
  if (landed.kind === 'checked-out') return held(landed);
  const { files } = merged;
  const flaky = judged.flaky.length > 0 ? { flaky: judged.flaky } : {};
  return { kind: 'ended', result: 'merged', commit, files, ...flaky };
}

interface MergeAt extends MergeOrder {
  readonly tip: string;
  /** Where the attempt and the branch have parted. */
  readonly fork: string | null;
}

/** Null: there is something to merge. */
async function answerWithoutMerge(
  repository: GitCaller,
  { head, base, tip, fork }: MergeAt,
): Promise<MergeAnswer | null> {
  if (head === base) return nothing;
  if (await isContained(repository, head, tip)) {
    // Ours was killed behind its last step.
    const done = await mergeOf(repository, head, tip);
    if (done === null) return nothing;
    const files = await filesBetween(repository, done.before, done.commit);
    return { kind: 'ended', result: 'merged', commit: done.commit, files };
  }
  if (fork === null) return conflict([], 'its branch has no commit in common with the results');
  if ((await filesBetween(repository, fork, head)).length === 0) return nothing;
  const reverted = await revertsIn(repository, { since: base, tip, head });
  return reverted.length === 0
    ? null
    : conflict(reverted, 'the attempt merged by itself, and took back what others have changed in these files');
}

const nothing: MergeAnswer = { kind: 'ended', result: 'nothing' };
const unchanged = { kind: 'green', flaky: [] } as const;

const conflict = (files: readonly string[], problem?: string): MergeAnswer => ({
  ...{ kind: 'ended', result: 'conflict', files },
  ...(problem === undefined ? {} : { problem }),
});

const held = (because: Extract<MergeAnswer, { kind: 'held' }>['because']): MergeAnswer => ({ kind: 'held', because });
