import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { touchedSince } from './touched-since.ts';

const root = mkdtempSync(join(tmpdir(), 'signalbox-touched-'));
afterAll(() => rmSync(root, { recursive: true }));
for (const folder of ['a/deep', 'b']) mkdirSync(join(root, folder), { recursive: true });
for (const file of ['a/1', 'a/2', 'a/deep/1', 'a/deep/2', 'b/1']) writeFileSync(join(root, file), '');
const entries = ['a/', 'b/'].map((path) => Buffer.from(path));

it.each([
  [6, ['a/1', 'a/2', 'a/deep/1', 'a/deep/2', 'b/1'], true],
  [5, ['a/1', 'a/2', 'a/deep/1', 'a/deep/2'], false],
  [4, ['a/1', 'a/2', 'b/1'], false],
])('looks at %i entries, the nearer ones first, and says when there are more', async (most, names, isWhole) => {
  const { paths, ...rest } = await touchedSince(root, entries, 0n, most);
  expect([paths.map(String), rest.isWhole]).toEqual([names, isWhole]);
});

it('says when a folder may not be read', async () => {
  expect(await touchedSince(root, [Buffer.from('none/')], 0n)).toEqual({ paths: [], isWhole: false });
});
