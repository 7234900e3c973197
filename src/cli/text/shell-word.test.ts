import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeLine } from '../json/plain-data.ts';
import { shellWord } from './shell-word.ts';

const read = (words: readonly string[]): string[] => {
  const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
  return spawnSync('/bin/bash', ['-c', script], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
};

it('is plain where it can be', () => {
  expect(['plan.md', 'my plan.md', "it's", 'ä.md', ''].map(shellWord)).toEqual([
    ...['plan.md', "'my plan.md'", "'it'\\''s'", "'ä.md'", "''"],
  ]);
  expect(shellWord('new\nline.md')).toBe("$'new\\x0aline.md'");
});

it.runIf(existsSync('/bin/bash'))('is the same word to a shell, and harmless to a terminal, whatever it is', () => {
  const sign = fc.oneof(
    fc.constantFrom('\n', '\t', '\x1b', "'", '\\', '$', '"', ' ', '!', '\u202e', '\u2028', 'f', '0', 'é', '😀'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const word = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join('').replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      expect(read(words)).toEqual(words);
      for (const one of words) expect(safeLine(shellWord(one))).toBe(shellWord(one));
    }),
    { numRuns: 50 },
  );
});
