// `signalbox merge-work FILE`: one merge as a process of its own, started by a runner and never by a person. It is in no help, and needs
// no store: its order is a file, and its answer the last line that it prints.
import { readFileSync } from 'node:fs';
import type { Io } from '../cli/io.ts';
import { showError } from '../cli/text/show-error.ts';
import { GitCaller } from '../git/git-caller.ts';
import { mergeAnswerLine } from '../runner/merge/merge-answer.ts';
import type { MergeOrder } from '../runner/merge/merge-order.ts';
import { performMerge } from '../runner/merge/perform-merge.ts';

/** @returns the exit code: 0 for every answer */
export async function mergeWork(file: string, io: Io): Promise<number> {
  try {
    const order = JSON.parse(readFileSync(file, 'utf8')) as MergeOrder;
    const environment = process.env as Record<string, string>;
    const repository = new GitCaller({ root: order.repository, environment });
    const prepare = async () => {
      if (order.setup !== null || order.include.length > 0) throw new Error('its tree cannot be prepared yet');
    };
    io.out(mergeAnswerLine(await performMerge(order, { repository, environment, print: io.out, prepare })));
    return 0;
  } catch (error) {
    return showError(error, io, { json: false, verbose: true, help: 'this command is for runners' });
  }
}
