import { expect, it } from 'vitest';
import { countWords, listWords } from './count-words.ts';

it.each([
  [0, '0 tasks'],
  [1, '1 task'],
  [2_000, '2,000 tasks'],
])('%s', (count, words) => {
  expect(countWords(count, 'task')).toBe(words);
});

it.each([
  ['', ''],
  ['a', 'a'],
  ['a b', 'a and b'],
  ['a b c', 'a, b and c'],
  // One more is no longer than "1 more".
  ['a b c d', 'a, b, c and d'],
  ['a b c d e', 'a, b, c and 2 more'],
])('%s', (names, words) => {
  expect(listWords(names === '' ? [] : names.split(' '), 3)).toBe(words);
});
