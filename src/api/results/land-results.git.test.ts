import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { planPath } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { GitCaller } from '../../git/git-caller.ts';
import { type Landing, landResults } from './land-results.ts';

afterAll(removeRepositories);

const branch = 'signalbox/plan';
let r: TestRepository;
let begin: string;
let tip: string;

/** The branch of results has one commit more: a.txt changed, new/b.txt added, c.txt deleted. */
beforeEach(() => {
  r = new TestRepository({ 'a.txt': 'one\n', 'c.txt': 'c\n', 'other.txt': 'other\n', '.gitignore': 'ignored\n' });
  begin = r.head;
  r.git('switch', '-q', '-c', branch);
  r.write('a.txt', 'two\n');
  r.write('new/b.txt', 'b\n');
  rmSync(join(r.root, 'c.txt'));
  tip = r.commit('work');
  r.git('switch', '-q', 'main');
});

const landing = (isolation: Partial<Isolation> | null = {}, more: Partial<Landing> = {}): Landing => ({
  repository: r.caller,
  plan: planPath('plan.md'),
  title: 'Build it',
  isolation: isolation && { branch, base: begin, trees: r.beside, prefix: '', onto: 'main', ...isolation },
  lastMerge: null,
  ...more,
});
const land = (isolation?: Partial<Isolation> | null) =>
  landResults(landing(isolation), { dryRun: false, isRunning: false });
const status = () => r.git('status', '--porcelain', '--untracked-files=all');

it('fast-forwards the branch, its files and its index', async () => {
  const report = await land();
  expect(report).toEqual({
    ...{ plan: 'plan.md', branch, onto: 'main', result: 'landed', how: 'fast-forward', because: null, instead: null },
    ...{ before: begin, commit: tip, commits: 1, files: ['a.txt', 'c.txt', 'new/b.txt'] },
  });
  expect(r.head).toBe(tip);
  expect(status()).toBe('');
  expect(r.git('reflog', '-1', '--format=%gs')).toBe('signalbox land');
  expect(await land()).toMatchObject({ result: 'nothing', because: `main has everything of ${branch}` });
});

it('makes a merge commit where the branch has moved, with the title and the trailer of the plan', async () => {
  r.write('other.txt', 'mine\n');
  const mine = r.commit('mine');
  expect(await land()).toMatchObject({ result: 'landed', how: 'merge', before: mine, commits: 1 });
  expect(r.git('log', '-1', '--format=%B')).toBe(`Merge ${branch}: Build it\n\nSignalbox-Plan: plan.md`);
  expect(r.git('log', '-1', '--format=%P')).toBe(`${mine} ${tip}`);
  expect(r.files('HEAD')).toMatchObject({ 'a.txt': 'two', 'new/b.txt': 'b', 'other.txt': 'mine' });
  expect(status()).toBe('');
});

it('only says what it would do', async () => {
  const report = await landResults(landing(), { dryRun: true, isRunning: false });
  expect(report).toMatchObject({ result: 'would-land', how: 'fast-forward', commit: null, commits: 1 });
  expect(report.files).toEqual(['a.txt', 'c.txt', 'new/b.txt']);
  expect([r.head, status()]).toEqual([begin, '']);
});

it('keeps what a person changed in other files, staged and not', async () => {
  r.write('other.txt', 'staged\n');
  r.git('add', 'other.txt');
  r.write('other.txt', 'and more\n');
  r.write('untracked', '');
  expect(await land()).toMatchObject({ result: 'landed' });
  expect(status()).toBe('MM other.txt\n?? untracked');
  expect(readFileSync(join(r.root, 'other.txt'), 'utf8')).toBe('and more\n');
});

describe('is refused, and changes nothing', () => {
  const overwritten = /^(.*) would be overwritten, and (?:is|are) not committed$/;
  const cases: [string, () => void, Partial<Isolation>, RegExp, RegExp][] = [
    ['a changed file', () => r.write('a.txt', 'mine\n'), {}, overwritten, /commit, stash or remove/],
    ['a deleted file that it changes', () => rmSync(join(r.root, 'a.txt')), {}, overwritten, /commit/],
    ['a changed file that it deletes', () => r.write('c.txt', 'mine\n'), {}, overwritten, /commit/],
    ['an untracked file', () => r.write('new/b.txt', 'mine\n'), {}, /^new\/b\.txt would/, /commit/],
    ['an untracked file where a folder is needed', () => r.write('new', 'mine\n'), {}, /^new would/, /commit/],
    ['an untracked folder where a file is needed', () => r.write('new/b.txt/x', ''), {}, /^new\/b\.txt\/x would/, /c/],
    ['a symlink around it', () => symlinkSync('.', join(r.root, 'new')), {}, /^new would/, /commit/],
    [
      'a version that is only staged',
      () => {
        r.write('a.txt', 'staged\n');
        r.git('add', 'a.txt');
        r.write('a.txt', 'two\n');
      },
      {},
      /^a\.txt would/,
      /commit/,
    ],
    [
      'another branch',
      () => r.git('switch', '-q', '-c', 'feature'),
      {},
      /^the run began on main, and feature is checked out now$/,
      /git switch main, .*git merge signalbox\/plan/,
    ],
    ['no branch', () => r.git('switch', '-q', '--detach'), {}, /on main, and no branch is/, /git switch main/],
    ['none at the beginning', () => undefined, { onto: undefined as never }, /^no branch was checked out/, /git merge/],
    ['a branch that is gone', () => r.git('branch', '-D', branch), {}, /^the branch signalbox\/plan is gone$/, /saved/],
    [
      'a conflict',
      () => {
        r.write('a.txt', 'mine\n');
        r.commit('mine');
      },
      {},
      /^main and signalbox\/plan both changed a\.txt, and git cannot merge that/,
      /git merge signalbox\/plan/,
    ],
    [
      'an operation that was begun',
      () => writeFileSync(join(r.root, '.git', 'MERGE_HEAD'), `${tip}\n`),
      {},
      /^a merge was begun in .* and not ended$/,
      /end it with git/,
    ],
    ['another git at work', () => writeFileSync(join(r.root, '.git', 'index.lock'), ''), {}, /index\.lock/, /remove/],
  ];
  it.each(cases)('%s', async (_, change, isolation, because, instead) => {
    change();
    const before = [r.head, r.git('for-each-ref'), status(), r.git('ls-files', '-s')];
    const report = await land(isolation);
    expect(report).toMatchObject({ result: 'refused', commit: null, because: expect.stringMatching(because) });
    expect(report.instead).toMatch(instead);
    expect([r.head, r.git('for-each-ref'), status(), r.git('ls-files', '-s')]).toEqual(before);
  });

  it('a run that goes on', async () => {
    expect(await landResults(landing(), { dryRun: false, isRunning: true })).toMatchObject({
      ...{ result: 'refused', because: 'a run of plan.md is going on', instead: expect.stringContaining('stop') },
    });
    expect(r.head).toBe(begin);
  });

  it('an ignored file in the way', async () => {
    r.git('switch', '-q', branch);
    r.write('ignored', 'theirs');
    r.git('add', '-f', 'ignored');
    r.commit('with an ignored file');
    r.git('switch', '-q', 'main');
    r.write('ignored', 'mine');
    expect(await land()).toMatchObject({ result: 'refused', files: ['ignored'] });
    expect(readFileSync(join(r.root, 'ignored'), 'utf8')).toBe('mine');
  });
});

it.each([
  [true, 'WHOLE\n'],
  [false, 'whole\n'],
])('writes files through filters when the repository is trusted: %s', async (isTrusted, text) => {
  r.git('config', 'filter.keep.smudge', 'tr a-z A-Z');
  r.git('config', 'filter.keep.clean', 'tr A-Z a-z');
  r.git('switch', '-q', branch);
  r.write('.gitattributes', '*.bin filter=keep\n');
  r.write('big.bin', 'WHOLE\n');
  r.commit('with a filter');
  r.git('switch', '-q', 'main');
  const repository = new GitCaller({ ...r.caller.place, isTrusted });
  const report = await landResults(landing({}, { repository }), { dryRun: false, isRunning: false });
  expect([report.result, readFileSync(join(r.root, 'big.bin'), 'utf8')]).toEqual(['landed', text]);
});

it('names the last commit of a branch that is gone', async () => {
  r.git('branch', '-D', branch);
  const { instead } = await landResults(landing({}, { lastMerge: tip }), { dryRun: false, isRunning: false });
  expect(instead).toBe(`its last commit is still here: git branch ${branch} ${tip}`);
});

it('has nothing to do where runs worked in the workspace', async () => {
  expect(await land(null)).toMatchObject({
    result: 'nothing',
    branch: null,
    because: expect.stringContaining('without worktrees'),
  });
});

describe('finishes what a kill has left', () => {
  const cases: [string, () => void][] = [
    [
      'some of the files',
      () => {
        r.write('a.txt', 'two\n');
        r.write('new/b.txt', 'b\n');
      },
    ],
    ['a deleted file', () => rmSync(join(r.root, 'c.txt'))],
    ['all files and the index', () => r.git('read-tree', '-m', '-u', 'HEAD', branch)],
  ];
  it.each(cases)('%s', async (_, change) => {
    change();
    expect(await land()).toMatchObject({ result: 'landed', commit: tip });
    expect([r.head, status()]).toEqual([tip, '']);
    expect(existsSync(join(r.root, 'c.txt'))).toBe(false);
  });
});

it('lands from a workspace below the top of the repository', async () => {
  mkdirSync(join(r.root, 'sub'));
  const { GitCaller } = await import('../../git/git-caller.ts');
  const repository = new GitCaller({ ...r.caller.place, root: join(r.root, 'sub') });
  expect(await landResults(landing({}, { repository }), { dryRun: false, isRunning: false })).toMatchObject({
    result: 'landed',
  });
  expect([r.head, status()]).toEqual([tip, '']);
});
