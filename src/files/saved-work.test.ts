// The whole way with real files: imaged, changed by an attempt, saved, put back, and restored.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { about, removeScratchTrees, ScratchTree } from '../../test/rigs/scratch-tree.ts';
import { putBack } from './put-back.ts';
import { restoreSaved } from './restore-saved.ts';
import { saveWork } from './save-work.ts';
import { readSaved } from './saved-manifest.ts';
import { type BeforeReport, takeBeforeImage } from './take-before-image.ts';

afterAll(removeScratchTrees);

const everything = () => {
  const tree = new ScratchTree({
    'src/a.ts': 'old a',
    'src/gone.ts': 'old gone',
    'src/same.ts': 'same',
    'src/empty.ts': '',
    'src/deep/er/b.bin': Buffer.from([0, 255, 254, 0, 10, 13]),
    'src/日本/ünï cøde 💥.txt': 'unicode',
    'src/run.sh': '#!/bin/sh',
    'src/becomes-folder': 'a file',
    'src/was-folder/x': 'x',
    'src/was-folder/y': 'y',
    'other/untouched.ts': 'not mine',
    'node_modules/p/index.js': 'p',
    'src/node_modules/q/index.js': 'q',
    '.git/HEAD': 'ref',
    'docs/plan-outputs/plan/status.json': '{}',
  });
  chmodSync(tree.at('src/run.sh'), 0o755);
  tree.link('src/link', 'a.ts');
  tree.link('src/dangling', '../nowhere');
  mkdirSync(tree.at('src/empty-folder'));
  return tree;
};

/** What an attempt may do to its files. */
function changeEverything(tree: ScratchTree): void {
  tree.write('src/a.ts', 'new a');
  rmSync(tree.at('src/gone.ts'));
  tree.write('src/empty.ts', 'no longer');
  tree.write('src/deep/er/b.bin', Buffer.from([1, 2, 3]));
  rmSync(tree.at('src/日本'), { recursive: true });
  chmodSync(tree.at('src/run.sh'), 0o600);
  rmSync(tree.at('src/becomes-folder'));
  tree.write('src/becomes-folder/in/it.ts', 'inside');
  rmSync(tree.at('src/was-folder'), { recursive: true });
  tree.write('src/was-folder', 'now a file');
  rmSync(tree.at('src/link'));
  tree.link('src/link', 'b.ts');
  rmSync(tree.at('src/dangling'));
  tree.write('src/dangling', 'a plain file');
  rmSync(tree.at('src/empty-folder'), { recursive: true });
  tree.write('src/fresh/one.ts', 'fresh', 0o640);
  tree.link('src/fresh/link', '../a.ts');
  mkdirSync(tree.at('src/fresh/nothing-in-it'), { recursive: true });
}

const took = (tree: ScratchTree, keys: readonly string[], token = 7): Promise<BeforeReport> =>
  takeBeforeImage({ ...tree, token, keys });
const saves = (tree: ScratchTree, token = 7, what = about()) => saveWork({ ...tree, token, about: what });
const puts = (tree: ScratchTree, token = 7) => putBack({ ...tree, token });

describe('an attempt that is ended', () => {
  it.each([[['src']], [['src/**']], [['src/']], [['{src,other}/**']]])(
    'with the locks %j: saved and put back',
    async (keys) => {
      const tree = everything();
      const before = tree.all();
      expect((await took(tree, keys)).notKept).toEqual([]);
      changeEverything(tree);
      const after = tree.all();
      const saved = await saves(tree);
      expect(saved).toMatchObject({ id: 'api-1', notPutBack: [] });
      expect(tree.all()).toEqual(after);
      const report = await puts(tree);
      expect(report.left).toEqual([]);
      expect(tree.all()).toEqual(before);
      // Again changes nothing, and saves nothing over what was saved.
      const manifest = readSaved(tree.folder, 'api-1')!;
      expect(await saves(tree)).toMatchObject({ id: 'api-1', files: saved.files });
      expect(await puts(tree)).toEqual({ restored: [], deleted: [], left: [] });
      expect(readSaved(tree.folder, 'api-1')).toEqual(manifest);
      const restored = await restoreSaved({ ...tree, id: 'api-1' });
      expect(restored).toMatchObject({ changedSince: [], left: [] });
      // Folders are not saved: those that were emptied stay, and those with nothing in them do not come back.
      const without = (all: Record<string, string>) =>
        Object.fromEntries(Object.entries(all).filter(([, what]) => what !== 'folder'));
      expect(without(tree.all())).toEqual(without(after));
    },
  );

  it('is told file by file', async () => {
    const tree = everything();
    await took(tree, ['src']);
    changeEverything(tree);
    await saves(tree);
    const { files, ...rest } = readSaved(tree.folder, 'api-1')!;
    expect(rest).toEqual({
      ...{ version: 1, id: 'api-1', token: '7', attempt: 'api#1', task: 'api', plan: 'plan.md' },
      ...{ at: '2026-11-16T01:02:03.000Z', reason: 'deadlock' },
    });
    expect(Object.fromEntries(files.map(({ path, was, mode }) => [path, [was, mode]]))).toEqual({
      'src/a.ts': ['changed', 0o644],
      'src/gone.ts': ['deleted', 0o644],
      'src/empty.ts': ['changed', 0o644],
      'src/deep/er/b.bin': ['changed', 0o644],
      'src/日本/ünï cøde 💥.txt': ['deleted', 0o644],
      'src/run.sh': ['changed', 0o600],
      'src/becomes-folder': ['deleted', 0o644],
      'src/becomes-folder/in/it.ts': ['new', 0o644],
      'src/was-folder': ['new', 0o644],
      'src/was-folder/x': ['deleted', 0o644],
      'src/was-folder/y': ['deleted', 0o644],
      'src/link': ['changed', null],
      'src/dangling': ['changed', 0o644],
      'src/fresh/one.ts': ['new', 0o640],
      'src/fresh/link': ['new', null],
    });
  });

  it('keeps private what it keeps', async () => {
    const tree = everything();
    await took(tree, ['src']);
    changeEverything(tree);
    await saves(tree);
    const look = (folder: string): void => {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(folder)) {
        const stats = lstatSync(join(folder, name));
        if (stats.isDirectory()) look(join(folder, name));
        else expect([name, stats.mode & 0o7777]).toEqual([name, 0o600]);
      }
    };
    look(join(tree.folder, 'before'));
    look(join(tree.folder, 'saved'));
  });

  it('has nothing saved when it changed nothing', async () => {
    const tree = everything();
    const before = tree.all();
    await took(tree, ['src', 'not/there/yet.ts', 'db:test']);
    expect(await saves(tree)).toEqual({ id: null, files: 0, notPutBack: [] });
    expect(await puts(tree)).toEqual({ restored: [], deleted: [], left: [] });
    expect(tree.all()).toEqual(before);
    expect(existsSync(join(tree.folder, 'saved'))).toBe(false);
  });

  it('loses nothing that was not there before, and leaves no empty folders', async () => {
    const tree = new ScratchTree({ 'a.ts': 'a' });
    const before = tree.all();
    await took(tree, ['new/deep/x.ts', 'lib/**/*.ts']);
    tree.write('new/deep/x.ts', 'x');
    tree.write('lib/a/b.ts', 'b');
    tree.write('lib/a/b.css', 'not matched');
    await saves(tree);
    expect((await puts(tree)).deleted).toEqual(['lib/a/b.ts', 'new/deep/x.ts']);
    expect(tree.all()).toEqual({ ...before, lib: 'folder', 'lib/a': 'folder', 'lib/a/b.css': expect.anything() });
  });

  it('that is large is kept whole', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, 'x');
    const tree = new ScratchTree({ large });
    const before = tree.all();
    await took(tree, ['large']);
    tree.write('large', Buffer.concat([large, Buffer.from('y')]));
    const after = tree.all();
    await saves(tree);
    await puts(tree);
    expect(tree.all()).toEqual(before);
    await restoreSaved({ ...tree, id: 'api-1' });
    expect(tree.all()).toEqual(after);
  });
});

describe('the first image is the right one', () => {
  it('for the same key, a key around it, and a key in it', async () => {
    const tree = everything();
    const before = tree.all();
    expect(await took(tree, ['src/a.ts'])).toMatchObject({ files: 1, bytes: 5 });
    tree.write('src/a.ts', 'mine');
    tree.write('src/mine.ts', 'made without a lock on it');
    expect(await took(tree, ['src/a.ts', './src/a.ts'])).toMatchObject({ files: 0 });
    rmSync(tree.at('src/mine.ts'));
    await took(tree, ['src/**', 'other']);
    tree.write('src/mine.ts', 'mine');
    tree.write('other/untouched.ts', 'mine');
    await took(tree, ['src/mine.ts', '**']);
    expect((await saves(tree)).files).toBe(3);
    await puts(tree);
    expect(tree.all()).toEqual(before);
  });

  it('also when many take it at once and begin to work as soon as they have it', async () => {
    const tree = everything();
    const before = tree.all();
    const keys = ['src/a.ts', 'src', 'src/**', '**/*.ts', 'src/gone.ts', 'src/a.ts'];
    await Promise.all(
      keys.map(async (key, i) => {
        await took(tree, [key]);
        tree.write('src/a.ts', `work ${i}`);
      }),
    );
    await saves(tree);
    await puts(tree);
    expect(tree.all()).toEqual(before);
  });
});

describe('what is not an attempt’s own', () => {
  it('is never part of it', async () => {
    const tree = everything();
    await took(tree, ['**']);
    for (const path of [
      'node_modules/p/index.js',
      'src/node_modules/q/index.js',
      '.git/HEAD',
      'docs/plan-outputs/plan/status.json',
    ]) {
      tree.write(path, 'changed');
      tree.write(`${path}.new`, 'new');
    }
    tree.write('src/.git', 'gitdir: elsewhere');
    const after = tree.all();
    expect((await saves(tree)).id).toBeNull();
    await puts(tree);
    expect(tree.all()).toEqual(after);
  });

  it('stays when it was changed after it was saved, and when it was not saved at all', async () => {
    const tree = new ScratchTree({ 'src/a.ts': 'a', 'src/b.ts': 'b' });
    await took(tree, ['src']);
    tree.write('src/a.ts', 'victim');
    tree.write('src/new.ts', 'victim');
    expect((await puts(tree)).left).toEqual([
      { path: 'src/a.ts', why: 'was not saved, so it stays as it is' },
      { path: 'src/new.ts', why: 'was not saved, so it stays as it is' },
    ]);
    await saves(tree);
    tree.write('src/new.ts', 'a person');
    tree.write('src/b.ts', 'a person');
    const report = await puts(tree);
    expect(report.restored).toEqual(['src/a.ts']);
    expect(report.left.map(({ path }) => path)).toEqual(['src/b.ts', 'src/new.ts']);
    expect(readFileSync(tree.at('src/new.ts'), 'utf8')).toBe('a person');
  });

  it('is not reached through a symlink that came later', async () => {
    const tree = new ScratchTree({ 'src/a.ts': 'a', 'src/deep/b.ts': 'b' });
    const outside = new ScratchTree({ 'a.ts': 'outside', 'deep/b.ts': 'outside' });
    const outsideBefore = outside.all();
    await took(tree, ['src/a.ts', 'src/deep/**']);
    renameSync(tree.at('src'), tree.at('moved'));
    tree.link('src', outside.root);
    expect((await saves(tree)).files).toBe(2);
    const { left, restored, deleted } = await puts(tree);
    expect([restored, deleted]).toEqual([[], []]);
    expect(left).toEqual([
      { path: 'src/a.ts', why: 'is behind the symlink src, which is not followed' },
      { path: 'src/deep/b.ts', why: 'is behind the symlink src, which is not followed' },
    ]);
    expect(outside.all()).toEqual(outsideBefore);
    expect((await took(tree, ['src/new.ts'], 8)).notKept).toEqual([{ path: 'src/new.ts', why: 'symlink' }]);
  });

  it('is not reached through manifests that somebody changed, nor through a state folder that is a symlink', async () => {
    const tree = new ScratchTree({ a: 'a' });
    await took(tree, ['a']);
    const manifest = join(tree.folder, 'before/7/grant-00000001.json');
    const written = readFileSync(manifest, 'utf8');
    for (const path of ['../b', '/etc/x', 'a/../../b', '.git/config', '']) {
      tree.write('.signalbox/before/7/grant-00000001.json', written.replace('"path":"a"', `"path":"${path}"`));
      await expect(puts(tree)).rejects.toMatchObject({ name: 'Outage', kind: 'broken-manifest' });
    }
    tree.write('.signalbox/before/7/grant-00000001.json', '{');
    await expect(saves(tree)).rejects.toMatchObject({ kind: 'broken-manifest' });
    const planted = new ScratchTree({ a: 'a' });
    planted.link('.signalbox/before', tree.root);
    await expect(took(planted, ['a'])).rejects.toMatchObject({ kind: 'unsafe-path' });
  });
});

describe('limits', () => {
  const files = { 'src/1': 'one', 'src/2': 'two!', 'src/3': 'three', 'src/4': 'four' };
  const limited = (tree: ScratchTree, limits: object, token = 7) =>
    takeBeforeImage({ ...tree, token, keys: ['src'], limits });

  it.each([
    [{ files: 2 }, ['src/3', 'src/4']],
    [{ bytes: 8 }, ['src/3', 'src/4']],
    [{ bytes: 11 }, ['src/3']],
  ])('of %j leave %j: saved, and not put back', async (limits, names) => {
    const tree = new ScratchTree(files);
    const report = await limited(tree, limits);
    expect(report.notKept.map(({ path, why }) => [path, why])).toEqual(names.map((path) => [path, 'limit']));
    for (const path of Object.keys(files)) tree.write(path, 'changed');
    tree.write('src/new', 'new');
    expect(await saves(tree)).toMatchObject({ files: 5, notPutBack: names });
    const { left, deleted } = await puts(tree);
    expect(left.map(({ path }) => path)).toEqual(names);
    expect(deleted).toEqual(['src/new']);
    for (const [path, text] of Object.entries(files)) {
      expect(readFileSync(tree.at(path), 'utf8')).toBe(names.includes(path) ? 'changed' : text);
    }
  });

  it('count for all that one token has', async () => {
    const tree = new ScratchTree({ ...files, 'lib/5': 'five' });
    await takeBeforeImage({ ...tree, token: 7, keys: ['lib'], limits: { files: 3 } });
    expect((await limited(tree, { files: 3 })).notKept).toHaveLength(2);
    expect((await limited(tree, { files: 3 }, 8)).notKept).toHaveLength(1);
  });

  it('of what is looked at never make an old file a new one', async () => {
    const tree = new ScratchTree(files);
    expect(await limited(tree, { looks: 3 })).toMatchObject({ files: 2, cut: true });
    tree.write('src/new', 'new');
    const after = tree.all();
    await saves(tree);
    await puts(tree);
    expect(tree.all()).toEqual(after);
  });
});

it('what did not change is told from its stamp, and what did change is found in spite of it', async () => {
  const tree = new ScratchTree({ 'src/a': 'aaa', 'src/b': 'bbb', 'src/c': 'ccc' });
  const before = tree.all();
  // Stamps are trusted only when the file had been at rest for a while.
  await new Promise((done) => setTimeout(done, 2600));
  await took(tree, ['src']);
  expect(readFileSync(join(tree.folder, 'before/7/grant-00000001.json'), 'utf8').match(/"stamp"/g)).toHaveLength(3);
  const { atime, mtime } = statSync(tree.at('src/b'));
  tree.write('src/b', 'BBB');
  utimesSync(tree.at('src/b'), atime, mtime);
  chmodSync(tree.at('src/c'), 0o600);
  expect((await saves(tree)).files).toBe(2);
  expect((await puts(tree)).restored).toEqual(['src/b', 'src/c']);
  expect(tree.all()).toEqual(before);
});

it('what is neither file, folder nor symlink is told, and never opened', async () => {
  const tree = new ScratchTree({ 'src/a': 'a' });
  spawnSync('mkfifo', ['-m', '640', tree.at('src/pipe')]);
  expect((await took(tree, ['src'])).notKept).toEqual([{ path: 'src/pipe', why: 'special', mode: 0o640 }]);
  spawnSync('mkfifo', [tree.at('src/second')]);
  rmSync(tree.at('src/a'));
  spawnSync('mkfifo', [tree.at('src/a')]);
  expect((await saves(tree)).files).toBe(2);
  expect(await puts(tree)).toEqual({ restored: ['src/a'], deleted: ['src/second'], left: [] });
});
