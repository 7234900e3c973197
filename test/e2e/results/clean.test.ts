// `signalbox clean` for real: what is merged goes, and nothing else ever does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
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
      kind === 'tree' ? name.slice(w.trees.length + 1) : name,
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

it('forgets a tree whose folder is gone', async () => {
  const w = await withTrees();
  renameSync(join(w.trees, 'tasks/docs'), `${w.trees}-elsewhere`);
  expect(await items(w, '--yes')).toMatchObject({ 'tasks/docs': 'gone', [branch('docs')]: 'gone' });
});
