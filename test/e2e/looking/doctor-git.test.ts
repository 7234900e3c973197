// `doctor` about the repository of a workspace and the trees of its runs: each trouble with the way out.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTrees } from '../../../src/api/doctor/check-trees.ts';
import { openWorkspace } from '../../../src/api/workspace.ts';
import { GitCaller } from '../../../src/git/git-caller.ts';
import { markTree } from '../../../src/git/trees/tree-marker.ts';
import { makeTree } from '../../../src/git/trees/trees.ts';
import { type Line, Workspace } from '../rig.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

function repository(files: Readonly<Record<string, string>> = { a: '' }): Workspace {
  const w = new Workspace(files);
  git(w.folder, 'init', '-q', '-b', 'main');
  git(w.folder, 'add', '-A');
  git(w.folder, 'commit', '-qm', 'x');
  return w;
}

async function checksOf(w: Workspace, env: Readonly<Record<string, string>> = {}): Promise<readonly Line[]> {
  const { code, json } = await w.runWith(env, 'doctor', '--json');
  expect(code).toBe(0);
  return json.checks;
}

const about = (checks: readonly Line[], id: string) =>
  checks
    .filter((check) => check.id === id)
    .map(({ status, message, help }) => [status, message, help].filter((part) => part !== undefined).join(' | '));

describe('the repository', () => {
  type Make = () => Workspace;
  it.each<[string, Make, string, readonly (string | RegExp)[]]>([
    ['a sound one', () => repository(), 'worktrees', [/^ok \| runs can use worktrees of \/.* \(git \d+\.\d+/]],
    [
      'none',
      () => new Workspace(),
      'worktrees',
      ['ok | there is no git repository, so agents work in the workspace itself'],
    ],
    [
      'one without a commit',
      () => {
        const w = new Workspace();
        git(w.folder, 'init', '-q');
        return w;
      },
      'worktrees',
      [
        'warning | the repository has no commit yet, so agents work in the workspace itself | make one: git add -A && git commit -m "Begin"',
      ],
    ],
    [
      'LFS without trust',
      () => repository({ '.gitattributes': '*.bin filter=lfs\n' }),
      'lfs',
      ['warning | files of Git LFS are pointers in worktrees | if you trust this repository: signalbox trust --git'],
    ],
    [
      'submodules',
      () => {
        const w = repository();
        git(w.folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', repository().folder, 'sub');
        return w;
      },
      'submodules',
      ['ok | submodules are checked out in each worktree, from what this workspace has'],
    ],
    [
      'a shallow clone',
      () => {
        const w = new Workspace();
        const from = repository();
        git(from.folder, 'commit', '--allow-empty', '-qm', 'y');
        git(w.folder, 'clone', '-q', '--depth', '1', `file://${from.folder}`, '.');
        return w;
      },
      'shallow',
      ['warning | this is a shallow clone: a merge may find no common commit | fetch the rest: git fetch --unshallow'],
    ],
    [
      'a partial clone',
      () => {
        const w = repository();
        git(w.folder, 'config', 'remote.origin.promisor', 'true');
        return w;
      },
      'partial',
      [/^warning \| this is a partial clone.* \| fetch the rest: git fetch --refetch --no-filter$/],
    ],
    [
      'names that differ in case',
      () => repository({ 'a/x': '', 'A/x': '' }),
      'case-clash',
      ['ok | A and a differ only in case, which some disks cannot keep'],
    ],
    [
      'names that are one on this disk',
      () => {
        const w = repository({ a: '', A: '' });
        git(w.folder, 'config', 'core.ignoreCase', 'true');
        return w;
      },
      'case-clash',
      ['warning | A and a are one file on this disk | rename one of them: git mv'],
    ],
  ])('%s', async (_, make, id, expected) => {
    const found = about(await checksOf(make()), id);
    expect(found).toEqual(expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))));
  });

  it('is said to be fit when hooks and filters of it are trusted', async () => {
    const w = repository({ '.gitattributes': '*.bin filter=lfs\n' });
    await w.run('trust', '--git');
    expect(about(await checksOf(w), 'lfs')).toEqual([
      'ok | files of Git LFS are checked out in worktrees (signalbox trust --git)',
    ]);
  });

  it('is shared by agents with a git that is too old', async () => {
    const w = repository();
    const bin = new Workspace({ git: '#!/bin/sh\ncase "$*" in *version*) echo git version 2.30.2;; esac\n' });
    chmodSync(join(bin.folder, 'git'), 0o755);
    const checks = await checksOf(w, { PATH: `${bin.folder}:${process.env.PATH}` });
    expect(about(checks, 'worktrees')).toEqual([
      'warning | git 2.30.2 is older than 2.38, so agents work in the workspace itself | install git 2.38 or newer',
    ]);
  });

  it('has a branch for results that nobody should have checked out', async () => {
    const w = repository();
    git(w.folder, 'branch', 'signalbox/plan');
    expect(about(await checksOf(w), 'results-branch')).toEqual([]);
    git(w.folder, 'switch', '-q', 'signalbox/plan');
    const folder = realpathSync.native(w.folder);
    expect(about(await checksOf(w), 'results-branch')).toEqual([
      `warning | signalbox/plan is checked out in ${folder}: nothing can be merged onto it there | let it go: git -C ${folder} switch --detach`,
    ]);
  });
});

describe('trees of runs', () => {
  /** @returns the folder of a plan's trees, with one tree in it */
  async function treesOf(w: Workspace, user: string, name: string): Promise<string> {
    const folder = join(realpathSync.native(user), 'trees', name, 'plan');
    const caller = new GitCaller({
      root: w.folder,
      environment: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
    });
    const tree = join(folder, 'tasks', 'a');
    await makeTree(caller, { folder: tree, commit: git(w.folder, 'rev-parse', 'HEAD').trim(), branch: null });
    markTree(tree, w.folder);
    writeFileSync(join(tree, 'large'), Buffer.alloc(3 * 1024 * 1024, 1));
    return folder;
  }
  const userFolder = () => {
    const { folder } = new Workspace();
    chmodSync(folder, 0o700);
    return folder;
  };

  it('that no run knows, of a workspace that is gone, and of others', async () => {
    const [w, other, gone, user] = [repository(), repository(), repository(), userFolder()];
    const [mine, , lost] = [
      await treesOf(w, user, 'mine'),
      await treesOf(other, user, 'other'),
      await treesOf(gone, user, 'gone'),
    ];
    rmSync(gone.folder, { recursive: true });
    const checks = await checksOf(w, { SIGNALBOX_STATE: user });
    expect(about(checks, 'trees-unknown')).toEqual([
      `warning | 1 tree in ${mine}: no run of this workspace knows them (4 MB) | look for work that you still need, then remove each: git worktree remove ${join(mine, 'tasks/a')}`,
    ]);
    expect(about(checks, 'trees-lost')).toEqual([
      `warning | 1 tree in ${lost}: their workspace or repository is gone (4 MB) | look for work that you still need, then remove them: rm -r ${lost}`,
    ]);
    expect(about(checks, 'trees-size')).toEqual(['ok | runs have 1 tree, 4 MB on the disk']);
  });

  it('that a run knows, wherever they are', async () => {
    const [w, user] = [repository(), userFolder()];
    const trees = await treesOf(w, user, 'elsewhere');
    const run = { isolation: { trees } };
    const read = async (look: (state: object) => unknown) => look({ plans: new Map([['plan.md', { run }]]) });
    const store = { open: async () => ({ read }) } as unknown as Parameters<typeof checkTrees>[1];
    const workspace = await openWorkspace(w.folder, { HOME: '/nonexistent', SIGNALBOX_STATE: '/nonexistent' });
    expect(await checkTrees(workspace, store)).toEqual([
      { id: 'trees-size', status: 'ok', message: 'runs have 1 tree, 4 MB on the disk' },
    ]);
  });

  it('none, where there are none', async () => {
    const [w, user] = [repository(), userFolder()];
    mkdirSync(join(user, 'trees/empty/plan'), { recursive: true });
    expect((await checksOf(w, { SIGNALBOX_STATE: user })).filter(({ id }) => id.startsWith('tree'))).toEqual([]);
  });

  it('with a lock that a killed process has left', async () => {
    const [w, user] = [repository(), userFolder()];
    const folder = await treesOf(w, user, 'mine');
    const admin = join(
      realpathSync.native(w.folder),
      '.git/worktrees',
      readdirSync(join(w.folder, '.git/worktrees'))[0]!,
    );
    const lock = join(admin, 'index.lock');
    writeFileSync(lock, '');
    expect(about(await checksOf(w, { SIGNALBOX_STATE: user }), 'tree-lock')).toEqual([]);
    utimesSync(lock, 1, 1);
    expect(about(await checksOf(w, { SIGNALBOX_STATE: user }), 'tree-lock')).toEqual([
      `warning | git cannot change ${join(folder, 'tasks/a')}: a process that was killed has left ${lock} | when no git runs there: rm ${lock}`,
    ]);
  });
});
