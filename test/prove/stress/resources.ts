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
