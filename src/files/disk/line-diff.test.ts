import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { howMany } from '../../../test/how-many.ts';
import { ownNow } from '../../../test/own-time.ts';
import { lineDiff } from './line-diff.ts';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

it.each([
  ['', '', ''],
  ['a\n', 'a\n', ''],
  ['', 'a\n', '@@ -0,0 +1,1 @@\n+a\n'],
  ['a\n', '', '@@ -1,1 +0,0 @@\n-a\n'],
  ['a', 'a\n', '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n'],
  [lines('1', '2', '3', '4', '5'), lines('1', '2', 'x', '4', '5'), '@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5\n'],
  [
    lines(...'abcdefghijklmnop'),
    lines(...'aXcdefghijklmnYp'),
    '@@ -1,5 +1,5 @@\n a\n-b\n+X\n c\n d\n e\n@@ -12,5 +12,5 @@\n l\n m\n n\n-o\n+Y\n p\n',
  ],
])('%j to %j', (before, after, expected) => {
  expect(lineDiff(before, after)).toBe(expected);
});

it('is what patch understands, and as short as diff finds it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-diff-'));
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 40 })
    .chain((all) => fc.constantFrom('', '\n').map((end) => all.join('\n') + end));
  const count = (diff: string) => diff.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line)).length;
  fc.assert(
    fc.property(text, text, (before, after) => {
      const own = lineDiff(before, after);
      writeFileSync(join(folder, 'a'), before);
      writeFileSync(join(folder, 'b'), after);
      writeFileSync(join(folder, 'own.diff'), `--- a\n+++ a\n${own}`);
      const theirs = spawnSync('diff', ['-d', '-u', 'a', 'b'], { cwd: folder, encoding: 'utf8' }).stdout;
      expect(count(own)).toBe(count(theirs.split('\n').slice(2).join('\n')));
      if (own === '') return;
      const patched = spawnSync('patch', ['-s', '--no-backup-if-mismatch', 'a', 'own.diff'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(patched.status, patched.stdout + patched.stderr + own).toBe(0);
      expect(after === '' ? '' : readFileSync(join(folder, 'a'), 'utf8')).toBe(after);
    }),
    { numRuns: howMany(100) },
  );
  rmSync(folder, { recursive: true });
});

it('stays within its bounds for texts that have little in common', () => {
  const before = Array.from({ length: 30_000 }, (_, i) => `old ${i}`).join('\n');
  const after = Array.from({ length: 30_000 }, (_, i) => `new ${i}`).join('\n');
  const started = ownNow();
  const diff = lineDiff(before, after);
  expect(ownNow() - started).toBeLessThan(5000);
  expect(diff.split('\n').filter((line) => line.startsWith('+'))).toHaveLength(30_000);
});

it('shows what follows the first and precedes the last difference as replaced, when there are too many', () => {
  const many = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}\n`).join('');
  expect(lineDiff('', many('new'))).toMatch(/^@@ -0,0 \+1,3000 @@\n\+new 0\n/);
  expect(lineDiff(`same\n${many('old')}end`, `same\n${many('new')}end`)).toMatch(
    /^@@ -2,3000 \+2,3000 @@\n-old 0\n.*-old 2999\n\+new 0\n.*\+new 2999\n$/s,
  );
});
