// The n-th input of a seed: the same for ever, so that a number is enough to see a failure again.
import { Random } from '../sim/random.ts';
import { mutate } from './mutate.ts';
import type { SeedTexts } from './seed-texts.ts';
import { type Target, targets } from './targets.ts';

export interface FuzzInput {
  readonly target: string;
  readonly text: string;
}

const weights = Object.fromEntries(Object.entries(targets).map(([name, { weight }]) => [name, weight]));

export function fuzzInput(seed: number, number: number, texts: SeedTexts): FuzzInput {
  const random = new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0);
  const target = random.weighted(weights);
  return { target, text: textFor(random, targets[target]!, texts) };
}

function textFor(random: Random, { seeds, generate }: Target, texts: SeedTexts): string {
  switch (random.int(0, 9)) {
    case 0:
      return noise(random);
    case 1:
    case 2:
    case 3:
      return generate(random);
    case 4:
    case 5:
      return mutate(random, generate(random), texts.lines);
    case 6:
      return random.pick(seeds(texts)) + random.pick(seeds(texts));
    default:
      return mutate(random, random.pick(seeds(texts)), texts.lines);
  }
}

/** Bytes as they come, read as UTF-8 or one by one. */
function noise(random: Random): string {
  const bytes = Uint8Array.from({ length: random.spread(1, 400) }, () => random.int(0, random.pick([127, 255])));
  return Buffer.from(bytes).toString(random.pick(['utf8', 'latin1', 'utf16le']));
}
