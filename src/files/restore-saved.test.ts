// What was saved, found again by its id and written back, or somewhere else.
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { about, removeScratchTrees, ScratchTree } from '../../test/rigs/scratch-tree.ts';
import { forgetBeforeImages } from './forget-before-images.ts';
import { putBack } from './put-back.ts';
import { restoreSaved } from './restore-saved.ts';
import { saveWork } from './save-work.ts';
import { listSaved, readSaved } from './saved-manifest.ts';
import { type BeforeReport, takeBeforeImage } from './take-before-image.ts';

afterAll(removeScratchTrees);

const took = (tree: ScratchTree, keys: readonly string[], token = 7): Promise<BeforeReport> =>
  takeBeforeImage({ ...tree, token, keys });
const saves = (tree: ScratchTree, token = 7, what = about()) => saveWork({ ...tree, token, about: what });
const puts = (tree: ScratchTree, token = 7) => putBack({ ...tree, token });

describe('ids', () => {
  const hostile = [
    '../../etc',
    '..',
    '.',
    '',
    '-rf',
    'a/b',
    'a\\b',
    'x'.repeat(300),
    '💥'.repeat(150),
    'CON',
    'a b',
    '日本',
    'a%2fb',
  ];

  it.each(hostile)('of the task %j stay one name in the folder', async (task) => {
    const tree = new ScratchTree({ a: 'a' });
    await took(tree, ['a']);
    tree.write('a', 'b');
    const { id } = await saves(tree, 7, about(task));
    expect(id).toMatch(/^[A-Za-z0-9_%][A-Za-z0-9_%.-]*$/);
    expect(id!.length).toBeLessThan(120);
    expect(readdirSync(join(tree.folder, 'saved'))).toEqual([id]);
    expect(readSaved(tree.folder, id!)).toMatchObject({ task });
  });

  it('are different for different tasks, attempts and plans', async () => {
    const tree = new ScratchTree({ a: 'a' });
    const works = [...hostile, 'api', 'api', 'x'.repeat(301)].map((task) => about(task));
    for (const [token, what] of [...works, about('api', 2), { ...about(), attempt: 'odd' }].entries()) {
      await took(tree, ['a'], token);
      tree.write('a', `work ${token}`);
      await saves(tree, token, what);
      await puts(tree, token);
    }
    const all = listSaved(tree.folder);
    expect(all).toHaveLength(works.length + 2);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(['api-1', 'api-1-2', 'api-1-3', 'api-2', 'CON-1']));
  });

  it('that somebody broke hide nothing else, and are never written over', async () => {
    const tree = new ScratchTree({ a: 'a' });
    tree.write('.signalbox/saved/api-1/manifest.json', '{');
    tree.write('.signalbox/saved/api-1-2/content/000001', 'without a manifest');
    await took(tree, ['a']);
    tree.write('a', 'b');
    expect(await saves(tree)).toMatchObject({ id: 'api-1-3' });
    expect(listSaved(tree.folder).map(({ id }) => id)).toEqual(['api-1-3']);
    expect(() => readSaved(tree.folder, 'api-1')).toThrow(expect.objectContaining({ kind: 'broken-manifest' }));
    expect(readFileSync(tree.at('.signalbox/saved/api-1/manifest.json'), 'utf8')).toBe('{');
    expect((await puts(tree)).restored).toEqual(['a']);
  });

  it.each(['../before/7', '..', '/etc', '', 'a/b', 'none', '.hidden'])('%j is not found and reads nothing', (id) => {
    const tree = new ScratchTree();
    expect(readSaved(tree.folder, id)).toBeNull();
    expect(listSaved(tree.folder)).toEqual([]);
  });
});

describe('restoring', () => {
  async function saved() {
    const tree = new ScratchTree({ 'src/a.ts': 'a', 'src/b.ts': 'b', 'src/gone.ts': 'gone' });
    await took(tree, ['src']);
    tree.write('src/a.ts', 'victim a');
    tree.write('src/new.ts', 'victim new', 0o755);
    rmSync(tree.at('src/gone.ts'));
    await saves(tree);
    await puts(tree);
    await forgetBeforeImages({ folder: tree.folder, token: 7 });
    return tree;
  }

  it('refuses what was changed since and does nothing then, unless it is forced', async () => {
    const tree = await saved();
    tree.write('src/a.ts', 'somebody else');
    tree.write('src/gone.ts', 'somebody else');
    tree.write('src/new.ts', 'somebody else');
    const now = tree.all();
    const report = await restoreSaved({ ...tree, id: 'api-1' });
    expect(report).toMatchObject({ changedSince: ['src/a.ts', 'src/gone.ts', 'src/new.ts'], written: [], deleted: [] });
    expect(tree.all()).toEqual(now);
    const forced = await restoreSaved({ ...tree, id: 'api-1', force: true });
    expect(forced).toMatchObject({ written: ['src/a.ts', 'src/new.ts'], deleted: ['src/gone.ts'] });
    expect(readFileSync(tree.at('src/a.ts'), 'utf8')).toBe('victim a');
    expect(lstatSync(tree.at('src/new.ts')).mode & 0o777).toBe(0o755);
    expect(await restoreSaved({ ...tree, id: 'api-1' })).toMatchObject({
      written: [],
      same: ['src/a.ts', 'src/gone.ts', 'src/new.ts'],
    });
  });

  it('goes to another folder, over nothing that is there', async () => {
    const tree = await saved();
    const now = tree.all();
    const other = new ScratchTree({ 'src/gone.ts': 'theirs' });
    const to = join(other.root, 'deep', 'er');
    expect(await restoreSaved({ ...tree, id: 'api-1', to })).toMatchObject({
      to,
      written: ['src/a.ts', 'src/new.ts'],
      deleted: [],
    });
    expect(readFileSync(join(to, 'src/new.ts'), 'utf8')).toBe('victim new');
    other.write('src/a.ts', 'theirs');
    expect(await restoreSaved({ ...tree, id: 'api-1', to: other.root })).toMatchObject({
      changedSince: ['src/a.ts'],
      written: [],
    });
    expect(other.all()['src/gone.ts']).toBeDefined();
    expect(tree.all()).toEqual(now);
  });

  it('puts a file where a folder is only when nothing of others is in that', async () => {
    const tree = new ScratchTree({ 'src/f/x': 'x' });
    await took(tree, ['src']);
    rmSync(tree.at('src/f'), { recursive: true });
    tree.write('src/f', 'a file');
    await saves(tree);
    await puts(tree);
    tree.write('src/f/theirs', 'theirs');
    expect(await restoreSaved({ ...tree, id: 'api-1' })).toMatchObject({ changedSince: ['src/f'], deleted: [] });
    expect((await restoreSaved({ ...tree, id: 'api-1', force: true }))!.left).toEqual([
      { path: 'src/f', why: 'has a folder in its place, with something in it' },
    ]);
    rmSync(tree.at('src/f/theirs'));
    expect((await restoreSaved({ ...tree, id: 'api-1' }))!.written).toEqual(['src/f']);
  });

  it('never through a symlink, and never a copy that was changed', async () => {
    const tree = await saved();
    const outside = new ScratchTree();
    renameSync(tree.at('src'), tree.at('moved'));
    tree.link('src', outside.root);
    expect((await restoreSaved({ ...tree, id: 'api-1' }))!.changedSince).toHaveLength(3);
    expect((await restoreSaved({ ...tree, id: 'api-1', force: true }))!.left).toHaveLength(3);
    expect(outside.all()).toEqual({});
    const copies = join(tree.folder, 'saved/api-1/content');
    tree.write(`.signalbox/saved/api-1/content/${readdirSync(copies)[0]}`, 'changed');
    await expect(restoreSaved({ ...tree, id: 'api-1', force: true })).rejects.toMatchObject({ name: 'Outage' });
    expect(await restoreSaved({ ...tree, id: 'none' })).toBeNull();
  });
});

it('forgetting removes the images of one token, and nothing that was saved', async () => {
  const tree = new ScratchTree({ a: 'a' });
  await took(tree, ['a']);
  await took(tree, ['a'], 8);
  tree.write('a', 'b');
  await saves(tree);
  await forgetBeforeImages({ folder: tree.folder, token: 7 });
  await forgetBeforeImages({ folder: tree.folder, token: 7 });
  expect(readdirSync(join(tree.folder, 'before'))).toEqual(['8']);
  expect(listSaved(tree.folder)).toHaveLength(1);
  expect(await saves(tree)).toMatchObject({ id: 'api-1' });
  await forgetBeforeImages({ folder: join(tree.root, 'nowhere'), token: 7 });
});
