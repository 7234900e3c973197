import { describe, expect, it } from 'vitest';
import { displayWidth } from './display-width.ts';
import { shorten, wrapWords } from './whole-words.ts';

describe('shortened', () => {
  it.each([
    ['Write the parser', 16, 'Write the parser'],
    ['Write the parser', 15, 'Write the…'],
    ['Write the parser', 10, 'Write the…'],
    ['Write the parser', 9, 'Write…'],
    ['Write the parser', 5, 'Writ…'],
    ['Write the parser', 1, '…'],
    ['Write the parser', 0, ''],
    ['one-long-identifier', 8, 'one-lon…'],
    ['Edit src/api/run/run-plan.ts', 28, 'Edit src/api/run/run-plan.ts'],
    ['Edit src/api/run/run-plan.ts', 24, 'Edit …/run/run-plan.ts'],
    ['Edit src/api/run/run-plan.ts', 20, 'Edit …/run-plan.ts'],
    ['Edit src/api/run/run-plan.ts', 16, 'Edit…'],
    ['/usr/lib/x.ts', 9, '…/x.ts'],
    ['/x.ts', 4, '/x.…'],
    ['a/b', 2, 'a…'],
    ['Read src/a.ts and tell', 14, 'Read src/a.ts…'],
    ['日本語の題名', 7, '日本語…'],
    ['a 日本語の題名', 8, 'a 日本…'],
    ['  padded', 6, '  pad…'],
  ])('%j to %i columns is %j', (text, columns, expected) => {
    expect(shorten(text, columns)).toBe(expected);
    expect(displayWidth(expected)).toBeLessThanOrEqual(columns);
  });

  it('reads no further than it has to', () => {
    expect(shorten('word '.repeat(2_000_000), 40)).toBe('word word word word word word word word…');
  });
});

describe('wrapped', () => {
  it.each([
    ['✔  a  First', 20, ['✔  a  First']],
    ['✖  c  Third  failed: exited with code 1', 24, ['✖  c  Third  failed:', '   exited with code 1']],
    [
      '\x1b[31m✖\x1b[39m  c  \x1b[31mfailed here\x1b[39m',
      12,
      ['\x1b[31m✖\x1b[39m  c  \x1b[31mfailed', '   here\x1b[39m'],
    ],
    ['a-word-that-is-longer-than-it x', 12, ['a-word-that-is-longer-than-it', '   x']],
    ['too narrow for any of it', 6, ['too narrow for any of it']],
    ['ends with spaces    ', 16, ['ends with spaces']],
    ['endless', Number.POSITIVE_INFINITY, ['endless']],
  ])('%j to %i columns', (line, columns, expected) => {
    expect(wrapWords(line, columns)).toEqual(expected);
  });

  it('with another indent, or none', () => {
    expect(wrapWords('one two three four', 9, '')).toEqual(['one two', 'three', 'four']);
    expect(wrapWords('one two three four', 9, '  ')).toEqual(['one two', '  three', '  four']);
    expect(wrapWords('one two', 3, '')).toEqual(['one', 'two']);
  });
});
