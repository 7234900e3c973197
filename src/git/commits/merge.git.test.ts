// Work in trees, and how it comes together on a branch.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { makeTree } from '../trees/trees.ts';
import { commitTree, commitWork } from './commit-work.ts';
import { advanceBranch, changedByBoth, forkOf, isContained, mergeInto, mergeOf, revertsIn } from './merge.ts';

afterAll(removeRepositories);

const lines = (...words: string[]) => words.map((word) => `${word}\n`).join('');

class Work {
  readonly repository: TestRepository;

  constructor(files?: Record<string, string>) {
    this.repository = new TestRepository(files);
    this.repository.git('branch', 'results');
  }

  get tip(): string {
    return this.repository.git('rev-parse', 'results');
  }

  async tree(name: string): Promise<string> {
    const folder = join(this.repository.beside, name);
    await makeTree(this.repository.caller, { folder, commit: this.tip, branch: `try/${name}` });
    return folder;
  }

  commit(name: string, more: { message?: string; isApart?: (path: Buffer) => boolean } = {}) {
    const { message = `${name}: Do it\n\nSignalbox-Task: ${name}\n`, isApart = () => false } = more;
    const folder = join(this.repository.beside, name);
    return commitWork(this.repository.caller, { folder, branch: `try/${name}`, message, isApart });
  }

  async head(name: string): Promise<string> {
    const committed = await this.commit(name);
    if (committed.kind !== 'committed') throw new Error(JSON.stringify(committed));
    return committed.head;
  }

  async merge(name: string) {
    const { caller } = this.repository;
    const [tip, head] = [this.tip, await this.head(name)];
    const merged = await mergeInto(caller, tip, head);
    if (merged.kind !== 'clean') return merged;
    const { tree } = merged;
    const commit = await commitTree(caller, { tree, parents: [tip, head], message: `merge ${name}` });
    return advanceBranch(caller, { branch: 'results', tip, commit });
  }

  write(name: string, file: string, text: string): void {
    this.repository.write(file, text, join(this.repository.beside, name));
  }
}

describe('work in a tree', () => {
  it('is committed on its branch: new, changed and deleted files, by the default identity', async () => {
    const work = new Work({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const folder = await work.tree('x');
    work.write('x', 'a.txt', 'two\n');
    work.write('x', 'deep/new.txt', 'new\n');
    rmSync(join(folder, 'b.txt'));
    const head = await work.head('x');
    expect(work.repository.files(head)).toEqual({ 'a.txt': 'two', 'deep/new.txt': 'new' });
    expect(work.repository.git('log', '-1', '--format=%an %ae|%cn|%s|%(trailers:only,unfold)', 'try/x')).toBe(
      'Signalbox signalbox@localhost|Signalbox|x: Do it|Signalbox-Task: x',
    );
    expect(work.repository.gitIn(folder, 'status', '--porcelain')).toBe('');
  });

  it('is committed in the name of the person who is configured', async () => {
    const work = new Work();
    work.repository.git('config', 'user.name', 'Ann');
    work.repository.git('config', 'user.email', 'ann@example.org');
    await work.tree('x');
    work.write('x', 'a.txt', 'two\n');
    await work.head('x');
    expect(work.repository.git('log', '-1', '--format=%an|%ae|%cn|%ce', 'try/x')).toBe(
      'Ann|ann@example.org|Ann|ann@example.org',
    );
  });

  it('without changes makes no commit, and what the agent committed itself stays', async () => {
    const work = new Work();
    const folder = await work.tree('x');
    expect(await work.head('x')).toBe(work.tip);
    work.write('x', 'a.txt', 'two\n');
    const own = work.repository.commit('mine', folder);
    expect(await work.head('x')).toBe(own);
  });

  it('is without secrets, links that lead out, repositories inside, ignored files and what is apart', async () => {
    const work = new Work({ 'a.txt': 'one\n', '.gitignore': 'node_modules/\n' });
    const folder = await work.tree('x');
    for (const name of ['.env', '.env.local', '.env.example', 'apart/x', 'node_modules/x'])
      work.write('x', name, 'x\n');
    symlinkSync('/etc', join(folder, 'out'));
    symlinkSync('a.txt', join(folder, 'in'));
    mkdirSync(join(folder, 'inner'));
    work.repository.gitIn(join(folder, 'inner'), 'init', '-q');
    work.write('x', 'inner/x', 'x\n');
    work.repository.commit('inner', join(folder, 'inner'));
    const isApart = (path: Buffer) => path.toString().startsWith('apart/');
    const committed = await work.commit('x', { isApart });
    expect(committed).toMatchObject({
      kind: 'committed',
      left: [
        { path: '.env', because: 'secret' },
        { path: '.env.local', because: 'secret' },
        { path: 'inner/', because: 'repository' },
        { path: 'out', because: 'link' },
      ],
    });
    expect(Object.keys(work.repository.files('try/x'))).toEqual(['.env.example', '.gitignore', 'a.txt', 'in']);
  });

  it.each([
    ['moved to another branch', ['switch', '-q', '-c', 'mine'], 'on branch mine, and not on try/x'],
    ['left its branch', ['switch', '-q', '--detach'], 'on no branch, and not on try/x'],
  ])('is not committed where the agent %s', async (_, args, because) => {
    const work = new Work();
    const folder = await work.tree('x');
    work.repository.gitIn(folder, ...args);
    expect(await work.commit('x')).toEqual({ kind: 'unfit', because: expect.stringContaining(because) });
  });

  it('is not committed in the middle of a rebase', async () => {
    const work = new Work({ 'a.txt': 'one\n' });
    const folder = await work.tree('x');
    work.write('x', 'a.txt', 'two\n');
    work.repository.commit('two', folder);
    work.write('x', 'a.txt', 'three\n');
    work.repository.commit('three', folder);
    expect(() => work.repository.gitIn(folder, 'cherry-pick', 'HEAD~1')).toThrow('cherry-pick');
    expect(await work.commit('x')).toEqual({
      kind: 'unfit',
      because: 'a cherry-pick was begun in its folder and not ended',
    });
  });
});

describe('a merge', () => {
  it('brings together what two changed in different files', async () => {
    const work = new Work({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    work.write('x', 'a.txt', 'x\n');
    work.write('y', 'b.txt', 'y\n');
    for (const name of ['x', 'y']) expect(await work.merge(name)).toMatchObject({ kind: 'landed' });
    expect(work.repository.files('results')).toEqual({ 'a.txt': 'x', 'b.txt': 'y' });
    // The branch of the person and their files are as they were.
    expect(work.repository.git('status', '--porcelain', '--branch')).toBe('## main');
    expect(work.repository.files('main')).toEqual({ 'a.txt': 'one', 'b.txt': 'one' });
  });

  it('moves nothing on a conflict, and names the files', async () => {
    const work = new Work({ 'a.txt': lines('one', 'two'), 'b.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    work.write('x', 'a.txt', lines('x', 'two'));
    work.write('y', 'a.txt', lines('y', 'two'));
    work.write('y', 'b.txt', 'y\n');
    await work.merge('x');
    const { tip } = work;
    expect(await work.merge('y')).toEqual({ kind: 'conflict', tree: expect.any(String), files: ['a.txt'] });
    expect(work.tip).toBe(tip);
  });

  it('that an agent resolved is concluded for it, once no mark is left', async () => {
    const work = new Work({ 'a.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    work.write('x', 'a.txt', 'x\n');
    work.write('y', 'a.txt', 'y\n');
    await work.merge('x');
    await work.head('y');
    const folder = join(work.repository.beside, 'y');
    expect(() => work.repository.gitIn(folder, 'merge', '-q', 'results')).toThrow('merge');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toContain('<<<<<<<');
    expect(await work.commit('y')).toEqual({ kind: 'unresolved', files: ['a.txt'] });
    writeFileSync(join(folder, 'a.txt'), 'x and y\n');
    expect(await work.merge('y')).toMatchObject({ kind: 'landed' });
    expect(work.repository.files('results')).toEqual({ 'a.txt': 'x and y' });
    expect(work.repository.git('rev-list', '--count', '--merges', 'try/y')).toBe('2');
  });

  it('in which an agent threw away what others changed is found', async () => {
    const work = new Work({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    work.write('x', 'a.txt', 'x\n');
    work.write('x', 'b.txt', 'x\n');
    work.write('y', 'a.txt', 'y\n');
    await work.merge('x');
    const since = await work.head('y');
    const folder = join(work.repository.beside, 'y');
    expect(() => work.repository.gitIn(folder, 'merge', '-q', 'results')).toThrow('merge');
    work.repository.gitIn(folder, 'checkout', '--ours', '--', 'a.txt');
    work.write('y', 'b.txt', 'one\n');
    const head = await work.head('y');
    const { tip } = work;
    expect(await revertsIn(work.repository.caller, { since, tip, head })).toEqual(['b.txt']);
    // What a later commit mends is no loss any more.
    work.write('y', 'b.txt', 'x again\n');
    expect(await revertsIn(work.repository.caller, { since, tip, head: await work.head('y') })).toEqual([]);
    // Nor is it one where the branch has the file as it was before, too.
    work.write('y', 'b.txt', 'one\n');
    const again = await work.head('y');
    expect(await revertsIn(work.repository.caller, { since, tip, head: again })).toEqual(['b.txt']);
    await work.tree('z');
    work.write('z', 'b.txt', 'one\n');
    await work.merge('z');
    expect(await revertsIn(work.repository.caller, { since, tip: work.tip, head: again })).toEqual([]);
  });

  it('in which an agent changed further what others changed reverts nothing', async () => {
    const work = new Work({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    work.write('x', 'b.txt', 'x\n');
    work.write('y', 'a.txt', 'y\n');
    await work.merge('x');
    const since = await work.head('y');
    const folder = join(work.repository.beside, 'y');
    work.repository.gitIn(folder, 'merge', '-q', '--no-commit', 'results');
    work.write('y', 'b.txt', 'x and y\n');
    const head = await work.head('y');
    expect(await revertsIn(work.repository.caller, { since, tip: work.tip, head })).toEqual([]);
  });

  it('does not move a branch that somebody has checked out, nor one that moved meanwhile', async () => {
    const work = new Work();
    await work.tree('x');
    work.write('x', 'a.txt', 'x\n');
    const { caller } = work.repository;
    const [tip, head] = [work.tip, await work.head('x')];
    const step = { branch: 'results', tip, commit: head };
    work.repository.git('switch', '-q', 'results');
    expect(await advanceBranch(caller, step)).toEqual({ kind: 'checked-out', folder: work.repository.root });
    work.repository.write('b.txt', 'b\n');
    const other = work.repository.commit('other');
    work.repository.git('switch', '-q', 'main');
    expect(await advanceBranch(caller, step)).toEqual({ kind: 'moved' });
    expect(work.tip).toBe(other);
    expect([await isContained(caller, tip, other), await isContained(caller, head, other)]).toEqual([true, false]);
  });

  it('takes away the lock of the branch that a killed git has left', async () => {
    const work = new Work();
    await work.tree('x');
    work.write('x', 'a.txt', 'x\n');
    const lock = join(work.repository.root, '.git/refs/heads/results.lock');
    writeFileSync(lock, '');
    utimesSync(lock, new Date(), new Date(Date.now() - 60_000));
    expect(await work.merge('x')).toMatchObject({ kind: 'landed' });
    expect([work.repository.files('results'), existsSync(lock)]).toEqual([{ 'a.txt': 'x' }, false]);
  });

  it('is found again on the branch by what it brought there', async () => {
    const work = new Work({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    work.write('x', 'a.txt', 'x\n');
    work.write('y', 'b.txt', 'y\n');
    const before = work.tip;
    await work.merge('x');
    const commit = work.tip;
    await work.merge('y');
    const { caller } = work.repository;
    expect(await mergeOf(caller, await work.head('x'), work.tip)).toEqual({ commit, before });
    expect(await mergeOf(caller, before, work.tip)).toBeNull();
    expect(await forkOf(caller, await work.head('x'), await work.head('y'))).toBe(before);
  });

  it('knows which files both sides have changed', async () => {
    const work = new Work({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' });
    for (const name of ['x', 'y']) await work.tree(name);
    for (const name of ['x', 'y']) work.write(name, 'a.txt', `${name}\n`);
    work.write('x', 'b.txt', 'x\n');
    work.write('y', 'c.txt', 'y\n');
    const heads = [await work.head('x'), await work.head('y')] as const;
    const files = ['a.txt', 'b.txt', 'c.txt'];
    expect(await changedByBoth(work.repository.caller, heads, files)).toEqual(['a.txt']);
    expect(await changedByBoth(work.repository.caller, heads, ['c.txt'])).toEqual([]);
  });

  it('keeps names that are odd', async () => {
    const work = new Work();
    await work.tree('x');
    const odd = [' space ', 'new\nline', 'quo"te', "apo'strophe", '-dash', 'ünï', ':(top)', '*', 'back\\slash'];
    for (const name of odd) work.write('x', `odd/${name}`, 'x\n');
    expect(await work.merge('x')).toMatchObject({ kind: 'landed' });
    const listed = work.repository.git('ls-tree', '-z', '-r', '--name-only', 'results', 'odd/').split('\0');
    expect(listed.filter((one) => one !== '').sort()).toEqual(odd.map((name) => `odd/${name}`).sort());
  });
});
