import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { makeTree } from '../trees/trees.ts';
import { compareFingerprints } from './compare-fingerprints.ts';
import { takeFingerprint } from './fingerprint.ts';

afterAll(removeRepositories);

const takeIn = (repository: TestRepository, root = repository.root) =>
  takeFingerprint({
    ...repository.caller.place,
    root,
    isApart: (path) => /(?:^|\/)(?:\.signalbox|outputs)\//.test(path.toString('latin1')),
  });

async function incidentsOf(repository: TestRepository, work: (repository: TestRepository) => unknown, root?: string) {
  const before = await takeIn(repository, root);
  await work(repository);
  return compareFingerprints(before, await takeIn(repository, root));
}

/** With a change of its own, a staged file, two stash entries and another branch. */
function busyRepository(): TestRepository {
  const repository = new TestRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'sub/c.txt': 'one\n' });
  for (const text of ['stashed', 'too']) {
    repository.write('a.txt', text);
    repository.git('stash');
  }
  repository.git('branch', 'other');
  repository.write('a.txt', 'two\n');
  repository.write('b.txt', 'two\n');
  repository.git('add', 'b.txt');
  return repository;
}

const hook = '#!/bin/sh\nexit 0\n';

it('leaves out files of which the attempt says that it wrote them', async () => {
  const repository = busyRepository();
  const before = await takeIn(repository);
  for (const name of ['sub/c.txt', 'näw.txt', 'other.txt']) repository.write(name, 'two\n');
  const found = compareFingerprints(before, await takeIn(repository), ['sub/c.txt', 'näw.txt']);
  expect(found.map(({ what }) => what)).toEqual(['files in your checkout changed: other.txt']);
});

describe('what an attempt leaves outside of its tree', () => {
  type Work = (repository: TestRepository) => unknown;
  it.each<[string, Work, readonly string[]]>([
    ['nothing', () => undefined, []],
    ['what a look at it leaves', (r) => r.git('status'), []],
    ['our own branches', (r) => [r.git('branch', 'signalbox/p'), r.git('branch', 'signalbox-attempts/p/a.1')], []],
    ['what Signalbox writes', (r) => [r.write('.signalbox/x', ''), r.write('outputs/status.json', '')], []],
    [
      'a setting',
      (r) => r.git('config', 'core.bare', 'true'),
      [
        'shared: the shared configuration of git changed: core.bare is true (it was false)',
        expect.stringMatching(
          /^checkout: nobody can see what changed in your checkout: git status ended with code 128/,
        ),
      ],
    ],
    [
      'settings that come and go',
      (r) => [r.git('config', 'user.name', 'evil'), r.git('config', '--unset', 'core.logAllRefUpdates')],
      [
        'shared: the shared configuration of git changed: core.logallrefupdates is gone (it was true) and user.name is evil (it was not set)',
      ],
    ],
    [
      'a configuration that git cannot read',
      (r) => appendFileSync(join(r.root, '.git/config'), '[broken'),
      [
        'shared: the shared configuration of git changed: git cannot read it any more',
        expect.stringMatching(/^checkout: nobody can see what changed in your checkout: git config ended with/),
      ],
    ],
    [
      'a comment in it',
      (r) => appendFileSync(join(r.root, '.git/config'), '# hello\n'),
      ['shared: the shared configuration of git changed: it means the same as before'],
    ],
    [
      'secrets in it',
      (r) => [
        r.git('config', 'remote.o.url', 'https://me:s3cret@host/x'),
        r.git('config', 'http.https://me:s3cret@host/.extraHeader', 'Authorization: s3cret'),
        r.git('config', 'credential.helper', '!echo s3cret'),
        r.git('config', 'x.y', 'see https://me:s3cret@host/'),
      ],
      [
        'shared: the shared configuration of git changed: remote.o.url is *** (it was not set), http.https://***@host/.extraheader is *** (it was not set), credential.helper is *** (it was not set) and x.y is see https://***@host/ (it was not set)',
      ],
    ],
    [
      'attributes and excludes of the repository',
      (r) => [r.write('.git/info/attributes', '* text\n'), r.write('.git/info/exclude', 'x\n')],
      ['shared: the shared configuration of git changed: info/exclude is another and info/attributes is another'],
    ],
    ['a hook', (r) => r.write('.git/hooks/pre-commit', hook), ['shared: the hook pre-commit was added']],
    ['a sample of a hook', (r) => r.write('.git/hooks/pre-commit.sample', hook), []],
    [
      'hooks elsewhere',
      (r) => r.git('config', 'core.hooksPath', '.husky'),
      ['shared: the shared configuration of git changed: core.hookspath is .husky (it was not set)'],
    ],
    [
      'the stash',
      (r) => [r.git('stash', 'drop')],
      ['shared: the stash, which all trees share, changed (2 before, 1 now)'],
    ],
    ['a file', (r) => r.write('sub/c.txt', 'two\n'), ['checkout: files in your checkout changed: sub/c.txt']],
    ['a changed file', (r) => r.write('a.txt', 'three\n'), ['checkout: files in your checkout changed: a.txt']],
    [
      'new and removed files',
      (r) => [r.write('näw "file"\n.txt', ''), rmSync(join(r.root, 'sub/c.txt'))],
      ['checkout: files in your checkout changed: näw "file"\n.txt and sub/c.txt'],
    ],
    [
      'the index',
      (r) => r.git('reset', '-q', 'b.txt'),
      ['checkout: files in your checkout changed: b.txt', 'checkout: the index of your checkout changed: b.txt'],
    ],
    [
      'a commit',
      (r) => r.git('commit', '-qam', 'x'),
      [expect.stringMatching(/^checkout: your checkout is on main, \w{8} now \(it was on main, \w{8}\)$/)],
    ],
    [
      'another branch',
      (r) => r.git('switch', '-q', '-c', 'new'),
      [expect.stringMatching(/^checkout: your checkout is on new, \w{8} now \(it was on main, \w{8}\)$/)],
    ],
    [
      'branches',
      (r) => [r.git('branch', '-D', 'other'), r.git('branch', 'mine')],
      ['checkout: branches changed: mine is new and other is gone'],
    ],
    [
      'no repository',
      (r) => rmSync(join(r.root, '.git'), { recursive: true }),
      [
        expect.stringContaining('the shared configuration of git changed: git cannot read it any more'),
        expect.stringContaining('the stash, which all trees share, changed (2 before, 0 now)'),
        'checkout: nobody can see what changed in your checkout: there is no repository',
      ],
    ],
  ])('%s', async (_, work, expected) => {
    const found = await incidentsOf(busyRepository(), work);
    expect(found.map(({ kind, what }) => `${kind}: ${what}`)).toEqual(expected);
  });

  it('is told with what it was before and after', async () => {
    const repository = busyRepository();
    const text = readFileSync(join(repository.root, '.git/config'));
    const [found] = await incidentsOf(repository, () => repository.git('config', 'core.hooksPath', '/evil'));
    expect(found!.texts).toEqual([
      { name: 'config', before: text, after: readFileSync(join(repository.root, '.git/config')) },
    ]);
  });

  it('is told of a hook that changes, may be run now, or goes', async () => {
    const repository = new TestRepository();
    const file = join(repository.root, '.git/hooks/pre-push');
    writeFileSync(file, hook);
    const whats = async (work: () => unknown) => (await incidentsOf(repository, work)).map(({ what }) => what);
    expect(await whats(() => chmodSync(file, 0o755))).toEqual(['the hook pre-push is another']);
    expect(await whats(() => writeFileSync(file, `${hook}# more`))).toEqual(['the hook pre-push is another']);
    expect(await whats(() => rmSync(file))).toEqual(['the hook pre-push was removed']);
  });

  it('is told of hooks where the configuration says that they are', async () => {
    const repository = new TestRepository({ '.gitignore': '.husky\n' });
    repository.git('config', 'core.hooksPath', '.husky/_');
    const [found, ...more] = await incidentsOf(repository, () => repository.write('.husky/_/pre-commit', hook));
    expect([found!.what, ...more]).toEqual([`the hook ${join(repository.root, '.husky/_/pre-commit')} was added`]);
  });

  it('is told of an included configuration', async () => {
    const repository = new TestRepository();
    repository.git('config', 'include.path', 'more');
    const found = await incidentsOf(repository, () => repository.write('.git/more', '[user]\n\tname = evil\n'));
    expect(found.map(({ what }) => what)).toEqual([
      'the shared configuration of git changed: user.name is evil (it was not set)',
    ]);
  });
});

describe('a fingerprint', () => {
  it('does not see what our own trees do', async () => {
    const repository = busyRepository();
    const commit = repository.head;
    const found = await incidentsOf(repository, async () => {
      const folder = join(repository.beside, 'a');
      await makeTree(repository.caller, { folder, commit, branch: 'signalbox-attempts/p/a.1' });
      repository.write('a.txt', 'in the tree\n', folder);
      repository.commit('work', folder);
    });
    expect(found).toEqual([]);
  });

  it('sees what an attempt does to shared state from its own tree', async () => {
    const repository = busyRepository();
    const folder = join(repository.beside, 'a');
    await makeTree(repository.caller, { folder, commit: repository.head, branch: 'signalbox-attempts/p/a.1' });
    const found = await incidentsOf(repository, () => {
      repository.gitIn(folder, 'config', 'user.email', 'a@b');
      repository.write('b.txt', 'other\n', folder);
      repository.gitIn(folder, 'stash');
    });
    expect(found.map(({ kind }) => kind)).toEqual(['shared', 'shared']);
  });

  it('is taken of a folder below the top, and of a workspace that is a worktree itself', async () => {
    const repository = busyRepository();
    mkdirSync(join(repository.root, 'sub/deep'));
    const below = await incidentsOf(repository, (r) => r.write('a.txt', 'x'), join(repository.root, 'sub/deep'));
    expect(below.map(({ what }) => what)).toEqual(['files in your checkout changed: a.txt']);
    const tree = join(repository.beside, 'theirs');
    repository.git('worktree', 'add', '-q', '-b', 'theirs', tree);
    const found = await incidentsOf(
      repository,
      (r) => [r.write('a.txt', 'seen', tree), r.write('b.txt', 'not seen'), r.git('config', 'a.b', 'c')],
      tree,
    );
    expect(found.map(({ what }) => what)).toEqual([
      'the shared configuration of git changed: a.b is c (it was not set)',
      'files in your checkout changed: a.txt',
    ]);
  });
});
