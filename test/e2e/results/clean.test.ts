// `signalbox clean` for real: what is merged goes, and nothing else ever does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Line } from '../rig.ts';
import { ResultsWorkspace } from './results-rig.ts';

const branch = (task: string) => `signalbox-attempts/plan/${task}.1`;

/** `docs` is merged and completed, `api` was not merged. */
async function withTrees(): Promise<ResultsWorkspace> {
  const w = await new ResultsWorkspace().begun();
  for (const [task, result] of [
    ['docs', 'merged'],
    ['api', 'conflict'],
  ] as const) {
    await w.scheduled(task);
    const tree = w.tree(task);
    writeFileSync(join(tree, `${task}.txt`), task);
    const head = w.commit(task, tree);
    if (result === 'merged') w.merge(branch(task));
    await w.ended(task, 1, { branch: branch(task), base: w.begin, head }, result);
  }
  w.git('worktree', 'add', '-q', '--detach', join(w.trees, 'integration'), 'signalbox/plan');
  return w;
}

const items = async (w: ResultsWorkspace, ...args: string[]) => {
  const { json } = await w.run('clean', '--json', ...args);
  return Object.fromEntries(
    json.items.map(({ kind, name, state, because }: Line) => [
      kind === 'branch' ? name : `${kind === 'broken' ? 'broken ' : ''}${name.slice(w.trees.length + 1)}`,
      because === null ? state : `${state}: ${because}`,
    ]),
  );
};

it('shows what would go and what stays, and removes only that with --yes', async () => {
  const w = await withTrees();
  const seen = await items(w);
  expect(seen).toEqual({
    'tasks/docs': 'would-go',
    [branch('docs')]: 'would-go',
    'tasks/api': 'stays: api is not completed',
    [branch('api')]: 'stays: api is not completed',
    integration: 'stays: the plan is not complete',
  });
  const { out } = await w.run('clean');
  expect(out).toMatch(/^Would remove 1 tree and 1 branch, [\d.]+ kB:\n {2}\S+\/tasks\/docs \([\d.]+ kB\)\n/);
  expect(out).toContain('signalbox clean --yes removes this.\n');
  expect(existsSync(join(w.trees, 'tasks/docs'))).toBe(true);
  const done = await w.run('clean', '--yes');
  expect(done.code).toBe(0);
  expect(done.out).toContain('Removed 1 tree and 1 branch, ');
  expect(readdirSync(join(w.trees, 'tasks'))).toEqual(['api']);
  expect(w.git('branch', '--list', 'signalbox-attempts/*', '--format=%(refname:short)')).toBe(branch('api'));
  expect((await w.run('clean', '--yes')).out).toMatch(/^Nothing to clean up\.\nStays:\n/);
  expect(w.git('log', '--format=%s', 'signalbox/plan')).toContain('docs');
});

it('removes everything of a plan that is complete and landed, with its empty folders', async () => {
  const w = await withTrees();
  w.merge(branch('api'));
  await w.scheduled('api', 2);
  const head = w.git('rev-parse', branch('api'));
  await w.ended('api', 2, { branch: branch('api'), base: w.begin, head }, 'merged');
  await w.runEnded();
  expect(await items(w)).toMatchObject({ integration: 'stays: the results are not on main yet: signalbox land' });
  expect((await w.run('land')).code).toBe(0);
  expect(new Set(Object.values(await items(w, '--yes')))).toEqual(new Set(['gone']));
  expect(existsSync(w.trees)).toBe(false);
  expect(w.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(w.git('branch', '--list', '--format=%(refname:short)')).toBe('main\nsignalbox/plan');
});

describe('never removes', () => {
  const cases: [string, (w: ResultsWorkspace, tree: string) => void, RegExp][] = [
    ['an untracked file', (_, tree) => writeFileSync(join(tree, 'late.txt'), ''), /changes that are not committed/],
    ['a changed file', (_, tree) => writeFileSync(join(tree, 'a.txt'), 'late'), /changes that are not committed/],
    [
      'a commit that is not merged',
      (w, tree) => {
        writeFileSync(join(tree, 'late.txt'), '');
        w.commit('late', tree);
      },
      /its work is not merged/,
    ],
    [
      'an operation that was begun',
      (w, tree) => writeFileSync(join(w.gitIn(tree, 'rev-parse', '--absolute-git-dir'), 'MERGE_HEAD'), `${w.begin}\n`),
      /a merge was begun in it and not ended/,
    ],
    [
      'a tree with submodules',
      (w, tree) => mkdirSync(join(w.gitIn(tree, 'rev-parse', '--absolute-git-dir'), 'modules')),
      /it has submodules/,
    ],
    [
      'through a symlink',
      (w, tree) => {
        renameSync(tree, `${w.trees}-elsewhere`);
        symlinkSync(`${w.trees}-elsewhere`, tree);
      },
      /tasks\/docs is no plain folder/,
    ],
    ['a tree that git has locked', (w, tree) => w.git('worktree', 'lock', tree), /lock/],
    [
      'anything without its results',
      (w) => w.git('branch', '-D', 'signalbox/plan'),
      /the branch signalbox\/plan is gone/,
    ],
  ];
  it.each(cases)('%s', async (_, change, because) => {
    const w = await withTrees();
    const tree = join(w.trees, 'tasks/docs');
    change(w, tree);
    const before = readdirSync(tree);
    const found = await items(w, '--yes');
    expect(found['tasks/docs']).toMatch(because);
    expect(found[branch('docs')]).toMatch(/stays|failed/);
    expect(readdirSync(tree)).toEqual(before);
    expect(w.git('rev-parse', '--verify', branch('docs'))).toBeTruthy();
  });

  it('a tree in which a process works', async () => {
    const w = await withTrees();
    const child = spawn('sleep', ['60'], { cwd: join(w.trees, 'tasks/docs') });
    await once(child, 'spawn');
    expect(await items(w, '--yes')).toMatchObject({ 'tasks/docs': `stays: process ${child.pid} works in it` });
    child.kill();
    await once(child, 'exit');
    expect(await items(w, '--yes')).toMatchObject({ 'tasks/docs': 'gone' });
  });
});

describe('a tree that git could no longer work in, and that was moved aside,', () => {
  /** As `recoverTree` moves it: the files, and what was git's own folder of the tree. */
  async function withBroken(change: (w: ResultsWorkspace, tree: string, entry: string) => void = () => undefined) {
    const w = await withTrees();
    const tree = join(w.trees, 'tasks/api');
    const entry = w.gitIn(tree, 'rev-parse', '--absolute-git-dir');
    change(w, tree, entry);
    cpSync(entry, `${tree}.broken-1.git`, { recursive: true });
    rmSync(entry, { recursive: true });
    renameSync(tree, `${tree}.broken-1`);
    return { w, broken: `${realpathSync(w.trees)}/tasks/api.broken-1` };
  }
  const name = 'tasks/api.broken-1';
  const found = async (w: ResultsWorkspace, ...args: string[]) => (await items(w, ...args))[`broken ${name}`];

  it.each<[string, (w: ResultsWorkspace, tree: string, entry: string) => void]>([
    ['is as its branch', () => undefined],
    ['lacks files that its branch has', (_, tree) => rmSync(join(tree, 'a.txt'))],
    ['is as the results', (w, tree) => w.gitIn(tree, 'checkout', '-q', 'signalbox/plan', '--', '.')],
    ['has only ignored files beside', (w, tree) => w.writeIn(tree, '.signalbox/x', '')],
    ['has an index that nobody can read', (_, __, entry) => writeFileSync(join(entry, 'index'), 'nonsense')],
    ['has no link to git any more', (_, tree) => rmSync(join(tree, '.git'))],
  ])('goes where it %s', async (_, change) => {
    const { w, broken } = await withBroken(change);
    expect(await found(w)).toBe('would-go');
    expect((await w.run('clean')).out).toMatch(/^Would remove 1 tree, 1 branch and 1 broken tree, /);
    expect(await found(w, '--yes')).toBe('gone');
    expect([existsSync(broken), existsSync(`${broken}.git`)]).toEqual([false, false]);
    expect(w.git('rev-parse', '--verify', branch('api'))).toBeTruthy();
  });

  it.each<[string, (w: ResultsWorkspace, tree: string, entry: string) => void, RegExp]>([
    [
      'a changed file',
      (_, tree) => writeFileSync(join(tree, 'a.txt'), 'late'),
      /^it has what is in no commit: a\.txt;/,
    ],
    ['a new file', (_, tree) => writeFileSync(join(tree, 'late'), ''), /^it has what is in no commit: late;/],
    [
      'a file that was only staged',
      (w, tree) => {
        writeFileSync(join(tree, 'late'), 'x');
        w.gitIn(tree, 'add', 'late');
        rmSync(join(tree, 'late'));
      },
      /^it has what is in no commit: late;/,
    ],
    [
      'a commit that is on no branch',
      (w, tree) => {
        w.gitIn(tree, 'checkout', '-q', '--detach');
        w.gitIn(tree, 'commit', '-q', '--allow-empty', '-m', 'mine');
      },
      /^it stands at a commit that is on no branch: git branch NAME [0-9a-f]{12} keeps that;/,
    ],
    [
      'a repository in its place',
      (_, tree) => {
        rmSync(join(tree, '.git'));
        mkdirSync(join(tree, '.git'));
      },
      /^it has a repository of its own;/,
    ],
    ['submodules', (_, __, entry) => mkdirSync(join(entry, 'modules')), /^it has submodules/],
  ])('stays with %s', async (_, change, because) => {
    const { w, broken } = await withBroken(change);
    const before = [readdirSync(broken), readdirSync(`${broken}.git`)];
    const told = (await found(w, '--yes')).replace('stays: ', '');
    expect(told).toMatch(because);
    expect(told).toContain(`; when you need nothing of it: rm -r ${broken} ${broken}.git`);
    expect([readdirSync(broken), readdirSync(`${broken}.git`)]).toEqual(before);
    const { out } = await w.run('clean');
    expect(out).toMatch(
      /\nStays, though git can no longer work there:\n {2}\S+\/tasks\/api\.broken-1 \([\d.]+ kB\): it /,
    );
    const { checks } = (await w.run('doctor', '--json')).json;
    expect(checks.find(({ id }: Line) => id === 'tree-broken')).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^git could no longer work in a tree, .* moved to \S+api\.broken-1 \(1 MB\)$/),
    });
  });

  it('is never removed through a symlink', async () => {
    const { w, broken } = await withBroken();
    renameSync(broken, `${w.trees}-elsewhere`);
    symlinkSync(`${w.trees}-elsewhere`, broken);
    expect(await found(w, '--yes')).toContain(`${broken} is no plain folder`);
    expect(existsSync(join(`${w.trees}-elsewhere`, 'a.txt'))).toBe(true);
    rmSync(broken);
    renameSync(`${w.trees}-elsewhere`, broken);
    renameSync(join(w.trees, 'tasks'), `${w.trees}-tasks`);
    symlinkSync(`${w.trees}-tasks`, join(w.trees, 'tasks'));
    expect(await found(w, '--yes')).toContain('/tasks is no plain folder');
    expect(existsSync(`${w.trees}-tasks/api.broken-1/a.txt`)).toBe(true);
  });

  it('is found again where removing it was killed half way', async () => {
    const { w, broken } = await withBroken();
    rmSync(broken, { recursive: true });
    expect(await found(w, '--yes')).toBe('gone');
    expect(existsSync(`${broken}.git`)).toBe(false);
  });
});

it('forgets a tree whose folder is gone', async () => {
  const w = await withTrees();
  renameSync(join(w.trees, 'tasks/docs'), `${w.trees}-elsewhere`);
  expect(await items(w, '--yes')).toMatchObject({ 'tasks/docs': 'gone', [branch('docs')]: 'gone' });
});
