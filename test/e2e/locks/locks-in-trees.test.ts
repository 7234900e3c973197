// Locks and looks through the real commands, typed in the trees of a workspace: one table, one store.
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { markTree } from '../../../src/git/trees/tree-marker.ts';
import { Workspace } from '../rig.ts';

/** The workspace is `repo/app`, below the git root; its settings and its plan are committed. */
function scene() {
  const w = new Workspace({
    'repo/app/signalbox.yaml': '',
    'repo/app/docs/plan.yaml': 'tasks: {a: {run: "pwd > where"}}\n',
    'repo/app/src/x.ts': '',
    'repo/app/src/y.ts': '',
  });
  const repo = join(w.folder, 'repo');
  symlinkSync('src', join(repo, 'app/link'));
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: repo, stdio: 'pipe' });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
  const root = join(repo, 'app');
  const [one, two] = ['one', 'two'].map((name) => {
    const tree = join(w.folder, 'trees', name);
    git('worktree', 'add', '-q', '--detach', tree);
    markTree(tree, root);
    return join(tree, 'app');
  }) as [string, string];
  return { root, one, two, inTree: (folder: string, ...args: string[]) => w.startIn(folder, {}, ...args).ended };
}

it('a file that is locked in one tree is busy in the other and in the workspace, however it is spelled', async () => {
  const { root, one, two, inTree } = scene();
  const got = await inTree(join(one, 'src'), 'lock', 'try', 'x.ts', '--agent', 'A', '--json');
  expect([got.code, got.json.resources]).toEqual([0, ['src/x.ts']]);
  const spellings: [string, string][] = [
    [two, 'src/x.ts'],
    [two, 'link/x.ts'],
    [join(two, 'src'), join(one, 'src/x.ts')],
    [two, join(root, 'src/x.ts')],
    [root, 'src/x.ts'],
    [root, join(two, '*/*.ts')],
  ];
  const answers = await Promise.all(spellings.map(([cwd, path]) => inTree(cwd, 'lock', 'try', path, '--agent', 'B')));
  for (const [i, { code, err }] of answers.entries()) {
    expect([spellings[i], code]).toEqual([spellings[i], 1]);
    expect(err).toContain('has been held by A');
  }
  expect((await inTree(two, 'lock', 'try', 'src/y.ts', '--agent', 'B')).code).toBe(0);
  const { json } = await inTree(root, 'lock', 'list', '--json');
  expect(json.holds.map(({ resource }: { resource: string }) => resource).sort()).toEqual(['src/x.ts', 'src/y.ts']);
  expect((await inTree(two, 'lock', 'release', join(two, 'src/x.ts'), '--agent', 'A')).code).toBe(0);
  expect((await inTree(two, 'lock', 'try', 'src/x.ts', '--agent', 'B')).code).toBe(0);
  const beside = await inTree(join(one, '..'), 'lock', 'try', 'other.ts', '--agent', 'A');
  expect([beside.code, beside.err]).toEqual([2, expect.stringContaining(`is outside the workspace ${root}`)]);
});

it('commands typed in a tree mean the plan of the workspace, and leave no state in the tree', async () => {
  const { root, one, two, inTree } = scene();
  const { code, err } = await inTree(one, 'run', 'docs/plan.yaml');
  expect([code, err]).toEqual([0, `workspace: ${root}\n`]);
  expect([root, one].map((folder) => existsSync(join(folder, 'where')))).toEqual([true, false]);
  const status = await inTree(join(two, 'docs'), 'status', 'plan.yaml', '--json');
  expect([status.json.plan, status.json.summary.completed]).toEqual(['docs/plan.yaml', 1]);
  expect((await inTree(two, 'set', 'docs/plan.yaml')).code).toBe(0);
  expect((await inTree(join(two, 'src'), 'status', '--json')).json.plan).toBe('docs/plan.yaml');
  const tasks = resolve('test/fixtures/import/taskmaster.json');
  expect((await inTree(join(two, 'docs'), 'import', 'taskmaster', tasks, '--out', 'new.md')).code).toBe(0);
  expect([root, two].map((folder) => existsSync(join(folder, 'docs/new.md')))).toEqual([true, false]);
  for (const folder of [one, two, join(one, '..'), join(two, '..'), join(root, '..')])
    expect(existsSync(join(folder, '.signalbox')), folder).toBe(false);
  expect(existsSync(join(two, '.claude'))).toBe(false);
});
