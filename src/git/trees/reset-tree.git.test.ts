import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { resetTree } from './reset-tree.ts';
import { listTrees } from './trees.ts';

afterAll(removeRepositories);

class Used {
  readonly repository = new TestRepository({ 'a.txt': 'one\n', '.gitignore': 'built/\n' });
  readonly folder = join(this.repository.beside, 'queue');
  readonly first = this.repository.head;
  readonly second: string;

  constructor() {
    this.repository.write('a.txt', 'two\n');
    this.repository.write('b.txt', 'two\n');
    this.second = this.repository.commit('two');
  }

  reset(commit: string): Promise<string> {
    return resetTree(this.repository.caller, { folder: this.folder, commit });
  }

  /** Everything but the ignored files. */
  get files(): Record<string, string> {
    const names = readdirSync(this.folder).filter((name) => name !== '.git' && name !== 'built');
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(this.folder, name), 'utf8')]));
  }

  git(...args: string[]): string {
    return this.repository.gitIn(this.folder, ...args);
  }

  isFresh(commit: string): void {
    expect(this.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(this.files).toEqual(
      commit === this.first
        ? { '.gitignore': 'built/\n', 'a.txt': 'one\n' }
        : { '.gitignore': 'built/\n', 'a.txt': 'two\n', 'b.txt': 'two\n' },
    );
    expect(this.git('rev-parse', 'HEAD')).toBe(commit);
    expect(spawnSync('git', ['symbolic-ref', '-q', 'HEAD'], { cwd: this.folder }).status).toBe(1);
  }
}

describe('a tree that is used again', () => {
  it('is made when it is first needed, and goes from commit to commit with its ignored files', async () => {
    const used = new Used();
    const entry = await used.reset(used.first);
    used.isFresh(used.first);
    used.repository.write('built/x', 'x', used.folder);
    for (const commit of [used.second, used.second, used.first]) {
      expect(await used.reset(commit)).toBe(entry);
      used.isFresh(commit);
      expect(readdirSync(join(used.folder, 'built'))).toEqual(['x']);
    }
    expect(used.repository.git('status', '--porcelain', '--branch')).toBe('## main');
  });

  it.each<[string, (used: Used) => void, isMadeAnew?: boolean]>([
    [
      'changed and new files',
      ({ repository, folder }) => {
        repository.write('a.txt', 'mine\n', folder);
        repository.write('deep/new.txt', 'mine\n', folder);
      },
    ],
    [
      'staged and deleted files',
      (used) => {
        used.repository.write('new.txt', 'mine\n', used.folder);
        used.git('add', '-A');
        rmSync(join(used.folder, 'a.txt'));
      },
    ],
    [
      'a repository inside',
      ({ repository, folder }) => {
        mkdirSync(join(folder, 'inner'));
        repository.gitIn(join(folder, 'inner'), 'init', '-q');
        repository.write('x', 'x', join(folder, 'inner'));
        repository.commit('x', join(folder, 'inner'));
      },
    ],
    ['a branch that was checked out in it', (used) => used.git('switch', '-q', '-c', 'mine')],
    [
      'a merge in progress',
      (used) => {
        used.repository.write('a.txt', 'mine\n', used.folder);
        used.repository.commit('mine', used.folder);
        expect(() => used.git('merge', '-q', used.second)).toThrow('merge');
      },
    ],
    [
      'locks of a killed git',
      ({ repository }) => {
        for (const name of ['index.lock', 'HEAD.lock'])
          writeFileSync(join(repository.root, '.git/worktrees/queue', name), '');
      },
    ],
    ['a file among the entries', ({ repository }) => repository.write('.git/worktrees/odd', '')],
    [
      'a broken index',
      ({ repository }) => writeFileSync(join(repository.root, '.git/worktrees/queue/index'), 'DIRC'),
      true,
    ],
    [
      'half of its files and the mark of an unfinished start',
      ({ repository, folder }) => {
        rmSync(join(folder, 'a.txt'));
        writeFileSync(join(repository.root, '.git/worktrees/queue/locked'), 'initializing');
        rmSync(join(repository.root, '.git/worktrees/queue/index'));
      },
    ],
    ['no folder', ({ folder }) => rmSync(folder, { recursive: true }), true],
    [
      'no folder, and an entry that is locked',
      ({ repository, folder }) => {
        writeFileSync(join(repository.root, '.git/worktrees/queue/locked'), 'initializing');
        rmSync(folder, { recursive: true });
      },
      true,
    ],
    [
      'an empty folder',
      ({ folder }) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
      },
      true,
    ],
    ['no entry', ({ repository }) => rmSync(join(repository.root, '.git/worktrees'), { recursive: true }), true],
    ['no head', ({ repository }) => writeFileSync(join(repository.root, '.git/worktrees/queue/HEAD'), ''), true],
  ])('is fresh again after %s', async (_, spoil, isMadeAnew = false) => {
    const used = new Used();
    await used.reset(used.first);
    used.repository.write('built/x', 'x', used.folder);
    spoil(used);
    await used.reset(used.second);
    used.isFresh(used.second);
    expect(existsSync(join(used.folder, 'built/x'))).toBe(!isMadeAnew);
    expect((await listTrees(used.repository.caller)).map(({ branch }) => branch)).toEqual(['main', null]);
    expect(used.repository.git('worktree', 'list')).not.toContain('locked');
    expect(used.repository.git('log', '--format=%s', 'main')).toBe('two\nbegin');
  });

  it('is fresh again after a folder that nobody may write to', async () => {
    const used = new Used();
    await used.reset(used.first);
    used.repository.write('closed/x', 'x', used.folder);
    chmodSync(join(used.folder, 'closed'), 0o500);
    await used.reset(used.first);
    used.isFresh(used.first);
  });

  it('that leads to another tree is made anew, and the other one stays as it is', async () => {
    const used = new Used();
    await used.reset(used.first);
    writeFileSync(join(used.folder, '.git'), `gitdir: ${used.repository.root}/.git\n`);
    used.repository.write('mine.txt', 'mine\n');
    await used.reset(used.first);
    used.isFresh(used.first);
    expect(used.repository.git('status', '--porcelain', '--branch')).toBe('## main\n?? mine.txt');
  });

  it('is cleaned without following a link', async () => {
    const used = new Used();
    await used.reset(used.first);
    const outside = join(dirname(used.folder), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'x'), 'x');
    symlinkSync(outside, join(used.folder, 'link'));
    await used.reset(used.first);
    used.isFresh(used.first);
    // A link in the place of the whole tree goes, too, and nothing else.
    rmSync(used.folder, { recursive: true });
    symlinkSync(outside, used.folder);
    await used.reset(used.first);
    used.isFresh(used.first);
    expect(readdirSync(outside)).toEqual(['x']);
  });

  it('moves no branch that was checked out in it', async () => {
    const used = new Used();
    await used.reset(used.first);
    used.git('switch', '-q', '-c', 'mine');
    await used.reset(used.second);
    expect(used.repository.git('rev-parse', 'mine')).toBe(used.first);
  });
});
