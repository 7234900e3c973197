// `signalbox merge-work FILE`: one merge as a process of its own, started by a runner and never by a person. It is in no help, and needs
// no store: its order is a file, and its answer the last line that it prints.
import { readFileSync } from 'node:fs';
import { GitCaller } from '../git/git-caller.ts';
import { mergeAnswerLine } from '../runner/merge/merge-answer.ts';
import type { MergeOrder } from '../runner/merge/merge-order.ts';
import { performMerge } from '../runner/merge/perform-merge.ts';

export async function mergeWork(file: string, print: (text: string) => void): Promise<void> {
  const order = JSON.parse(readFileSync(file, 'utf8')) as MergeOrder;
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const repository = new GitCaller({ root: order.repository, environment });
  const prepare = async () => {
    if (order.setup !== null || order.include.length > 0) throw new Error('trees of the queue cannot be prepared yet');
  };
  print(mergeAnswerLine(await performMerge(order, { repository, environment, print, prepare })));
}
