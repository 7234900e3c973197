// What the clients of the stress lock, and which files each of it stands for. Written down by hand: the checker must not ask the
// program what overlaps.

export const resources: Readonly<Record<string, readonly string[]>> = {
  'a.txt': ['a.txt'],
  'b.txt': ['b.txt'],
  'c.txt': ['c.txt'],
  'd/x.txt': ['d/x.txt'],
  'd/y.txt': ['d/y.txt'],
  'd/**': ['d/x.txt', 'd/y.txt'],
  'db:test': ['db'],
};

export const names = Object.keys(resources);
export const files = [...new Set(Object.values(resources).flat())];

export type Mode = 'shared' | 'exclusive';

export function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
