// One file has one key in the workspace and in all of its trees, however it is said. Real files, real worktrees.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { markTree } from '../../git/trees/tree-marker.ts';
import { inTree } from '../../runner/attempts/audit-writes.ts';
import { keyWithoutLinks, lockKey } from './lock-key.ts';

afterAll(removeRepositories);

const beside: [string, string][] = [
  ['{one}', '{oneTop}/beside/x.ts'],
  ['{oneTop}', 'beside/x.ts'],
];

/** With the workspace at the top of the repository, and below it: `prefix` ends with a slash. */
describe.each(['', 'apps/web/'])('with the workspace at "%s" of the repository', (prefix) => {
  const is: Record<string, string> = {};

  beforeAll(() => {
    const repository = new TestRepository({
      [`${prefix}src/a.ts`]: '',
      [`${prefix}src/deep/c.ts`]: '',
      'beside/x.ts': '',
    });
    symlinkSync('src', join(repository.root, prefix, 'link'));
    symlinkSync('a.ts', join(repository.root, prefix, 'src/same.ts'));
    symlinkSync('gen/new.ts', join(repository.root, prefix, 'later.ts'));
    repository.commit('links');
    is.root = join(repository.root, prefix.replace(/\/$/, ''));
    // A person may want the trees inside of the workspace.
    for (const name of ['one', 'two', 'theirs', 'inside']) {
      is[`${name}Top`] = join(name === 'inside' ? is.root : repository.beside, name);
      is[name] = join(is[`${name}Top`]!, prefix.replace(/\/$/, ''));
      repository.git('worktree', 'add', '-q', '--detach', is[`${name}Top`]!);
      if (name !== 'theirs') markTree(is[`${name}Top`]!, is.root);
    }
    // Only in one tree: the agent made it there, and it leads into the workspace.
    symlinkSync(join(is.root, 'src'), join(is.one!, 'back'));
    symlinkSync(is.one!, join(repository.beside, 'byLink'));
    is.byLink = join(repository.beside, 'byLink');
    mkdirSync(join(is.two!, 'only-here'));
  });

  /** `{one}/src` starts at the workspace's place in that tree, `{oneTop}` at the top of the tree. */
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => is[name] ?? name);
  const key = (cwd: string, text: string) => lockKey(filled(text), { root: is.root!, cwd: filled(cwd) });

  it.each([
    ['{root}', 'src/a.ts'],
    ['{root}/src/deep', '../a.ts'],
    ['{root}', '{root}/src/a.ts'],
    ['{root}', '{one}/src/a.ts'],
    ['{one}', 'src/a.ts'],
    ['{one}', './src/../src/a.ts'],
    ['{one}/src/deep', '../a.ts'],
    ['{one}', '{one}/src/a.ts'],
    ['{one}', '{root}/src/a.ts'],
    ['{one}', '{two}/src/a.ts'],
    ['{one}', 'link/a.ts'],
    ['{one}', 'link/same.ts'],
    ['{one}', '{two}/link/same.ts'],
    ['{one}', 'back/a.ts'],
    ['{one}/link', 'a.ts'],
    ['{two}', 'src/a.ts'],
    ['{two}/src', 'same.ts'],
    ['{two}', '{byLink}/src/a.ts'],
    ['{byLink}', 'src/a.ts'],
    ['/', '{one}/src/a.ts'],
    ['{inside}', 'src/a.ts'],
    ['{root}', '{inside}/src/a.ts'],
    ['{oneTop}', `${prefix}src/a.ts`],
  ])('from %s, %s is src/a.ts', (cwd, text) => {
    expect(key(cwd, text)).toBe('src/a.ts');
  });

  it.each([
    ['{one}', 'gen/new.ts', 'gen/new.ts'],
    ['{one}', 'later.ts', 'gen/new.ts'],
    ['{two}', 'link/not/yet.ts', 'src/not/yet.ts'],
    ['{two}/only-here', 'x.ts', 'only-here/x.ts'],
    ['{root}', 'only-here/x.ts', 'only-here/x.ts'],
    ['{one}', 'link/', 'src/**'],
    ['{one}', 'link/*.ts', 'src/*.ts'],
    ['{one}/src', '**', 'src/**'],
    ['{one}/src', '{one}/**', '**'],
    ['{one}', '.', '**'],
    ['{one}/src', '..', '**'],
    ['{one}', 'db:test', 'db:test'],
    ['{one}', './db:test', './db:test'],
    ['{one}', 'a \\{1\\}.ts', 'a \\{1\\}.ts'],
  ])('from %s, %s is %s', (cwd, text, expected) => {
    expect(key(cwd, text)).toBe(expected);
    // The same words in the other tree and in the workspace mean the same.
    for (const place of ['{two}', '{root}'])
      if (!cwd.includes('only-here')) expect(key(cwd.replace('{one}', place), text)).toBe(expected);
  });

  it.each<readonly [string, string]>([
    ['{one}', '{theirs}/src/a.ts'],
    ['{theirs}', 'src/a.ts'],
    ['{one}', '{oneTop}/../x.ts'],
    ['{one}', '/etc/passwd'],
    ...(prefix === '' ? [] : beside),
  ])('from %s, %s is outside', (cwd, text) => {
    expect(() => key(cwd, text)).toThrow(`is outside the workspace ${is.root}`);
  });

  it('a lock that was taken before a link came into its way has the key that it had then', () => {
    const keyThen = (cwd: string, text: string) => keyWithoutLinks(filled(text), { root: is.root!, cwd: filled(cwd) });
    for (const [cwd, text] of [
      ['{root}', 'link/a.ts'],
      ['{one}', 'link/a.ts'],
      ['{one}/src', '../link/a.ts'],
      ['/', '{two}/link/a.ts'],
    ] as const)
      expect(keyThen(cwd, text), `${cwd} ${text}`).toBe('link/a.ts');
    expect(keyThen('{one}', '{theirs}/link/a.ts')).toBeNull();
  });

  it('a file that an agent says it wrote has one name too', () => {
    for (const file of ['src/a.ts', ...['root', 'one', 'two', 'inside'].map((name) => `{${name}}/src/a.ts`)])
      expect(inTree(is.root!, filled(file)), file).toBe('src/a.ts');
    for (const file of ['{theirs}/src/a.ts', '{oneTop}/.git', '{one}', '{one}/.signalbox/x'])
      expect(inTree(is.root!, filled(file)), file).toBeNull();
  });
});
