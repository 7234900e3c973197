// Whether the checks of a task are green on the merged result, and if not, whose fault that is.
import type { MergeOrder } from './merge-order.ts';
import type { CommandEnd, QueueTree } from './queue-tree.ts';

export type Judged =
  /** @param flaky checks that were red at first */
  | { readonly kind: 'green'; readonly flaky: readonly string[] }
  | { readonly kind: 'red'; readonly command: string }
  /** The branch itself is red, and was green where the attempt began. */
  | { readonly kind: 'red-branch'; readonly command: string };

export interface Judging {
  readonly queue: QueueTree;
  readonly order: Pick<MergeOrder, 'checks' | 'accepted' | 'base'>;
  readonly merged: string;
  readonly tip: string;
  readonly print: (text: string) => void;
}

export async function judgeChecks({ queue, order, merged, tip, print }: Judging): Promise<Judged> {
  const { checks, accepted, base } = order;
  const flaky: string[] = [];
  for (const [i, command] of checks.entries()) {
    const before = checks.slice(0, i);
    print(`signalbox: ${command} on the merged result\n`);
    await queue.standOn(merged);
    const { color, tail } = await colorOf(queue, command);
    if (color === 'flaky') flaky.push(command);
    if (color !== 'red') continue;
    print(`signalbox: ${command} on the branch before the merge\n`);
    const isTipGreen = await isGreenOn(queue, tip, before, command);
    if (!isTipGreen && accepted.includes(command)) {
      print(`signalbox: ${command} is red on the branch itself, which a person accepted\n`);
      await leaveWhatChecksMake(queue, merged, before);
      continue;
    }
    if (!isTipGreen) {
      print(`signalbox: ${command} where the attempt began\n`);
      if (await isGreenOn(queue, base, before, command)) return { kind: 'red-branch', command };
    }
    // Last, where whoever reads the log looks first.
    print(
      `signalbox: ${command} is red on the merged result:\n${tail}${tail === '' || tail.endsWith('\n') ? '' : '\n'}`,
    );
    return { kind: 'red', command };
  }
  return { kind: 'green', flaky };
}

/** Red only when it is so twice, and with the packages that this commit needs. */
async function colorOf(
  queue: QueueTree,
  command: string,
): Promise<{ readonly color: 'green' | 'flaky' | 'red' } & Pick<CommandEnd, 'tail'>> {
  const first = await queue.run(command);
  if (first.isGreen) return { color: 'green', tail: first.tail };
  const second = await queue.run(command);
  if (second.isGreen) return { color: 'flaky', tail: second.tail };
  if (!(await queue.prepareAgain())) return { color: 'red', tail: second.tail };
  const third = await queue.run(command);
  return { color: third.isGreen ? 'green' : 'red', tail: third.tail };
}

async function isGreenOn(
  queue: QueueTree,
  commit: string,
  before: readonly string[],
  command: string,
): Promise<boolean> {
  await leaveWhatChecksMake(queue, commit, before);
  return (await colorOf(queue, command)).color !== 'red';
}

/** A check may need what those before it have built. */
async function leaveWhatChecksMake(queue: QueueTree, commit: string, before: readonly string[]): Promise<void> {
  await queue.standOn(commit);
  for (const command of before) await queue.run(command);
}
