import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { compareFingerprints } from '../../git/ground/compare-fingerprints.ts';
import { takeFingerprint } from '../../git/ground/fingerprint.ts';
import { listTrees, makeTree } from '../../git/trees/trees.ts';
import { mostBytes } from './copy-included.ts';
import { prepareTree, type TreeOrder } from './prepare-tree.ts';

afterAll(removeRepositories);

const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

/** A new tree of the last commit. @param prefix of the workspace */
async function treeOf(repository: TestRepository, prefix = ''): Promise<TreeOrder & { readonly prefix: string }> {
  const folder = join(repository.beside, `t${(await listTrees(repository.caller)).length}`);
  await makeTree(repository.caller, { folder, commit: repository.head, branch: null });
  return {
    workspace: join(repository.root, prefix),
    folder: join(folder, prefix),
    include: [],
    setup: null,
    environment,
    output: join(repository.beside, 'setup.log'),
    isApart: (path) => path.toString('latin1').startsWith('outputs/'),
    prefix,
  };
}

const textIn = (folder: string, name: string): string | null =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null;

const ready = { kind: 'ready', notes: [] };

describe('ignored files in a new tree', () => {
  const ignored = { '.gitignore': '*.local\n.env\nsecret/\nmine\n.signalbox\noutputs\nrepo\n', 'tracked.local.md': '' };
  const withFiles = (files: Readonly<Record<string, string>>, base: Record<string, string> = ignored) => {
    const repository = new TestRepository(base);
    for (const [name, text] of Object.entries(files)) repository.write(name, text);
    return repository;
  };

  it.each<[string, Record<string, string>, readonly string[], readonly string[]]>([
    ['none without a list', { '.env': 'x' }, [], []],
    ['those of the list', { '.worktreeinclude': '.env\n', '.env': 'x', 'a/.env': 'y' }, [], ['.env', 'a/.env']],
    [
      'those of the settings',
      { 'a.local': 'x', 'b/c.local': 'y', '.env': 'no' },
      ['*.local'],
      ['a.local', 'b/c.local'],
    ],
    ['both', { '.worktreeinclude': '.env', '.env': 'x', 'a.local': 'y' }, ['a.local'], ['.env', 'a.local']],
    ['none that is not ignored', { '.worktreeinclude': '*\n', 'new.txt': 'x', '.env': 'y' }, [], ['.env']],
    [
      'none that a later line takes out',
      { '.worktreeinclude': '*.local\n!b.local\n', 'a.local': '', 'b.local': '' },
      [],
      ['a.local'],
    ],
    ['those at the top', { '.worktreeinclude': '/.env\n', '.env': 'x', 'a/.env': 'y' }, [], ['.env']],
    [
      'a whole folder',
      { '.worktreeinclude': 'secret/\n', 'secret/a/b': 'x', 'secret/c': 'y' },
      [],
      ['secret/a/b', 'secret/c'],
    ],
    [
      'odd names',
      { '.worktreeinclude': '*.local\n', 'a b\n"\'ä.local': 'x', '-n.local': 'y', ':(top).local': 'z' },
      [],
      ['a b\n"\'ä.local', '-n.local', ':(top).local'],
    ],
    ['a pattern like an option', { '--version.local': 'x' }, ['--version.local'], ['--version.local']],
    [
      'nothing of git, of ours or of plans',
      { '.worktreeinclude': '*\n.*\n', '.signalbox/state.db': 'x', 'outputs/status.json': 'y', mine: 'z' },
      [],
      ['mine'],
    ],
  ])('%s', async (_, files, include, expected) => {
    const repository = withFiles(files);
    const order = { ...(await treeOf(repository)), include };
    expect(await prepareTree(order)).toEqual(ready);
    const found = repository.gitIn(order.folder, 'ls-files', '-z', '--others', '--ignored', '--exclude-standard');
    expect(found.split('\0').filter(Boolean).sort()).toEqual([...expected].sort());
    for (const name of expected) expect(textIn(order.folder, name)).toBe(files[name]);
  });

  it('are named from the workspace, also where that is a folder of the repository', async () => {
    const repository = withFiles(
      { 'in/.worktreeinclude': '/.env\n', '.env': 'top', 'in/.env': 'x', 'in/a/.env': 'y', 'in/b.local': 'z' },
      { ...ignored, 'in/x': '' },
    );
    const order = { ...(await treeOf(repository, 'in')), include: ['/b.local'] };
    expect(await prepareTree(order)).toEqual(ready);
    const there = ['.env', 'a/.env', 'b.local', '../.env'].map((name) => textIn(order.folder, name));
    expect(there).toEqual(['x', null, 'z', null]);
  });

  it('are plain files with their rights; links and repositories stay where they are', async () => {
    const repository = withFiles({ '.worktreeinclude': '*\n', '.env': 'x', 'repo/x': '' });
    chmodSync(join(repository.root, '.env'), 0o600);
    symlinkSync('/etc/passwd', join(repository.root, 'link.local'));
    symlinkSync('/etc', join(repository.root, 'secret'));
    repository.gitIn(join(repository.root, 'repo'), 'init', '-q');
    const order = await treeOf(repository);
    expect(await prepareTree(order)).toEqual(ready);
    expect(lstatSync(join(order.folder, '.env')).mode & 0o777).toBe(0o600);
    expect(['link.local', 'secret', 'repo'].map((name) => existsSync(join(order.folder, name)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('do not go through a link of the commit, nor over one of its files', async () => {
    const repository = new TestRepository(ignored);
    const outside = join(repository.beside, 'outside');
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, join(repository.root, 'out'));
    repository.write('mine', 'of the commit');
    repository.git('add', '-f', 'mine', 'out');
    repository.commit('with a link');
    repository.git('rm', '-q', '--cached', 'mine', 'out');
    rmSync(join(repository.root, 'out'));
    repository.write('mine', 'of the workspace');
    repository.write('out/.env', 'x');
    const order = { ...(await treeOf(repository)), include: ['mine', '.env'] };
    expect(await prepareTree(order)).toEqual({
      kind: 'ready',
      notes: ['out/.env was not copied: it is behind the symlink out, which is not followed'],
    });
    expect([textIn(order.folder, 'mine'), existsSync(join(outside, '.env'))]).toEqual(['of the commit', false]);
  });

  it('that are too large are said', async () => {
    const repository = withFiles({ '.worktreeinclude': '*.local\n', 'a.local': 'x', 'big.local': '' });
    truncateSync(join(repository.root, 'big.local'), mostBytes);
    const order = await treeOf(repository);
    expect(await prepareTree(order)).toEqual({
      kind: 'ready',
      notes: [
        '1 ignored file not copied (big.local for one): a new tree gets at most 5,000 files and 200 MB; let worktree.setup make the rest',
      ],
    });
    expect([textIn(order.folder, 'a.local'), existsSync(join(order.folder, 'big.local'))]).toEqual(['x', false]);
  });

  it('stay out where the workspace of a tree is behind a link', async () => {
    const repository = new TestRepository(ignored);
    mkdirSync(join(repository.beside, 'outside'), { recursive: true });
    symlinkSync(join(repository.beside, 'outside'), join(repository.root, 'in'));
    repository.commit('with a link');
    const order = await treeOf(repository, 'in');
    expect(await prepareTree({ ...order, setup: 'touch ran' })).toMatchObject({ kind: 'failed' });
    expect(existsSync(join(repository.beside, 'outside/ran'))).toBe(false);
  });
});

describe('the setup of a new tree', () => {
  it('runs to its end in it, after files were copied, and without anything about git', async () => {
    const repository = new TestRepository({ '.gitignore': '*\n' });
    repository.write('.env', 'x\n');
    const order = {
      ...(await treeOf(repository)),
      include: ['.env'],
      setup: 'cat .env; env | grep ^GIT_; echo done >&2; pwd > where',
    };
    const hostile = { ...environment, GIT_DIR: repository.root, GIT_INDEX_FILE: '/nonexistent' };
    expect(await prepareTree({ ...order, environment: hostile })).toEqual(ready);
    expect(readFileSync(order.output, 'utf8')).toBe(`$ ${order.setup}\nx\ndone\n`);
    expect(textIn(order.folder, 'where')).toBe(`${order.folder}\n`);
  });

  it('that fails is told with the end of what it printed, and is done again', async () => {
    const repository = new TestRepository({ '.gitignore': 'ran\n' });
    const order = {
      ...(await treeOf(repository)),
      setup: 'echo x >> ran; seq 30; echo no network >&2; test $(wc -l < ran) = 2 || exit 7',
    };
    const failed = await prepareTree(order);
    expect(failed).toEqual({
      kind: 'failed',
      because: expect.stringMatching(
        /^the setup of its tree \(echo x .*\) ended with code 7:\n12\n[\s\S]*\n30\nno network$/,
      ),
      setup: order.setup,
    });
    expect(await prepareTree(order)).toEqual(ready);
    expect(await prepareTree(order)).toEqual(ready);
    expect(textIn(order.folder, 'ran')).toBe('x\nx\n');
  });

  it('is done again when it is another', async () => {
    const repository = new TestRepository({ '.gitignore': 'ran\n' });
    const order = { ...(await treeOf(repository)), setup: 'echo x >> ran' };
    await prepareTree(order);
    await prepareTree({ ...order, setup: 'echo y >> ran' });
    expect(textIn(order.folder, 'ran')).toBe('x\ny\n');
    expect(repository.gitIn(order.folder, 'status', '--porcelain')).toBe('');
  });

  it('is stopped with everything that it has started', async () => {
    const repository = new TestRepository();
    const stop = new AbortController();
    const order = { ...(await treeOf(repository)), setup: 'echo begun; sleep 600', signal: stop.signal };
    const prepared = prepareTree(order);
    await expect.poll(() => textIn(dirname(order.output), 'setup.log'), { interval: 5 }).toContain('\nbegun\n');
    stop.abort();
    expect(await prepared).toEqual({
      kind: 'failed',
      because: 'the setup of its tree (echo begun; sleep 600) was stopped:\nbegun',
      setup: 'echo begun; sleep 600',
    });
  });
});

describe('submodules of a new tree', () => {
  /** With a submodule in a submodule, both as the workspace has them. */
  function withSubmodules(): TestRepository {
    const [inner, outer] = [new TestRepository({ 'i.txt': 'inner\n' }), new TestRepository({ 'o.txt': 'outer\n' })];
    const add = (to: TestRepository, from: TestRepository) => {
      to.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from.root, 'sub dir');
      to.commit('with a submodule');
    };
    add(outer, inner);
    const repository = new TestRepository();
    add(repository, outer);
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive');
    return repository;
  }

  it('are checked out from what the workspace has, and nothing of the workspace changes', async () => {
    const repository = withSubmodules();
    const origin = repository.gitIn(join(repository.root, 'sub dir'), 'remote', 'get-url', 'origin');
    rmSync(origin, { recursive: true });
    const order = await treeOf(repository);
    const look = () => takeFingerprint({ ...repository.caller.place, isApart: () => false });
    const before = await look();
    expect(await prepareTree(order)).toEqual(ready);
    expect(compareFingerprints(before, await look())).toEqual([]);
    expect(textIn(order.folder, 'sub dir/o.txt')).toBe('outer\n');
    expect(textIn(order.folder, 'sub dir/sub dir/i.txt')).toBe('inner\n');
    expect(repository.gitIn(join(order.folder, 'sub dir'), 'remote', 'get-url', 'origin')).toBe(origin);
    expect(repository.gitIn(order.folder, 'status', '--porcelain')).toBe('');
  });

  it('that cannot be had are said', async () => {
    const repository = withSubmodules();
    rmSync(join(repository.root, '.git/modules/sub dir'), { recursive: true });
    const order = await treeOf(repository);
    expect(await prepareTree(order)).toEqual({
      kind: 'ready',
      notes: [
        'the submodule sub dir is not checked out: the workspace has no copy of it, and its address is none of http, https or git',
      ],
    });
    repository.git('config', 'submodule.sub dir.url', 'http://127.0.0.1:1/x');
    const offline = await prepareTree({ ...order, include: ['again'] });
    expect(offline).toMatchObject({
      notes: [expect.stringMatching(/^the submodule sub dir is not checked out: git submodule ended with code 1/)],
    });
  });

  it('run no command of the repository', async () => {
    const repository = withSubmodules();
    const ran = join(repository.beside, 'ran');
    mkdirSync(repository.beside, { recursive: true });
    const evil = `touch '${ran}'`;
    repository.git('config', 'submodule.sub dir.update', `!${evil}`);
    for (const folder of [repository.root, join(repository.root, 'sub dir')]) {
      const gitFolder = repository.gitIn(folder, 'rev-parse', '--absolute-git-dir');
      writeFileSync(join(gitFolder, 'hooks/post-checkout'), `#!/bin/sh\n${evil}\n`, { mode: 0o755 });
      repository.gitIn(folder, 'config', 'uploadpack.packObjectsHook', evil);
      repository.gitIn(folder, 'config', 'core.fsmonitor', evil);
    }
    const order = await treeOf(repository);
    expect(await prepareTree(order)).toEqual(ready);
    expect(textIn(order.folder, 'sub dir/o.txt')).toBe('outer\n');
    expect(existsSync(ran)).toBe(false);
    // A filter that only the submodules know, and a file that has to go through it.
    for (const folder of [join(repository.root, 'sub dir'), join(order.folder, 'sub dir')]) {
      const gitFolder = repository.gitIn(folder, 'rev-parse', '--absolute-git-dir');
      mkdirSync(join(gitFolder, 'info'), { recursive: true });
      writeFileSync(join(gitFolder, 'info/attributes'), '* filter=inner\n');
      repository.gitIn(folder, 'config', 'filter.inner.clean', evil);
      repository.write('o.txt', 'inner\n', folder);
    }
    await takeFingerprint({ ...repository.caller.place, isApart: () => false });
    await makeTree(repository.caller, { folder: order.folder, commit: repository.head, branch: null });
    expect(existsSync(ran)).toBe(false);
    // The fixture is one: whoever asks git itself runs it.
    execFileSync('git', ['status'], { cwd: repository.root, stdio: 'ignore' });
    expect(existsSync(ran)).toBe(true);
  });
});
