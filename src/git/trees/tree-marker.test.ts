import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { markTree, wayInTree, workspaceOfTree } from './tree-marker.ts';

afterAll(removeRepositories);

/** A repository with one tree beside it. */
function scene(prefix = '') {
  const repository = new TestRepository({ 'a.txt': 'one\n', 'app/src/b.txt': 'two\n' });
  const tree = join(repository.beside, 'a');
  repository.git('worktree', 'add', '-q', '--detach', tree);
  const root = join(repository.root, prefix);
  return { repository, tree, root, admin: join(repository.root, '.git/worktrees/a'), mark: () => markTree(tree, root) };
}

describe('the workspace of a tree', () => {
  it('is told in each of its folders, also one that is not there yet or has a repository of its own', () => {
    const { repository, tree, root, mark } = scene();
    mark();
    repository.gitIn(tree, 'init', '-q', 'nested');
    const place = { root, tree, prefix: '' };
    for (const folder of ['.', 'app', 'app/src', 'app/none/at/all', 'a.txt', 'nested'])
      expect(workspaceOfTree(join(tree, folder)), folder).toEqual(place);
  });

  it('is told with its place below the top of the repository', () => {
    const { tree, root, mark } = scene('app');
    mark();
    expect(workspaceOfTree(join(tree, 'app'))).toEqual({ root, tree, prefix: 'app' });
    expect(workspaceOfTree(tree)).toEqual({ root, tree, prefix: 'app' });
  });

  it('is told where the workspace is a worktree itself, a submodule, or has a newline in its name', () => {
    const { repository, tree } = scene();
    const second = join(repository.beside, 'of a');
    repository.gitIn(tree, 'worktree', 'add', '-q', '--detach', second);
    markTree(second, tree);
    expect(workspaceOfTree(second)).toEqual({ root: tree, tree: second, prefix: '' });
    expect(workspaceOfTree(tree)).toBeNull();

    const around = new TestRepository();
    around.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository.root, 'sub');
    const [sub, ofSub] = [join(around.root, 'sub'), join(around.beside, 's')];
    around.gitIn(sub, 'worktree', 'add', '-q', '--detach', ofSub);
    markTree(ofSub, sub);
    expect(workspaceOfTree(ofSub)).toEqual({ root: sub, tree: ofSub, prefix: '' });

    const odd = new TestRepository({ 'app\n2/b.txt': '' });
    const ofOdd = join(odd.beside, 'o');
    odd.git('worktree', 'add', '-q', '--detach', ofOdd);
    markTree(ofOdd, join(odd.root, 'app\n2'));
    expect(workspaceOfTree(ofOdd)).toEqual({ root: join(odd.root, 'app\n2'), tree: ofOdd, prefix: 'app\n2' });
  });

  it('is none elsewhere: in the workspace, beside it, and in a worktree that a person made', () => {
    const { repository, tree, mark } = scene();
    expect([repository.root, repository.beside, tree, '/', '/nonexistent/x'].map(workspaceOfTree)).toEqual(
      Array(5).fill(null),
    );
    mark();
    expect([repository.root, repository.beside].map(workspaceOfTree)).toEqual([null, null]);
  });

  it('is marked once, and anew where it changed', () => {
    const { root, tree, admin, mark } = scene();
    mark();
    mark();
    expect(readFileSync(join(admin, 'signalbox-workspace'), 'utf8')).toBe(`${root}\n`);
    markTree(tree, join(root, 'app'));
    expect(workspaceOfTree(tree)).toEqual({ root: join(root, 'app'), tree, prefix: 'app' });
    expect(() => markTree(root, root)).toThrow(`${root} is no linked worktree`);
  });

  it('is marked where a link was put in the place of the mark, and the link is not followed', () => {
    const { repository, root, admin, tree, mark } = scene();
    repository.write('a.txt', `${root}/app\n`);
    symlinkSync(join(repository.root, 'a.txt'), join(admin, 'signalbox-workspace'));
    expect(workspaceOfTree(tree)).toBeNull();
    mark();
    expect(workspaceOfTree(tree)?.root).toBe(root);
    expect(readFileSync(join(repository.root, 'a.txt'), 'utf8')).toBe(`${root}/app\n`);
  });
});

type Scene = ReturnType<typeof scene>;

it.each<[string, (scene: Scene) => void]>([
  ['the workspace is gone', ({ tree }) => markTree(tree, '/nonexistent')],
  [
    'the root is not absolute',
    ({ admin, root }) => writeFileSync(join(admin, 'signalbox-workspace'), `${relative(process.cwd(), root)}\n`),
  ],
  ['the mark is empty', ({ admin }) => writeFileSync(join(admin, 'signalbox-workspace'), '\n')],
  ['the mark is too long', ({ admin, root }) => writeFileSync(join(admin, 'signalbox-workspace'), root.padEnd(20_000))],
  [
    'the mark is a folder',
    ({ admin }) => {
      rmSync(join(admin, 'signalbox-workspace'));
      mkdirSync(join(admin, 'signalbox-workspace'));
    },
  ],
  ['the root belongs to another repository', ({ tree }) => markTree(tree, new TestRepository().root)],
  ['the root belongs to no repository', ({ tree, repository }) => markTree(tree, repository.beside)],
  ['the folder of git points back to another tree', ({ admin }) => writeFileSync(join(admin, 'gitdir'), '/x/.git\n')],
  ['the folder of git points nowhere', ({ admin }) => rmSync(join(admin, 'gitdir'))],
  ['the .git file says nothing', ({ tree }) => writeFileSync(join(tree, '.git'), 'x')],
  [
    'the .git file is a link',
    ({ tree }) => {
      renameSync(join(tree, '.git'), join(tree, 'git'));
      symlinkSync('git', join(tree, '.git'));
    },
  ],
  [
    'the .git file was copied elsewhere',
    ({ tree, repository }) => {
      mkdirSync(join(repository.beside, 'copy'));
      writeFileSync(join(repository.beside, 'copy/.git'), readFileSync(join(tree, '.git')));
      rmSync(join(tree, '.git'));
      renameSync(join(repository.beside, 'copy/.git'), join(tree, 'app/.git'));
    },
  ],
])('a mark does not count where %s', (_, spoil) => {
  const found = scene();
  found.mark();
  expect(workspaceOfTree(found.tree)).not.toBeNull();
  spoil(found);
  expect(workspaceOfTree(join(found.tree, 'app'))).toBeNull();
});

it
  .skipIf(process.getuid?.() !== 0)
  .each(['.git/worktrees/a/signalbox-workspace', '.git/worktrees/a/gitdir', '../trees/a/.git'])(
  'a mark does not count where another user owns %s',
  (name) => {
    const { repository, tree, mark } = scene();
    mark();
    expect(workspaceOfTree(tree)).not.toBeNull();
    chownSync(join(repository.root, name), 4711, 4711);
    expect(workspaceOfTree(tree)).toBeNull();
  },
);

it('a path in a tree stands for the same path in the workspace, and one beside it for none', () => {
  const { tree, root, repository, mark } = scene('app');
  mark();
  const ways: [string, string | null][] = [
    [join(tree, 'app/src/b.txt'), join('src', 'b.txt')],
    [join(tree, 'app/new/x'), join('new', 'x')],
    [join(tree, 'app/..x'), '..x'],
    [join(tree, 'app'), ''],
    [join(tree, 'a.txt'), null],
    [tree, null],
    [join(root, 'src/b.txt'), null],
  ];
  for (const [path, way] of ways) expect(wayInTree(root, path), path).toBe(way);
  expect(wayInTree(repository.root, join(tree, 'app/src/b.txt'))).toBeNull();
});
