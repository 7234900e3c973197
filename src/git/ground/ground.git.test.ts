// Every kind of ground, on real repositories.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { GitCaller } from '../git-caller.ts';
import { type GoodGround, lookAtGround } from './ground.ts';

const folders: string[] = [];
afterAll(() => {
  removeRepositories();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = realpathSync.native(mkdtempSync(join(tmpdir(), 'signalbox-ground-')));
  folders.push(made);
  return made;
}

const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
const look = (root: string, path = environment.PATH) =>
  lookAtGround(new GitCaller({ root, environment: { ...environment, PATH: path } }), []);

function fakeGit(says: string): string {
  const bin = folder();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ncase "$*" in *version*) echo '${says}';; esac\n`);
  chmodSync(join(bin, 'git'), 0o755);
  return bin;
}

it('a plain repository', async () => {
  const repository = new TestRepository();
  const ground = await look(repository.root);
  expect(ground).toEqual({
    kind: 'good',
    version: expect.stringMatching(/^2\.\d+/),
    top: repository.root,
    prefix: '',
    head: repository.head,
    branch: 'main',
    isLinked: false,
    isShallow: false,
    isSparse: false,
    isPartial: false,
    hasSubmodules: false,
    hasLfs: false,
    ignoresCase: false,
    clashes: [],
    dirty: { tracked: 0, untracked: 0 },
    hooksPath: null,
  } satisfies GoodGround);
});

it.each<[string, () => string, object]>([
  ['no repository', folder, { kind: 'no-repository' }],
  [
    'a repository that leads nowhere',
    () => {
      const root = folder();
      writeFileSync(join(root, '.git'), 'gitdir: /nonexistent/place\n');
      return root;
    },
    { kind: 'unusable', because: expect.stringContaining('/nonexistent/place') },
  ],
  [
    'a bare one',
    () => {
      const root = folder();
      execFileSync('git', ['init', '-q', '--bare', root]);
      return root;
    },
    { kind: 'no-work-tree' },
  ],
  ['the inside of .git', () => join(new TestRepository().root, '.git'), { kind: 'no-work-tree' }],
  [
    'no commit',
    () => {
      const root = folder();
      execFileSync('git', ['init', '-q', root]);
      return root;
    },
    { kind: 'no-commit' },
  ],
])('%s', async (_, make, expected) => {
  expect(await look(make())).toEqual(expected);
});

it('no git, and versions of it', async () => {
  const { root } = new TestRepository();
  expect(await look(root, folder())).toEqual({ kind: 'no-git' });
  for (const [says, version] of [
    ['git version 2.37.9', '2.37.9'],
    ['git version 1.99.0 (Apple Git-1)', '1.99.0'],
    ['something else', '0'],
  ])
    expect(await look(root, fakeGit(says!))).toEqual({ kind: 'old-git', version });
  // It answers nothing else, so going on from here is the proof.
  for (const says of ['git version 2.38.0', 'git version 3.0.1-rc1', 'git version 2.100'])
    expect((await look(root, fakeGit(says))).kind).not.toBe('old-git');
});

const good = async (root: string): Promise<GoodGround> => {
  const ground = await look(root);
  expect(ground.kind).toBe('good');
  return ground as GoodGround;
};

it.each<[string, (repository: TestRepository) => string | undefined, Partial<GoodGround>]>([
  ['a detached HEAD', (r) => void r.git('checkout', '-q', '--detach'), { branch: null }],
  [
    'a branch with odd signs',
    (r) => void r.git('checkout', '-q', '-b', `feature/it's-"ü"`),
    { branch: `feature/it's-"ü"` },
  ],
  [
    'a workspace below the top, with odd signs',
    (r) => {
      r.write('a b/"c"\n/x.txt', '');
      return join(r.root, 'a b/"c"\n');
    },
    { prefix: 'a b/"c"\n', dirty: { tracked: 0, untracked: 1 } },
  ],
  [
    'a linked worktree',
    (r) => {
      r.git('worktree', 'add', '-q', '-b', 'other', r.beside);
      return r.beside;
    },
    { isLinked: true, branch: 'other' },
  ],
  [
    'a shallow clone',
    (r) => {
      r.commit('second');
      const to = join(dirname(r.root), 'clone');
      r.git('clone', '-q', '--depth', '1', `file://${r.root}`, to);
      return to;
    },
    { isShallow: true, isPartial: false },
  ],
  [
    'a partial clone',
    (r) => {
      r.git('config', 'uploadpack.allowFilter', 'true');
      const to = join(dirname(r.root), 'clone');
      r.git('clone', '-q', '--filter=blob:none', `file://${r.root}`, to);
      return to;
    },
    { isPartial: true, isShallow: false },
  ],
  ['a sparse checkout', (r) => void r.git('sparse-checkout', 'set', '--cone', 'src'), { isSparse: true }],
  [
    'submodules',
    (r) => {
      const from = new TestRepository();
      r.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', from.root, 'sub');
      r.commit('sub');
    },
    { hasSubmodules: true, dirty: { tracked: 0, untracked: 0 } },
  ],
  [
    'large files elsewhere',
    (r) => {
      r.write('assets/.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
      r.commit('lfs');
    },
    { hasLfs: true },
  ],
  [
    'the same, said in the repository',
    (r) => void r.write('.git/info/attributes', '*.psd filter=lfs\n'),
    { hasLfs: true },
  ],
  [
    'other filters',
    (r) => {
      r.write('.gitattributes', '*.c filter=lfsx text=auto\n');
      r.commit('attributes');
    },
    { hasLfs: false },
  ],
  [
    'attributes that lead elsewhere',
    (r) => {
      symlinkSync('/dev/zero', join(r.root, '.gitattributes'));
      r.commit('attributes');
    },
    { hasLfs: false },
  ],
  [
    'names that clash',
    (r) => {
      r.write('Readme', '');
      r.write('README', '');
      r.write('src/a', '');
      r.write('Src/b', '');
      r.commit('names');
    },
    {
      clashes: [
        ['README', 'Readme'],
        ['Src', 'src'],
      ],
    },
  ],
  ['a disk that ignores case', (r) => void r.git('config', 'core.ignoreCase', 'true'), { ignoresCase: true }],
  ['hooks from elsewhere', (r) => void r.git('config', 'core.hooksPath', '.husky/_'), { hooksPath: '.husky/_' }],
  [
    'changes',
    (r) => {
      r.write('b.txt', 'two\n');
      r.write('c.txt', 'three\n');
      r.commit('more');
      r.write('a.txt', 'changed\n');
      rmSync(join(r.root, 'b.txt'));
      r.git('mv', 'c.txt', 'd.txt');
      r.write('new/one', '');
      r.write('new/two', '');
      r.write('ignored', '');
      r.write('.git/info/exclude', 'ignored\n');
    },
    // A file that was moved is gone and there again.
    { dirty: { tracked: 4, untracked: 2 } },
  ],
])('%s', async (_, prepare, expected) => {
  const repository = new TestRepository();
  expect(await good(prepare(repository) ?? repository.root)).toMatchObject(expected);
});

it('what is set apart is no change', async () => {
  const repository = new TestRepository();
  for (const name of ['docs/out/status.json', 'docs/outer', 'current', 'sub/docs/out/x', 'sub/y'])
    repository.write(name, '');
  const dirt = async (root: string) =>
    (await lookAtGround(new GitCaller({ root, environment }), ['docs/out', 'current'])) as GoodGround;
  expect((await dirt(repository.root)).dirty.untracked).toBe(3);
  expect((await dirt(join(repository.root, 'sub'))).dirty.untracked).toBe(4);
});

it('200 hostile names are counted, and clash with nobody', async () => {
  const repository = new TestRepository({});
  const names = Array.from({ length: 200 }, (_, i) => {
    const odd = [
      ...'\n\t\r\\"\'`$;&|<>()[]{}*?!#~ -=:,%@^\u00e9\u202e\u{1f600}',
      '\x01',
      '\x7f',
      '--',
      '?? ',
      ' M ',
      '-z',
    ];
    return Buffer.concat([
      Buffer.from(`${odd[i % odd.length]}${odd[(i * 7) % odd.length]}${i}`),
      // Bytes that are no text.
      ...(i % 10 === 0 ? [Buffer.of(0xff, 0x80 + (i % 64))] : []),
    ]);
  });
  // Different, although neither is text.
  names.splice(0, 2, Buffer.of(0x58, 0xff), Buffer.of(0x78, 0xfe));
  const file = (name: Buffer) => Buffer.concat([Buffer.from(`${repository.root}/`), name]);
  for (const name of names) writeFileSync(file(name), 'x');
  expect(await good(repository.root)).toMatchObject({ dirty: { tracked: 0, untracked: 200 }, clashes: [] });
  repository.commit('all of them');
  for (const name of names) writeFileSync(file(name), 'changed');
  expect(await good(repository.root)).toMatchObject({ dirty: { tracked: 200, untracked: 0 }, clashes: [] });
});

it('a folder with an odd name', async () => {
  const repository = new TestRepository();
  const root = join(dirname(repository.root), 'a "b"\n c ');
  mkdirSync(root);
  repository.gitIn(root, 'clone', '-q', repository.root, '.');
  expect(await good(root)).toMatchObject({ top: root, prefix: '', isLinked: false });
});
