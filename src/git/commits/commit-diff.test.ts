import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { withTreeNow } from '../trees/tree-now.ts';
import { commitDiff, type FileChange } from './commit-diff.ts';

afterAll(removeRepositories);

const long = `${Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')}\n`;
let r: TestRepository;
beforeEach(() => {
  r = new TestRepository({
    'a.txt': 'one\ntwo\n',
    'gone.txt': 'gone\n',
    'old.txt': long,
    'run.sh': 'x\n',
    'b.bin': 'a\0b',
  });
});

const isApart = (path: Buffer) => path.toString().startsWith('.signalbox/');
const everything = { isApart, mostBytes: 1_000_000 };

function change(): void {
  r.write('a.txt', 'one\nTWO\nthree\n');
  rmSync(join(r.root, 'gone.txt'));
  renameSync(join(r.root, 'old.txt'), join(r.root, 'new name\nhere.txt'));
  chmodSync(join(r.root, 'run.sh'), 0o755);
  writeFileSync(join(r.root, 'b.bin'), Buffer.alloc(100));
  symlinkSync('a.txt', join(r.root, 'link'));
  r.write('empty', '');
  r.write('.signalbox/state', 'ours');
  r.write('tricky', 'diff --git a/x b/x\n@@ -1 +1 @@\n');
}

const short = ({ path, from, was, modeBefore, mode, added, removed, bytesBefore, bytes }: FileChange) =>
  [path.toString(), from?.toString() ?? null, was, modeBefore, mode, added, removed, bytesBefore, bytes] as const;

const expected = [
  ['a.txt', null, 'changed', '100644', '100644', 2, 1, null, null],
  ['b.bin', null, 'changed', '100644', '100644', null, null, 3, 100],
  ['empty', null, 'new', null, '100644', 0, 0, null, null],
  ['gone.txt', null, 'deleted', '100644', null, 0, 1, null, null],
  ['link', null, 'new', null, '120000', 1, 0, null, null],
  ['new name\nhere.txt', 'old.txt', 'renamed', '100644', '100644', 0, 0, null, null],
  ['run.sh', null, 'changed', '100644', '100755', 0, 0, null, null],
  ['tricky', null, 'new', null, '100644', 2, 0, null, null],
];

it('has each file once, with what became of it, and nothing that is apart', async () => {
  const from = r.head;
  change();
  const to = r.commit('all');
  const { files, cut } = await commitDiff(r.caller, { from, to, ...everything });
  expect(files.map(short)).toEqual(expected);
  expect(cut).toBe(false);
  expect(files[0]!.lines).toBe('@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+three\n');
  expect(files.at(-1)!.lines).toBe('@@ -0,0 +1,2 @@\n+diff --git a/x b/x\n+@@ -1 +1 @@\n');
  expect(files.slice(5, 7).map(({ lines }) => lines)).toEqual([null, null]);
});

it('shows a file that became a symlink as both, and what follows it as itself', async () => {
  const from = r.head;
  rmSync(join(r.root, 'a.txt'));
  symlinkSync('gone.txt', join(r.root, 'a.txt'));
  r.write('z.txt', 'z\n');
  const to = r.commit('link');
  const { files } = await commitDiff(r.caller, { from, to, ...everything });
  expect(files.map(({ path, mode, lines }) => [path.toString(), mode, lines])).toEqual([
    ['a.txt', '120000', expect.stringMatching(/-one\n-two\n@@ .*\n\+gone\.txt\n/)],
    ['z.txt', '100644', '@@ -0,0 +1 @@\n+z\n'],
  ]);
});

it('leaves out lines that have no room, and says so', async () => {
  const from = r.head;
  r.write('a.txt', 'x\n');
  r.write('z.txt', long.repeat(100));
  const to = r.commit('long');
  const { files, cut } = await commitDiff(r.caller, { from, to, isApart, mostBytes: 1_000 });
  expect(cut).toBe(true);
  expect(files.map(({ path, added, lines }) => [path.toString(), added, lines === null])).toEqual([
    ['a.txt', 1, false],
    ['z.txt', 3000, true],
  ]);
});

it('is the same of a tree that nobody has committed, and leaves nothing behind there', async () => {
  const from = r.head;
  change();
  r.git('add', 'a.txt');
  const before = [r.git('status', '--porcelain'), readFileSync(join(r.root, '.git/index')), r.git('count-objects')];
  const files = await withTreeNow(r.caller, { folder: r.root, isApart }, async ({ tree, variables }) => {
    const found = await commitDiff(r.caller, { from, to: tree, ...everything, variables });
    return found.files;
  });
  expect(files.map(short)).toEqual(expected);
  expect([r.git('status', '--porcelain'), readFileSync(join(r.root, '.git/index')), r.git('count-objects')]).toEqual(
    before,
  );
});

it('shows a tree in the middle of a merge', async () => {
  r.git('switch', '-q', '-c', 'other');
  r.write('a.txt', 'theirs\n');
  r.commit('theirs');
  r.git('switch', '-q', 'main');
  r.write('a.txt', 'ours\n');
  const from = r.commit('ours');
  expect(() => r.git('merge', '-q', 'other')).toThrow();
  const lines = await withTreeNow(r.caller, { folder: r.root, isApart }, async ({ tree, variables }) => {
    return (await commitDiff(r.caller, { from, to: tree, ...everything, variables })).files[0]!.lines;
  });
  expect(lines).toContain('+<<<<<<< ');
});
