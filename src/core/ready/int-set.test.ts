import { expect, it } from 'vitest';
import { IntSet } from './int-set.ts';

it.each([3, 1_000, 1_001, 5_000])('%i of them are there, in their order, and no others', (count) => {
  const set = new IntSet(20_000);
  const items = Array.from({ length: count }, (_, i) => ((count - i) * 3) % 20_000);
  for (const item of items) set.add(item);
  set.add(items[0]!);
  expect(set.inOrder()).toEqual([...items].sort((a, b) => a - b));
  expect([set.has(items[0]!), set.has(items.at(-1)!), set.has(19_999)]).toEqual([true, true, false]);
});
