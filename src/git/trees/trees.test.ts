import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostileRepository, removeHostileRepositories } from '../../../test/rigs/hostile-repository.ts';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { GitCaller } from '../git-caller.ts';
import { beginAnew, commitOf, listTrees, makeTree } from './trees.ts';

afterAll(removeRepositories);
afterAll(removeHostileRepositories);

const wishOf = (repository: TestRepository, name: string, branch: string | null = `try/${name}`) => ({
  folder: join(repository.beside, name),
  commit: repository.head,
  branch,
});

describe('a tree', () => {
  it('is made on a branch of its own, which follows no other', async () => {
    const repository = new TestRepository();
    const config = readFileSync(join(repository.root, '.git/config'), 'utf8');
    const wish = wishOf(repository, 'a');
    await makeTree(repository.caller, wish);
    expect(readFileSync(join(wish.folder, 'a.txt'), 'utf8')).toBe('one\n');
    expect(await listTrees(repository.caller)).toEqual([
      { folder: repository.root, head: repository.head, branch: 'main', isGone: false },
      { folder: wish.folder, head: repository.head, branch: 'try/a', isGone: false },
    ]);
    expect(readFileSync(join(repository.root, '.git/config'), 'utf8')).toBe(config);
  });

  it('is made without a branch', async () => {
    const repository = new TestRepository();
    await makeTree(repository.caller, wishOf(repository, 'a', null));
    expect((await listTrees(repository.caller)).map(({ branch }) => branch)).toEqual(['main', null]);
  });

  it('is made at once with many others, and none is lost', async () => {
    const repository = new TestRepository();
    const names = Array.from({ length: 8 }, (_, i) => `t${i}`);
    await Promise.all(names.map((name) => makeTree(repository.caller, wishOf(repository, name))));
    expect((await listTrees(repository.caller)).slice(1).map(({ branch }) => branch)).toEqual(
      names.map((name) => `try/${name}`),
    );
  });

  it.each([
    ['long ago', 60_000],
    ['just now', 4_700],
  ])('is known and made although a git was killed while it made another one, %s', async (_, agoMs) => {
    const repository = new TestRepository();
    await makeTree(repository.caller, wishOf(repository, 'a'));
    repository.git('worktree', 'lock', join(repository.beside, 'a'));
    const entry = join(repository.root, '.git/worktrees/half');
    mkdirSync(entry);
    const files = {
      locked: 'initializing',
      gitdir: '/nowhere/half/.git\n',
      HEAD: `${'0'.repeat(40)}\n`,
      commondir: '',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(entry, name), text);
    const then = new Date(Date.now() - agoMs);
    utimesSync(entry, then, then);
    expect((await listTrees(repository.caller)).map(({ branch }) => branch)).toEqual(['main', 'try/a']);
    expect(existsSync(entry)).toBe(false);
    await makeTree(repository.caller, wishOf(repository, 'b'));
  });

  it('cannot be listed where something else is wrong with one, and nothing of it is removed', async () => {
    const repository = new TestRepository();
    await makeTree(repository.caller, wishOf(repository, 'a'));
    const commondir = join(repository.root, '.git/worktrees/a/commondir');
    writeFileSync(commondir, '');
    await expect(listTrees(repository.caller)).rejects.toThrow('commondir');
    expect(existsSync(commondir)).toBe(true);
  });

  it('that is there as it was wished is left as it is', async () => {
    const repository = new TestRepository();
    const wish = wishOf(repository, 'a');
    await makeTree(repository.caller, wish);
    await makeTree(repository.caller, wish);
    expect(await listTrees(repository.caller)).toHaveLength(2);
  });

  it('takes the branch that a killed attempt to make it has left', async () => {
    const repository = new TestRepository();
    repository.git('branch', 'try/a');
    await makeTree(repository.caller, wishOf(repository, 'a'));
    expect((await listTrees(repository.caller))[1]).toMatchObject({ branch: 'try/a' });
  });

  it('whose entry a kill has left without a folder is made', async () => {
    const repository = new TestRepository();
    const wish = wishOf(repository, 'a');
    await makeTree(repository.caller, wish);
    rmSync(wish.folder, { recursive: true });
    await makeTree(repository.caller, wish);
    expect(existsSync(join(wish.folder, 'a.txt'))).toBe(true);
  });

  it('is not made where a folder of somebody else is in the way, and that stays', async () => {
    const repository = new TestRepository();
    const wish = wishOf(repository, 'a');
    mkdirSync(wish.folder, { recursive: true });
    await expect(makeTree(repository.caller, wish)).rejects.toThrow('is there already');
    expect(existsSync(wish.folder)).toBe(true);
    expect(repository.git('branch', '--list', 'try/*')).toBe('');
  });

  it('that cannot be made leaves neither folder nor branch nor entry', async () => {
    const repository = new TestRepository();
    // A branch of the first part of the name: git cannot have both.
    repository.git('branch', 'try');
    const wish = wishOf(repository, 'a');
    await expect(makeTree(repository.caller, wish)).rejects.toThrow(/git worktree/);
    expect([existsSync(wish.folder), (await listTrees(repository.caller)).length]).toEqual([false, 1]);
    expect(await commitOf(repository.caller, 'refs/heads/try/a')).toBeNull();
  });

  it('of which a part is missing is taken away again: folder, branch and entry', async () => {
    const repository = new TestRepository();
    const wish = wishOf(repository, 'a');
    // A git whose disk is full behind the first file.
    const bin = join(repository.root, '..', 'bin');
    mkdirSync(bin);
    const real = `PATH='${process.env.PATH}' git "$@"`;
    const script = `#!/bin/sh\ncase " $* " in *' worktree add '*) ${real}; /bin/rm '${wish.folder}/a.txt'; exit 1;; esac\n${real}\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    const caller = new GitCaller({ root: repository.root, environment: { PATH: bin, HOME: '/nonexistent' } });
    await expect(makeTree(caller, wish)).rejects.toThrow('git worktree ended with code 1');
    expect([existsSync(wish.folder), (await listTrees(repository.caller)).length]).toEqual([false, 1]);
    expect(await commitOf(repository.caller, 'refs/heads/try/a')).toBeNull();
  });

  it('begins anew on another branch, with its ignored files', async () => {
    const repository = new TestRepository({ 'a.txt': 'one\n', '.gitignore': 'built/\n' });
    const wish = wishOf(repository, 'a');
    await makeTree(repository.caller, wish);
    repository.write('built/x', 'x', wish.folder);
    repository.write('a.txt', 'two\n');
    const commit = repository.commit('two');
    await beginAnew(repository.caller, { ...wish, branch: 'try/a2', commit });
    expect(readFileSync(join(wish.folder, 'a.txt'), 'utf8')).toBe('two\n');
    expect(readdirSync(join(wish.folder, 'built'))).toEqual(['x']);
    await beginAnew(repository.caller, { ...wish, branch: 'try/a2', commit });
  });

  it('with changes does not begin anew', async () => {
    const repository = new TestRepository();
    const wish = wishOf(repository, 'a');
    await makeTree(repository.caller, wish);
    repository.write('new.txt', 'new', wish.folder);
    await expect(beginAnew(repository.caller, { ...wish, branch: 'try/a2' })).rejects.toThrow('has changes');
    expect(readFileSync(join(wish.folder, 'new.txt'), 'utf8')).toBe('new');
  });

  it('is whole though a hook would have failed behind it, and nothing of a hostile repository runs', async () => {
    const hostile = new HostileRepository().arm();
    const caller = new GitCaller({
      root: hostile.root,
      environment: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...hostile.environment },
    });
    const commit = (await commitOf(caller, 'HEAD'))!;
    const folder = `${hostile.root}-tree`;
    try {
      await makeTree(caller, { folder, commit, branch: 'try/a' });
      expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
      expect(hostile.ran).toEqual([]);
    } finally {
      chmodSync(folder, 0o700);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
