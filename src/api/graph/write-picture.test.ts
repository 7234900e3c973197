// Pictures go to a name that a person chose, among files of theirs.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writePicture } from './write-picture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-picture-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

it('replaces the picture, and no file beside it', () => {
  for (const name of ['g.svg', 'g.svg.new', 'target']) writeFileSync(join(folder, name), name);
  symlinkSync('target', join(folder, 'h.svg.new'));
  for (const name of ['g.svg', 'h.svg']) writePicture(join(folder, name), 'drawn');
  expect(readdirSync(folder)).toEqual(['g.svg', 'g.svg.new', 'h.svg', 'h.svg.new', 'target']);
  expect(['g.svg', 'g.svg.new', 'h.svg', 'target'].map(text)).toEqual(['drawn', 'g.svg.new', 'drawn', 'target']);
});

it.each([
  ['its folder does not exist', 'none/g.svg'],
  ['its folder is a file', 'file/g.svg'],
  ['it is a folder', 'folder'],
  ['its name is too long', `${'x'.repeat(300)}.svg`],
])('refuses a name because %s, and leaves nothing behind', (because, name) => {
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), '');
  const out = join(folder, name);
  expect(() => writePicture(out, 'drawn')).toThrow(`cannot write ${out}: ${because}`);
  expect(readdirSync(folder)).toEqual(['file', 'folder']);
});
