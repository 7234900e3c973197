// A lock that an attempt gave back early: from then on the file is somebody else's, whatever becomes of the attempt.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { about, removeScratchTrees, ScratchTree } from '../../test/rigs/scratch-tree.ts';
import { putBack } from './put-back.ts';
import { releaseBeforeImage } from './release-before-image.ts';
import { saveWork } from './save-work.ts';
import { takeBeforeImage } from './take-before-image.ts';

afterAll(removeScratchTrees);

const token = 7;
const took = (tree: ScratchTree, ...keys: string[]) => takeBeforeImage({ ...tree, token, keys });
const released = (tree: ScratchTree, keys: string[], held: string[] = []) =>
  releaseBeforeImage({ ...tree, token, keys, held });

/** It is stopped half way, with these locks left. */
async function stopped(tree: ScratchTree, held?: string[]) {
  const more = held ? { held } : {};
  const { files } = await saveWork({ ...tree, token, about: about(), ...more });
  const { restored, deleted, left } = await putBack({ ...tree, token, ...more });
  return { saved: files, restored, deleted, left };
}

const read = (tree: ScratchTree, path: string) => readFileSync(tree.at(path), 'utf8');
const untouched = { saved: 0, restored: [], deleted: [], left: [] };

describe('a file that was given back', () => {
  it.each([
    ['another has changed', 'theirs'],
    ['nobody has changed since', 'mine'],
  ])('and that %s stays', async (_, text) => {
    const tree = new ScratchTree({ 'a.ts': 'old', 'b.ts': 'old' });
    await took(tree, 'a.ts', 'b.ts');
    tree.write('a.ts', 'mine');
    tree.write('b.ts', 'half');
    await released(tree, ['a.ts'], ['b.ts']);
    tree.write('a.ts', text);
    expect(await stopped(tree, ['b.ts'])).toEqual({ ...untouched, saved: 1, restored: ['b.ts'] });
    expect([read(tree, 'a.ts'), read(tree, 'b.ts')]).toEqual([text, 'old']);
  });

  it('stays although nobody could note that it was: the lock is not there any more', async () => {
    const tree = new ScratchTree({ 'a.ts': 'old' });
    await took(tree, 'a.ts');
    tree.write('a.ts', 'theirs');
    expect(await stopped(tree, [])).toEqual(untouched);
    expect(read(tree, 'a.ts')).toBe('theirs');
  });

  it('and taken again is put back to what the others made of it', async () => {
    const tree = new ScratchTree({ 'a.ts': 'old' });
    await took(tree, 'a.ts');
    tree.write('a.ts', 'mine');
    await released(tree, ['a.ts']);
    tree.write('a.ts', 'theirs');
    await took(tree, 'a.ts');
    tree.write('a.ts', 'mine again');
    expect(await stopped(tree, ['a.ts'])).toEqual({ ...untouched, saved: 1, restored: ['a.ts'] });
    expect(read(tree, 'a.ts')).toBe('theirs');
  });

  it('and that was new is not deleted', async () => {
    const tree = new ScratchTree({});
    await took(tree, 'new/a.ts');
    tree.write('new/a.ts', 'mine');
    await released(tree, ['new/a.ts']);
    expect(await stopped(tree, [])).toEqual(untouched);
    expect(read(tree, 'new/a.ts')).toBe('mine');
  });

  it('is still its own where another of its locks covers it', async () => {
    const tree = new ScratchTree({ 'src/a.ts': 'old' });
    await took(tree, 'src/a.ts');
    await took(tree, 'src/**');
    tree.write('src/a.ts', 'half');
    await released(tree, ['src/a.ts'], ['src/**']);
    expect(await stopped(tree, ['src/**'])).toEqual({ ...untouched, saved: 1, restored: ['src/a.ts'] });
    expect(read(tree, 'src/a.ts')).toBe('old');
  });
});

it('of an attempt that had locked no file needs no note', async () => {
  const tree = new ScratchTree({});
  await released(tree, ['db:test']);
  expect(await stopped(tree)).toEqual(untouched);
});
