// What comes of merges, with real git. Each case has a branch of results, and attempts that began where it stood first.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostileRepository, removeHostileRepositories } from '../../../test/rigs/hostile-repository.ts';
import { MergeRig, merged, nothing } from '../../../test/rigs/merge-rig.ts';
import { removeRepositories } from '../../../test/rigs/repository.ts';
import { GitCaller } from '../../git/git-caller.ts';
import { performMerge } from './perform-merge.ts';

afterAll(removeRepositories);
afterAll(removeHostileRepositories);

const conflict = (...files: string[]) => ({ kind: 'ended', result: 'conflict', files });

describe('a merge', () => {
  it('brings the work of an attempt to the branch, with the message of its order', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n', 'new.txt': 'x\n' });
    const before = rig.tip;
    expect(await rig.merge(x, { message: 'Merge x#1: Do it\n\nSignalbox-Task: x\n' })).toEqual(
      merged(rig.tip, 'a.txt', 'new.txt'),
    );
    expect(rig.results).toEqual({ ...rig.begin, 'a.txt': 'x', 'new.txt': 'x' });
    expect(rig.git('log', '-1', '--format=%P|%s|%(trailers:only,unfold)', 'results')).toBe(
      `${before} ${x}|Merge x#1: Do it|Signalbox-Task: x`,
    );
  });

  it('changes nothing in the tree, the index and the branch of the person', async () => {
    const rig = new MergeRig();
    const [x, y] = [rig.attempt('x', { 'a.txt': 'x\n' }), rig.attempt('y', { 'b.txt': 'y\n' })];
    rig.repository.write('a.txt', 'staged\n');
    rig.git('add', 'a.txt');
    rig.repository.write('a.txt', 'changed\n');
    rig.repository.write('mine.txt', 'mine\n');
    const look = () => [
      rig.git('status', '--porcelain', '--branch'),
      readFileSync(join(rig.repository.root, '.git/index'), 'latin1'),
      readFileSync(join(rig.repository.root, '.git/config'), 'utf8'),
      rig.git('rev-parse', 'main'),
      readFileSync(join(rig.repository.root, 'a.txt'), 'utf8'),
    ];
    const before = look();
    for (const head of [x, y]) expect(await rig.merge(head, { checks: ['true'] })).toMatchObject({ result: 'merged' });
    expect(look()).toEqual(before);
  });

  it('comes after another, and another', async () => {
    const rig = new MergeRig();
    const names = ['x', 'y', 'z'];
    const heads = names.map((name) => rig.attempt(name, { [`${name}.txt`]: `${name}\n` }));
    for (const [i, head] of heads.entries())
      expect(await rig.merge(head, { checks: ['true'] })).toEqual(merged(rig.tip, `${names[i]}.txt`));
    expect(rig.results).toEqual({ ...rig.begin, 'x.txt': 'x', 'y.txt': 'y', 'z.txt': 'z' });
    expect(rig.git('rev-list', '--count', '--first-parent', 'results')).toBe('4');
  });

  it('of what is on the branch already says so: the merge before it was killed behind its last step', async () => {
    const rig = new MergeRig();
    const [x, y] = [rig.attempt('x', { 'a.txt': 'x\n' }), rig.attempt('y', { 'b.txt': 'y\n' })];
    const first = await rig.merge(x);
    await rig.merge(y);
    const { tip } = rig;
    expect(await rig.merge(x)).toEqual(first);
    expect(rig.tip).toBe(tip);
  });

  it.each<[string, (rig: MergeRig) => string]>([
    ['no commit', (rig) => rig.tip],
    ['commits without a change', (rig) => rig.attempt('x', {})],
    [
      'a change and its undoing',
      (rig) => {
        rig.attempt('x', { 'a.txt': 'x\n' });
        return rig.commit('x', { 'a.txt': 'one\n' });
      },
    ],
    [
      'nothing but what others brought to the branch',
      (rig) => {
        rig.moveOn({ 'b.txt': 'others\n' });
        return rig.tip;
      },
    ],
    [
      'a merge of the branch alone',
      (rig) => {
        rig.attempt('x', {});
        rig.moveOn({ 'b.txt': 'others\n' });
        rig.gitIn('x', 'merge', '-q', '--no-ff', 'results');
        return rig.gitIn('x', 'rev-parse', 'HEAD');
      },
    ],
  ])('of an attempt with %s has nothing to do', async (_, work) => {
    const rig = new MergeRig();
    const head = work(rig);
    const { tip } = rig;
    expect(await rig.merge(head)).toEqual(nothing);
    expect(rig.tip).toBe(tip);
  });

  it('of no commit brings nothing back that a person took off the branch', async () => {
    const rig = new MergeRig();
    rig.moveOn({ 'b.txt': 'others\n' });
    const base = rig.tip;
    rig.git('update-ref', 'refs/heads/results', rig.base);
    expect(await rig.merge(base, { base })).toEqual(nothing);
    expect(rig.tip).toBe(rig.base);
  });

  it('begins again when the branch moves under it, and checks again', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    rig.attempt('other', { 'c.txt': 'other\n' }, 'results');
    // The first time it is checked, somebody else is faster.
    const faster = `cd '${rig.repository.root}' && [ -e '${rig.repository.beside}/moved' ] || { touch '${rig.repository.beside}/moved'; git update-ref refs/heads/results try/other; }`;
    expect(await rig.merge(x, { checks: [faster, `echo run >> '${rig.repository.beside}/runs'`] })).toEqual(
      merged(rig.tip, 'a.txt'),
    );
    expect(rig.results).toEqual({ ...rig.begin, 'a.txt': 'x', 'b.txt': 'others', 'c.txt': 'other' });
    expect(readFileSync(join(rig.repository.beside, 'runs'), 'utf8')).toBe('run\nrun\n');
  });

  it('is held while the branch is checked out somewhere', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    const { tip } = rig;
    rig.git('switch', '-q', 'results');
    const because = { kind: 'checked-out', folder: rig.repository.root };
    expect(await rig.merge(x, { checks: ['true'] })).toEqual({ kind: 'held', because });
    // Before anything was checked in vain.
    expect([rig.tip, rig.log]).toEqual([tip, '']);
    rig.git('switch', '-q', 'main');
    // And when it is checked out while the checks run.
    const check = `git -C '${rig.repository.root}' switch -q results`;
    expect(await rig.merge(x, { checks: [check] })).toEqual({ kind: 'held', because });
    expect(rig.tip).toBe(tip);
    rig.git('switch', '-q', 'main');
    expect(await rig.merge(x)).toMatchObject({ result: 'merged' });
  });

  it('runs nothing of a hostile repository', async () => {
    const hostile = new HostileRepository();
    const git = (...args: string[]) => hostile.git('-c', 'user.name=t', '-c', 'user.email=t@t', ...args).trim();
    const base = git('rev-parse', 'HEAD');
    const heads = ['x', 'y'].map((name) => {
      git('switch', '-q', '-c', name, base);
      hostile.write(`${name}.odd`, `${name}\n`);
      git('add', '-A');
      git('commit', '-qm', name);
      return git('rev-parse', 'HEAD');
    });
    git('switch', '-q', '--detach', base);
    git('branch', 'results');
    hostile.arm();
    const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...hostile.environment };
    const parts = {
      repository: new GitCaller({ root: hostile.root, environment }),
      environment,
      print: () => undefined,
      prepare: async () => undefined,
    };
    const queueTree = `${hostile.root}-queue`;
    try {
      for (const head of heads)
        expect(
          await performMerge(
            {
              ...{ repository: hostile.root, branch: 'results', head, base, message: 'm', queueTree, prefix: '' },
              ...{
                include: [],
                setup: null,
                generated: { 'y.odd': 'true' },
                checks: ['true'],
                accepted: [],
                isTrusted: false,
              },
            },
            parts,
          ),
        ).toMatchObject({ result: 'merged' });
      expect(hostile.ran).toEqual([]);
    } finally {
      rmSync(queueTree, { recursive: true, force: true });
    }
  });
});

describe('a merge that cannot be', () => {
  it('names the files that both sides have changed, and moves nothing', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n', 'b.txt': 'x\n', 'c.txt': 'x\n' });
    rig.moveOn({ 'a.txt': 'others\n', 'b.txt': 'others\n' });
    const { tip } = rig;
    expect(await rig.merge(x)).toEqual(conflict('a.txt', 'b.txt'));
    expect([rig.tip, existsSync(rig.queueTree)]).toEqual([tip, false]);
  });

  it('is one that the attempt made itself and that takes back what others did; mended, it is merged', async () => {
    const rig = new MergeRig();
    rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'a.txt': 'others\n', 'b.txt': 'others\n' });
    expect(() => rig.gitIn('x', 'merge', '-q', 'results')).toThrow('merge');
    const bad = rig.commit('x', { 'a.txt': 'x and others\n', 'b.txt': 'one\n' });
    const { tip } = rig;
    expect(await rig.merge(bad)).toEqual({
      ...conflict('b.txt'),
      problem: 'the attempt merged by itself, and took back what others have changed in these files',
    });
    expect(rig.tip).toBe(tip);
    const good = rig.commit('x', { 'b.txt': 'others, mended\n' });
    expect(await rig.merge(good)).toEqual(merged(rig.tip, 'a.txt', 'b.txt'));
  });

  it('is one of a branch that has nothing in common with the results', async () => {
    const rig = new MergeRig();
    rig.attempt('x', {});
    rig.gitIn('x', 'switch', '-q', '--orphan', 'alone');
    const head = rig.commit('x', { 'a.txt': 'x\n' });
    expect(await rig.merge(head)).toEqual({
      ...conflict(),
      problem: 'its branch has no commit in common with the results',
    });
  });

  it.each<[string, (rig: MergeRig) => void, string]>([
    ['the branch is gone', (rig) => rig.git('branch', '-D', 'results'), 'there is no branch results'],
    [
      'the queue tree has no place',
      (rig) => {
        mkdirSync(rig.repository.beside, { recursive: true });
        writeFileSync(join(rig.repository.beside, 'queue-trees'), '');
      },
      'ENOTDIR',
    ],
    [
      'the commit of the attempt is gone',
      (rig) => {
        const name = rig.git('rev-parse', 'try/x');
        rmSync(join(rig.repository.root, '.git/objects', name.slice(0, 2), name.slice(2)));
      },
      'git merge-base ended with code 128',
    ],
  ])('is trouble where %s', async (_, spoil, problem) => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    spoil(rig);
    const queueTree = join(rig.repository.beside, 'queue-trees/queue');
    expect(await rig.merge(x, { checks: ['true'], queueTree })).toEqual({
      kind: 'trouble',
      problem: expect.stringContaining(problem),
    });
  });

  it('is an error when it is a bug of ours', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    const print = () => {
      throw new TypeError('no');
    };
    await expect(rig.merge(x, { checks: ['true'] }, { print })).rejects.toThrow(TypeError);
  });
});
