import { expect, it } from 'vitest';
import { Marks } from './marks.ts';

it.each([3, 1_000, 1_001, 5_000])('%i of them are there, in their order, and no others', (count) => {
  const marks = new Marks(20_000);
  const items = Array.from({ length: count }, (_, i) => ((count - i) * 3) % 20_000);
  for (const item of items) marks.add(item);
  marks.add(items[0]!);
  expect(marks.inOrder()).toEqual([...items].sort((a, b) => a - b));
  expect([marks.has(items[0]!), marks.has(items.at(-1)!), marks.has(19_999)]).toEqual([true, true, false]);
});
