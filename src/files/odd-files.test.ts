// Files that are easily forgotten: names that are no UTF-8, modes of folders, FIFOs, and folders where files were. Each is saved and put
// back, or named as what could not be.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { about, removeScratchTrees, ScratchTree } from '../../test/rigs/scratch-tree.ts';
import { bytesOf, nameOf, shownName } from './disk/disk-name.ts';
import { putBack } from './put-back.ts';
import { restoreSaved } from './restore-saved.ts';
import { saveWork } from './save-work.ts';
import { savedDiff } from './saved-diff.ts';
import { readSaved } from './saved-manifest.ts';
import { takeBeforeImage } from './take-before-image.ts';
import { treeStamps } from './tree-stamps.ts';

afterAll(removeScratchTrees);

const took = (tree: ScratchTree) => takeBeforeImage({ ...tree, token: 7, keys: ['src'] });
const saves = (tree: ScratchTree) => saveWork({ ...tree, token: 7, about: about() });
const puts = (tree: ScratchTree) => putBack({ ...tree, token: 7 });
const bytes = (tree: ScratchTree, name: string) => Buffer.from(tree.at(name), 'latin1');
const text = (tree: ScratchTree, name: string) => readFileSync(bytes(tree, name), 'utf8');
const isThere = (tree: ScratchTree, name: string) =>
  lstatSync(bytes(tree, name), { throwIfNoEntry: false }) !== undefined;
const mode = (tree: ScratchTree, path: string) => (lstatSync(tree.at(path)).mode & 0o7777).toString(8);

describe.skipIf(process.platform === 'darwin')('names that are no UTF-8', () => {
  it('are saved and put back like any other, and restored', async () => {
    const tree = new ScratchTree({ 'src/a': 'a' });
    for (const name of ['src/changed\xe4', 'src/gone\xff', 'src/same\xfe']) writeFileSync(bytes(tree, name), 'before');
    mkdirSync(bytes(tree, 'src/d\xfc'));
    writeFileSync(bytes(tree, 'src/d\xfc/in'), 'before');
    symlinkSync(Buffer.from('to\xf6', 'latin1'), bytes(tree, 'src/link\xf6'));
    expect((await took(tree)).notKept).toEqual([]);
    writeFileSync(bytes(tree, 'src/changed\xe4'), 'after');
    rmSync(tree.at('src/a'));
    const removed = ['src/gone\xff', 'src/d\xfc/in', 'src/link\xf6'].map((name) =>
      bytes(tree, name).toString('latin1'),
    );
    spawnSync('sh', ['-c', `rm -- ${removed.map((name) => `"$(printf '${octal(name)}')"`).join(' ')}`]);
    writeFileSync(bytes(tree, 'src/new\xdf'), 'new');
    expect(isThere(tree, 'src/gone\xff')).toBe(false);
    expect((await saves(tree)).files).toBe(6);
    expect(await puts(tree)).toMatchObject({ left: [] });
    expect(text(tree, 'src/changed\xe4')).toBe('before');
    expect(text(tree, 'src/gone\xff')).toBe('before');
    expect(text(tree, 'src/d\xfc/in')).toBe('before');
    expect(readlinkSync(bytes(tree, 'src/link\xf6'), { encoding: 'buffer' })).toEqual(Buffer.from('to\xf6', 'latin1'));
    expect(isThere(tree, 'src/new\xdf')).toBe(false);
    expect(await restoreSaved({ ...tree, id: 'api-1' })).toMatchObject({ changedSince: [], left: [] });
    expect(text(tree, 'src/changed\xe4')).toBe('after');
    expect(text(tree, 'src/new\xdf')).toBe('new');
    expect(isThere(tree, 'src/gone\xff')).toBe(false);
  });

  it('are shown with their bytes, and told apart', () => {
    const names = ['e4', 'e5', 'efbfbd', 'c3a4', 'f09f92a5ff', 'edb280', '61'].map((hex) => Buffer.from(hex, 'hex'));
    const shown = ['\\xe4', '\\xe5', '\ufffd', 'ä', '💥\\xff', '\\xed\\xb2\\x80', 'a'];
    expect(names.map((name) => shownName(nameOf(name)))).toEqual(shown);
    expect(names.map((name) => Buffer.from(bytesOf(nameOf(name))))).toEqual(names);
  });

  it('count when somebody asks whether anything was changed', async () => {
    const tree = new ScratchTree();
    mkdirSync(bytes(tree, 'd\xfc'));
    writeFileSync(bytes(tree, 'd\xfc/in'), 'before');
    const before = await treeStamps(tree.root);
    expect(before).not.toBeNull();
    expect(await treeStamps(tree.root)).toEqual(before);
    writeFileSync(bytes(tree, 'd\xfc/in'), 'after, and longer');
    expect(await treeStamps(tree.root)).not.toEqual(before);
  });
});

describe('modes of folders', () => {
  it('are put back where they were changed and where the folder was deleted', async () => {
    const tree = new ScratchTree({ 'src/kept/a': 'a', 'src/gone/deep/b': 'b', 'src/same/c': 'c' });
    chmodSync(tree.at('src/kept'), 0o750);
    chmodSync(tree.at('src/gone'), 0o2711);
    chmodSync(tree.at('src/gone/deep'), 0o500);
    mkdirSync(tree.at('src/empty'), { mode: 0o700 });
    await took(tree);
    chmodSync(tree.at('src/kept'), 0o777);
    chmodSync(tree.at('src/gone/deep'), 0o700);
    for (const path of ['src/gone', 'src/empty']) rmSync(tree.at(path), { recursive: true });
    await saves(tree);
    expect(readSaved(tree.folder, 'api-1')!.files).toContainEqual(
      expect.objectContaining({ path: 'src/kept', was: 'changed', mode: 0o777 }),
    );
    expect(await puts(tree)).toMatchObject({ left: [], restored: ['src/gone/deep/b', 'src/kept'] });
    const modes = () => ['src/kept', 'src/gone', 'src/gone/deep', 'src/empty'].map((path) => mode(tree, path));
    expect(modes()).toEqual(['750', '2711', '500', '700']);
    expect(await puts(tree)).toEqual({ restored: [], deleted: [], left: [] });
    expect(await restoreSaved({ ...tree, id: 'api-1' })).toMatchObject({ changedSince: [], left: [] });
    expect(mode(tree, 'src/kept')).toBe('777');
  });

  it('are put back when nothing else was changed, and a copy elsewhere gets them too', async () => {
    const tree = new ScratchTree({ 'src/d/a': 'a' });
    chmodSync(tree.at('src/d'), 0o755);
    await took(tree);
    chmodSync(tree.at('src/d'), 0o700);
    expect(await saves(tree)).toMatchObject({ id: 'api-1', files: 1 });
    expect(await puts(tree)).toEqual({ restored: ['src/d'], deleted: [], left: [] });
    expect(mode(tree, 'src/d')).toBe('755');
    await restoreSaved({ ...tree, id: 'api-1', to: tree.at('copy') });
    expect(mode(tree, 'copy/src/d')).toBe('700');
  });

  it('are not those of folders around the locked one', async () => {
    const tree = new ScratchTree({ 'src/d/a': 'a' });
    await takeBeforeImage({ ...tree, token: 7, keys: ['src/d/a'] });
    chmodSync(tree.at('src/d'), 0o700);
    expect(await saves(tree)).toMatchObject({ files: 0 });
  });
});

describe('FIFOs', () => {
  it('get their mode back, and are named where they are gone', async () => {
    const tree = new ScratchTree({ 'src/a': 'a' });
    for (const name of ['kept', 'gone', 'file', 'same']) {
      spawnSync('mkfifo', [tree.at(`src/${name}`)]);
      chmodSync(tree.at(`src/${name}`), 0o640);
    }
    await took(tree);
    chmodSync(tree.at('src/kept'), 0o600);
    for (const name of ['gone', 'file']) rmSync(tree.at(`src/${name}`));
    tree.write('src/file', 'a file');
    await saves(tree);
    const why = 'was a FIFO, a socket or a device, which cannot be made again';
    expect(await puts(tree)).toEqual({
      restored: ['src/kept'],
      deleted: [],
      left: ['src/file', 'src/gone'].map((path) => ({ path, why })),
    });
    expect(mode(tree, 'src/kept')).toBe('640');
  });
});

describe('a folder where a file was, and the reverse', () => {
  it('is shown, whichever of both is there now', async () => {
    const tree = new ScratchTree({ 'src/folder/a': 'a\n', 'src/file': 'file\n' });
    await took(tree);
    renameSync(tree.at('src/folder'), tree.at('moved'));
    tree.write('src/folder', 'now a file\n');
    rmSync(tree.at('src/file'));
    tree.write('src/file/b', 'now a folder\n');
    await saves(tree);
    const place = { root: tree.root, stateFolder: tree.folder };
    const shown = () =>
      readSaved(tree.folder, 'api-1')!.files.map((file) => {
        const { diff, without } = savedDiff(place, 'api-1', file);
        return [file.path, diff ?? without];
      });
    const now = [
      ['src/file', 'deleted'],
      ['src/file/b', 'same'],
      ['src/folder', 'same'],
      ['src/folder/a', 'deleted'],
    ];
    expect(shown()).toEqual(now);
    await puts(tree);
    expect(shown()).toEqual([
      now[0],
      ['src/file/b', '@@ -0,0 +1,1 @@\n+now a folder\n'],
      ['src/folder', '@@ -0,0 +1,1 @@\n+now a file\n'],
      now[3],
    ]);
  });

  it('is not taken for the same when it is empty and not there, or has another mode', async () => {
    const tree = new ScratchTree({ 'src/tool': 'a\n' });
    await took(tree);
    tree.write('src/empty', '');
    chmodSync(tree.at('src/tool'), 0o755);
    await saves(tree);
    const place = { root: tree.root, stateFolder: tree.folder };
    const shown = () => readSaved(tree.folder, 'api-1')!.files.map((file) => savedDiff(place, 'api-1', file).without);
    expect(shown()).toEqual(['same', 'same']);
    await puts(tree);
    expect(shown()).toEqual(['not-there', 'mode']);
  });

  it('is told when the copy of a saved file is gone, instead of taking it for empty', async () => {
    const tree = new ScratchTree({ 'src/a': 'a\n' });
    await took(tree);
    tree.write('src/a', 'b\n');
    await saves(tree);
    rmSync(`${tree.folder}/saved/api-1/content`, { recursive: true });
    const [file] = readSaved(tree.folder, 'api-1')!.files;
    expect(savedDiff({ root: tree.root, stateFolder: tree.folder }, 'api-1', file!)).toEqual({
      diff: null,
      without: 'lost',
    });
  });
});

const octal = (name: string) =>
  [...Buffer.from(name, 'latin1')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
