// What kills and agents leave in the place of a tree, with real git: the next attempt begins all the same, and no work is deleted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { alwaysSet } from '../../git/git.ts';
import { markTree } from '../../git/trees/tree-marker.ts';
import { listTrees } from '../../git/trees/trees.ts';
import { beginTree } from './attempt-tree.ts';
import { endTree } from './attempt-work.ts';

afterAll(removeRepositories);

const results = 'signalbox/plan';

class Place {
  readonly repository = new TestRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n', '.gitignore': 'ignored\n' });
  readonly folder = join(this.repository.beside, 'tasks/t1');
  readonly entry = join(this.repository.root, '.git/worktrees/t1');

  constructor() {
    this.repository.git('branch', results);
  }

  begin(n: number) {
    const { repository, folder } = this;
    const beginning = { folder, branch: `tries/t1.${n}`, results, earlier: null, message: 'x\n', keeping: 'keep\n' };
    const any = { isOfRound: () => true, isApart: () => false };
    return beginTree(repository.caller, { ...beginning, ...any }, () => Promise.resolve());
  }

  /** As the runner does when a tree is whole. */
  async beginMarked(n: number): Promise<string> {
    const { base } = await this.begin(n);
    markTree(this.folder, this.repository.root);
    return base;
  }

  end(n: number, base: string) {
    const { repository, folder } = this;
    const branch = `tries/t1.${n}`;
    const isApart = () => false;
    return endTree(repository.caller, {
      folder,
      branch,
      checkedOut: branch,
      base,
      message: 't1\n',
      isApart,
      judgedBy: ['plan.md'],
    });
  }

  get aside(): string[] {
    return readdirSync(dirname(this.folder)).filter((name) => name !== 't1');
  }

  /** As if it were just made, and known to git once. */
  async isFresh(branch: string): Promise<void> {
    const { repository, folder } = this;
    expect(repository.gitIn(folder, 'status', '--porcelain', '--branch', '--untracked-files=all')).toBe(`## ${branch}`);
    expect(readFileSync(join(folder, 'b/c.txt'), 'utf8')).toBe('two\n');
    expect((await listTrees(repository.caller)).map((one) => one.branch)).toEqual(['main', branch]);
    expect(repository.git('worktree', 'list')).not.toMatch(/locked|prunable/);
    expect(readdirSync(join(repository.root, '.git/worktrees'))).toHaveLength(1);
    repository.git('fsck', '--strict', '--no-dangling');
    repository.git('gc', '--quiet');
  }
}

const old = new Date(Date.now() - 60_000);

type Spoil = (place: Place) => void;

describe('a tree that a kill has left half made', () => {
  const begun: [string, Spoil][] = [
    ['an empty folder', ({ folder }) => mkdirSync(folder, { recursive: true })],
    [
      'an entry that says nothing yet',
      ({ entry }) => {
        mkdirSync(entry, { recursive: true });
        writeFileSync(join(entry, 'locked'), 'initializing');
        utimesSync(entry, old, old);
      },
    ],
    [
      'an entry whose place was not written yet, and an empty folder',
      ({ entry, folder }) => {
        mkdirSync(entry, { recursive: true });
        mkdirSync(folder, { recursive: true });
        for (const name of ['locked', 'gitdir']) writeFileSync(join(entry, name), '');
        utimesSync(entry, old, old);
      },
    ],
    [
      'an entry without a head, and no folder',
      ({ entry, folder }) => {
        mkdirSync(entry, { recursive: true });
        writeFileSync(join(entry, 'locked'), 'initializing');
        writeFileSync(join(entry, 'gitdir'), `${folder}/.git\n`);
      },
    ],
  ];

  const halves: [string, Spoil][] = [
    ['a folder without its link', ({ folder }) => rmSync(join(folder, '.git'))],
    ['a folder with an empty link', ({ folder }) => writeFileSync(join(folder, '.git'), '')],
    ['no head', ({ entry }) => rmSync(join(entry, 'HEAD'))],
    ['an empty head', ({ entry }) => writeFileSync(join(entry, 'HEAD'), '')],
    ['the head that git writes first', ({ entry }) => writeFileSync(join(entry, 'HEAD'), `${'0'.repeat(40)}\n`)],
    ['no way to the repository', ({ entry }) => rmSync(join(entry, 'commondir'))],
    ['half an index', ({ entry }) => writeFileSync(join(entry, 'index'), 'DIRC')],
    [
      'half of its files, and an index that was being written',
      ({ entry, folder }) => {
        renameSync(join(entry, 'index'), join(entry, 'index.lock'));
        rmSync(join(folder, 'b'), { recursive: true });
      },
    ],
    ['a lock of its head', ({ entry }) => writeFileSync(join(entry, 'HEAD.lock'), '')],
    ['no folder', ({ folder }) => rmSync(folder, { recursive: true })],
    [
      'an entry of another tree at this place',
      ({ entry, repository }) => {
        const other = join(repository.root, '.git/worktrees/t11');
        repository.git('worktree', 'add', '-q', '--detach', `${repository.beside}/t11`);
        writeFileSync(join(other, 'gitdir'), readFileSync(join(entry, 'gitdir')));
        rmSync(`${repository.beside}/t11`, { recursive: true });
      },
    ],
  ];

  const isMadeAnew = async (place: Place) => {
    expect((await place.begin(1)).movedTo).toBeNull();
    await place.isFresh('tries/t1.1');
    expect(place.aside).toEqual([]);
  };

  it.each(begun)('is made anew after %s', async (_, leave) => {
    const place = new Place();
    leave(place);
    await isMadeAnew(place);
  });

  it.each(halves)('is made anew after %s', async (_, spoil) => {
    const place = new Place();
    await place.begin(1);
    writeFileSync(join(place.entry, 'locked'), 'initializing');
    spoil(place);
    await isMadeAnew(place);
  });
});

describe('a tree in which git cannot work any more', () => {
  const broken: [string, Spoil][] = [
    ['without its link', ({ folder }) => rmSync(join(folder, '.git'))],
    [
      'with a repository of its own in the place of the link',
      ({ folder, repository }) => {
        rmSync(join(folder, '.git'));
        repository.gitIn(folder, 'init', '-q');
      },
    ],
    [
      'that leads to the checkout of the person',
      ({ folder, repository }) => writeFileSync(join(folder, '.git'), `gitdir: ${repository.root}/.git\n`),
    ],
    ['without a head', ({ entry }) => rmSync(join(entry, 'HEAD'))],
    ['with a broken index', ({ entry }) => writeFileSync(join(entry, 'index'), 'DIRC')],
    [
      'that git has forgotten',
      ({ entry }) => {
        rmSync(entry, { recursive: true });
      },
    ],
  ];

  it.each(broken)('is moved aside with everything in it: %s', async (_, spoil) => {
    const place = new Place();
    await place.beginMarked(1);
    for (const n of [1, 2]) {
      writeFileSync(join(place.folder, 'a.txt'), `mine ${n}\n`);
      writeFileSync(join(place.folder, 'ignored'), `mine ${n}\n`);
      spoil(place);
      const begun = await place.begin(n + 1);
      markTree(place.folder, place.repository.root);
      expect(begun.movedTo).toBe(`${place.folder}.broken-${n}`);
      for (const name of ['a.txt', 'ignored'])
        expect(readFileSync(join(begun.movedTo!, name), 'utf8')).toBe(`mine ${n}\n`);
      await place.isFresh(`tries/t1.${n + 1}`);
    }
    expect(place.repository.git('status', '--porcelain', '--branch')).toBe('## main');
  });

  it('is not followed through a link in its place', async () => {
    const place = new Place();
    await place.beginMarked(1);
    renameSync(place.folder, `${place.folder}-elsewhere`);
    symlinkSync(`${place.folder}-elsewhere`, place.folder);
    await place.begin(2);
    await place.isFresh('tries/t1.2');
    expect(existsSync(`${place.folder}-elsewhere/a.txt`)).toBe(true);
  });

  it('commits nothing to another repository', async () => {
    const place = new Place();
    const base = await place.beginMarked(1);
    writeFileSync(join(place.folder, '.git'), `gitdir: ${place.repository.root}/.git\n`);
    await expect(place.end(1, base)).rejects.toThrow('is no tree of the repository any more');
    expect(place.repository.git('status', '--porcelain', '--branch')).toBe('## main');
  });
});

describe('a git of a killed runner', () => {
  it.skipIf(process.platform !== 'linux')('is waited for, and never what an agent has left there', async () => {
    const place = new Place();
    await place.beginMarked(1);
    const start = (variables: Readonly<Record<string, string>>) =>
      spawn('git', ['cat-file', '--batch'], {
        cwd: place.folder,
        env: { PATH: process.env.PATH, ...variables },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
    const [ours, agents] = [start(alwaysSet), start({})];
    const order: string[] = [];
    const isOver = once(ours, 'exit').then(() => order.push('git ended'));
    const begun = place.begin(2).then(() => order.push('begun'));
    // Without waiting it takes a fifth of that.
    setTimeout(() => ours.stdin.end(), 1_500);
    await Promise.all([isOver, begun]);
    expect(order).toEqual(['git ended', 'begun']);
    expect(agents.exitCode).toBeNull();
    agents.stdin.end();
    await once(agents, 'exit');
  });
});

describe('locks that a killed git has left', () => {
  const locks: [string, (place: Place, n: number) => string][] = [
    ['the index', ({ entry }) => join(entry, 'index.lock')],
    ['the head', ({ entry }) => join(entry, 'HEAD.lock')],
    ['its branch', ({ repository }, n) => join(repository.root, `.git/refs/heads/tries/t1.${n}.lock`)],
    [
      'the branch of the attempt before',
      ({ repository }, n) => join(repository.root, `.git/refs/heads/tries/t1.${n - 1}.lock`),
    ],
  ];

  it.each(locks)('keep no attempt from beginning and none from ending: %s', async (_, where) => {
    const place = new Place();
    const lock = (n: number) => {
      mkdirSync(dirname(where(place, n)), { recursive: true });
      writeFileSync(where(place, n), '');
      utimesSync(where(place, n), old, old);
    };
    await place.beginMarked(1);
    lock(2);
    const base = await place.beginMarked(2);
    await place.isFresh('tries/t1.2');
    writeFileSync(join(place.folder, 'a.txt'), 'mine\n');
    lock(2);
    expect((await place.end(2, base)).changed).toBe(true);
    expect(place.repository.git('show', 'tries/t1.2:a.txt')).toBe('mine');
    expect(place.aside).toEqual([]);
  });
});
