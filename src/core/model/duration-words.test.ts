import { expect, it } from 'vitest';
import { describeDuration, describeElapsed } from './duration-words.ts';

it.each([
  [-5, '0 ms'],
  [0, '0 ms'],
  [850, '850 ms'],
  [999.7, '1 s'],
  [1200, '1.2 s'],
  [5000, '5 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [12_300, '12 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [200_000, '3 min 20 s'],
  [3_599_600, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_400_000, '24 h'],
  [273_600_000, '3 d 4 h'],
])('%i ms is said as %s', (ms, words) => expect(describeDuration(ms)).toBe(words));

it.each([
  [-1, '0 s'],
  [999, '0 s'],
  [1999, '1 s'],
  [61_900, '1 min 1 s'],
])('on a ticking clock %i ms is %s', (ms, words) => expect(describeElapsed(ms)).toBe(words));
