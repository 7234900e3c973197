import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closesCycle } from './deadlock.ts';

it.each<[string, [string, string][], boolean]>([
  ['nothing else', [], false],
  ['the same once more', [['a', 'b']], false],
  ['the other way round', [['b', 'a']], true],
  [
    'a way back',
    [
      ['b', 'c'],
      ['b', 'd'],
      ['d', 'a'],
    ],
    true,
  ],
  [
    'a cycle of others',
    [
      ['b', 'c'],
      ['c', 'b'],
    ],
    false,
  ],
  [
    'a way that leads to it only',
    [
      ['c', 'a'],
      ['c', 'b'],
    ],
    false,
  ],
])('beside %s', (_, edges, expected) => {
  expect(closesCycle(edges, 'a', 'b')).toBe(expected);
});

it('to itself does', () => {
  expect(closesCycle([], 'a', 'a')).toBe(true);
});

it('through a chain of any length', () => {
  const chain = Array.from({ length: 100_000 }, (_, i) => [`t${i}`, `t${i + 1}`] as const);
  expect(closesCycle(chain, 't100000', 't0')).toBe(true);
  expect(closesCycle(chain, 't0', 't100000')).toBe(false);
});

it('as multiplying the matrix of edges would tell', () => {
  const edge = fc.tuple(fc.nat(5), fc.nat(5));
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 10 }), edge, (edges, [from, to]) => {
      const leads = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => i === j));
      for (const [a, b] of edges) leads[a]![b] = true;
      for (let k = 0; k < 6; k++)
        for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) leads[i]![j] ||= leads[i]![k]! && leads[k]![j]!;
      const named = edges.map(([a, b]) => [String(a), String(b)] as const);
      expect(closesCycle(named, String(from), String(to))).toBe(leads[to]![from]);
    }),
  );
});
