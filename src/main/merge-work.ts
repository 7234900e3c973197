// `signalbox merge-work FILE`: one merge as a process of its own, started by a runner and never by a person. It is in no help, and needs
// no store: its order is a file, and its answer the last line that it prints.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Io } from '../cli/io.ts';
import { showError } from '../cli/text/show-error.ts';
import { GitCaller } from '../git/git-caller.ts';
import { markTree } from '../git/trees/tree-marker.ts';
import { mergeAnswerLine } from '../runner/merge/merge-answer.ts';
import type { MergeOrder } from '../runner/merge/merge-order.ts';
import { performMerge } from '../runner/merge/perform-merge.ts';
import { prepareTree } from '../runner/trees/prepare-tree.ts';

/** @returns the exit code: 0 for every answer */
export async function mergeWork(file: string, io: Io): Promise<number> {
  try {
    const order = JSON.parse(readFileSync(file, 'utf8')) as MergeOrder;
    const environment = process.env as Record<string, string>;
    const { repository: root, isTrusted, committer } = order;
    const repository = new GitCaller({ root, environment, isTrusted, committer });
    const prepare = (folder: string, when: 'unless it is' | 'again') =>
      prepared(order, folder, { file, environment, when });
    io.out(mergeAnswerLine(await performMerge(order, { repository, environment, print: io.out, prepare })));
    return 0;
  } catch (error) {
    return showError(error, io, { json: false, verbose: true, help: 'this command is for runners' });
  }
}

async function prepared(
  { repository, prefix, include, setup, isTrusted }: MergeOrder,
  folder: string,
  { file, environment, when }: { file: string; environment: Record<string, string>; when: 'unless it is' | 'again' },
): Promise<void> {
  const workspace = join(repository, prefix);
  markTree(folder, workspace);
  const done = await prepareTree({
    ...{ workspace, folder: join(folder, prefix), include, setup, environment, isTrusted },
    output: join(dirname(file), `setup-${basename(folder)}.log`),
    ...(when === 'again' ? { isAgain: true } : {}),
  });
  if (done.kind === 'failed') throw new Error(`the tree could not be set up: ${done.because}`);
}
