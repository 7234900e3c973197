// A new file is made only where nothing is, and nothing is left behind where something was.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeDeadDrafts, writeWhole } from './write-whole.ts';

const base = mkdtempSync(join(tmpdir(), 'signalbox-write-'));
afterAll(() => rmSync(base, { recursive: true }));
let count = 0;
const folderWith = (make: (file: string) => void) => {
  const folder = join(base, String(count++));
  mkdirSync(folder);
  make(join(folder, 'a'));
  return folder;
};

describe('a new file', () => {
  it.each<[string, (file: string) => void]>([
    ['a file', (file) => writeFileSync(file, 'old')],
    ['a link that leads nowhere', (file) => symlinkSync('gone', file)],
    ['a folder', (file) => mkdirSync(file)],
  ])('is not written over %s', (_, make) => {
    const folder = folderWith(make);
    expect(() => writeWhole(join(folder, 'a'), 'new', { isNew: true })).toThrow(/EEXIST/);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('is written where nothing is, after what a dead process left of it is gone', () => {
    const folder = folderWith(() => undefined);
    for (const name of ['.a.999999999.new', '.b.999999999.new']) writeFileSync(join(folder, name), 'half');
    writeWhole(join(folder, 'a'), 'new', { isNew: true });
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['.b.999999999.new', 'a']);
    removeDeadDrafts(join(folder, 'b'));
    expect(readdirSync(folder)).toEqual(['a']);
  });
});
