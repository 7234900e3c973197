// Reads a range of inputs in a process of its own, with little memory. Tells after every batch how far it is, so that whoever
// started it knows where it died or hangs.
import { fuzzInput } from './fuzz-input.ts';
import { judge } from './judge.ts';
import { readSeedTexts } from './seed-texts.ts';
import { shrink } from './shrink.ts';
import { targets } from './targets.ts';

export type WorkerNotice =
  | { readonly kind: 'reached'; readonly number: number }
  | {
      readonly kind: 'failed';
      readonly number: number;
      readonly target: string;
      readonly wrong: string;
      readonly shrunk: string;
    }
  | { readonly kind: 'grew'; readonly number: number; readonly bytes: number };

const [seed, from, to, step] = process.argv.slice(2).map(Number) as [number, number, number, number];
const limits = { ms: 1_000 };
const mostBytes = 200 * 2 ** 20;
const texts = readSeedTexts();
const tell = (notice: WorkerNotice) => process.send?.(notice);

const used = () => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};
const before = used();
for (let number = from; number < to; number++) {
  const { target, text } = fuzzInput(seed, number, texts);
  const wrong = judge(targets[target]!, text, limits);
  if (wrong !== null) {
    const shrunk = shrink(text, (candidate) => judge(targets[target]!, candidate, limits) !== null);
    tell({ kind: 'failed', number, target, wrong, shrunk });
  }
  if ((number + 1 - from) % step === 0) {
    const bytes = used() - before;
    if (bytes > mostBytes) tell({ kind: 'grew', number, bytes });
    tell({ kind: 'reached', number: number + 1 });
  }
}
tell({ kind: 'reached', number: to });
process.disconnect?.();
