import { expect, it } from 'vitest';
import { cycleWords } from './cycle-words.ts';
import type { DeadlockStep } from './lock.ts';

const names = new Map([
  ['#1', '1.1#1'],
  ['#2', '1.2#1'],
  ['#3', '1.3#2'],
]);
const nameOf = (owner: string) => names.get(owner) ?? owner;
const step = (owner: string, waitsFor: string, heldBy: string, more: Partial<DeadlockStep> = {}): DeadlockStep => ({
  owner,
  ticket: 1,
  waitsFor,
  heldBy,
  theirs: waitsFor,
  kind: 'holds',
  ...more,
});

it.each<[string, DeadlockStep[], string]>([
  ['nobody', [], ''],
  [
    'two',
    [step('#1', 'src/b.ts', '#2'), step('#2', 'src/a.ts', '#1')],
    '1.1#1 holds src/a.ts and waits for src/b.ts, held by 1.2#1, which waits for src/a.ts',
  ],
  [
    'three',
    [step('#1', 'b', '#2'), step('#2', 'c', '#3'), step('#3', 'a', '#1')],
    '1.1#1 holds a and waits for b, held by 1.2#1, which waits for c, held by 1.3#2, which waits for a',
  ],
  [
    'keys that differ',
    [step('#1', 'src', '#2', { theirs: 'src/b.ts' }), step('#2', 'lib/*', '#1', { theirs: 'lib/a.ts' })],
    '1.1#1 holds lib/a.ts and waits for src (which overlaps src/b.ts), held by 1.2#1, which waits for lib/* (which overlaps lib/a.ts)',
  ],
  [
    'the order of a queue',
    [step('#1', 'b', '#2', { kind: 'waits' }), step('#2', 'a', '#1')],
    '1.1#1 holds a and waits for b, for which 1.2#1 waits before it, which waits for a',
  ],
  [
    'the order of a queue at the end',
    [step('#1', 'b', '#2'), step('#2', 'a', '#1', { kind: 'waits' })],
    '1.1#1 is in line for a and waits for b, held by 1.2#1, which waits for a, for which 1.1#1 waits before it',
  ],
])('a cycle of %s', (_, steps, words) => {
  expect(cycleWords(steps, nameOf)).toBe(words);
});

const ring = (parties: number) =>
  Array.from({ length: parties }, (_, i) => step(`o${i}`, `k${(i + 1) % parties}`, `o${(i + 1) % parties}`));

it('names six, and of more than six the first five and how many others', () => {
  expect(cycleWords(ring(6), nameOf)).toBe(
    'o0 holds k0 and waits for k1, held by o1, which waits for k2, held by o2, which waits for k3, held by o3, which waits for k4, held by o4, which waits for k5, held by o5, which waits for k0',
  );
  expect(cycleWords(ring(1_000), nameOf)).toBe(
    'o0 holds k0 and waits for k1, held by o1, which waits for k2, held by o2, which waits for k3, held by o3, which waits for k4, held by o4, which waits for k5 and so on, through 995 others, back to o0',
  );
});
