import { Random } from '../sim/random.ts';

/** From 0 to 1: the same seed, the same moments. */
export function randomFrom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
