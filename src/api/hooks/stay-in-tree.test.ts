// What the hook lets an attempt edit that has a tree of its own. Real worktrees, in a temporary folder: what lies there may be written as
// such, and a checkout may not.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { markTree } from '../../git/trees/tree-marker.ts';
import { leavesTree, type TreeBounds } from './stay-in-tree.ts';

afterAll(removeRepositories);

describe.each(['', 'apps/web'])('with the workspace at "%s" of the repository', (prefix) => {
  const is: Record<string, string> = {};
  let bounds: TreeBounds;

  beforeAll(() => {
    const repository = new TestRepository({ [join(prefix, 'src/a.ts')]: '', 'beside/x.ts': '' });
    const { root: top, beside: trees } = repository;
    Object.assign(is, { top, trees, root: join(top, prefix), state: join(top, prefix, '.signalbox') });
    for (const name of ['own', 'other']) {
      is[`${name}Top`] = join(trees, 'tasks', name);
      is[name] = join(trees, 'tasks', name, prefix);
      repository.git('worktree', 'add', '-q', '--detach', is[`${name}Top`]!);
      markTree(is[`${name}Top`]!, is.root!);
    }
    is.user = join(trees, '../user');
    is.home = join(trees, '../home');
    for (const folder of [is.state!, is.user, is.home]) mkdirSync(folder);
    symlinkSync(join(is.root!, 'src'), join(is.own!, 'out'));
    symlinkSync(is.otherTop!, join(is.own!, 'neighbour'));
    symlinkSync('src', join(is.own!, 'inside'));
    symlinkSync('/etc', join(is.own!, 'etc'));
    symlinkSync(is.own!, join(trees, '../link'));
    is.link = join(trees, '../link');
    bounds = {
      ...{ tree: is.own!, prefix, trees, homes: ['/usr/agent'], temporary: '/srv/temporary' },
      workspace: { root: is.root!, stateFolder: is.state!, userFolder: is.user },
    };
  });

  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => is[name]!);
  const asked = (path: string, cwd = '{own}', more: Partial<TreeBounds> = {}) =>
    leavesTree([filled(path)], filled(cwd), { ...bounds, ...more });

  it.each([
    ['src/a.ts'],
    ['src/new/file.ts'],
    ['{own}/src/a.ts'],
    ['inside/a.ts'],
    ['../a.ts', '{own}/src'],
    ['src/a.ts', ''],
    ['src/a.ts', '{link}'],
    ['{ownTop}/beside/x.ts'],
    ['.gitignore'],
    [`/tmp/signalbox-scratch/x`],
    ['/var/tmp/x'],
    ['/srv/temporary/x'],
    ['/usr/agent/notes.md'],
    ['{home}/notes.md'],
  ])('%s from %s may be edited', (path, cwd = '{own}') => {
    expect(asked(path, cwd)).toBeNull();
  });

  it.each([
    ['{root}/src/a.ts', '{own}', '{own}/src/a.ts'],
    ['{top}/beside/x.ts', '{own}', '{ownTop}/beside/x.ts'],
    ['src/new.ts', '{root}', '{own}/src/new.ts'],
    ['{other}/src/a.ts', '{own}', '{own}/src/a.ts'],
    ['../other/new.ts', '{ownTop}', '{ownTop}/new.ts'],
    ['new.ts', '{other}', '{own}/new.ts'],
  ])('%s from %s is another checkout: %s is meant', (path, cwd, instead) => {
    expect(asked(path, cwd)).toMatch(/^\S+ is in another checkout, where others work\./);
    expect(asked(path, cwd)).toContain(filled(`Your tree is {ownTop}: write to ${instead} instead.`));
  });

  it.each([
    ['out/a.ts', '{root}/src/a.ts', 'is in another checkout'],
    ['out/new.ts', '{root}/src/new.ts', 'is in another checkout'],
    ['neighbour/beside/x.ts', '{otherTop}/beside/x.ts', 'is in another checkout'],
    ['etc/x', '/etc/x', 'is outside of your tree'],
  ])('%s leads out: to %s, which %s', (path, real, words) => {
    expect(asked(path)).toContain(filled(`{own}/${path} leads to ${real}, which ${words}`));
  });

  it.each([
    ['/etc/x', 'is outside of your tree. Write below {ownTop}; what is only temporary can lie in /srv/temporary.'],
    ['{ownTop}/.git', 'belongs to git.'],
    ['{top}/.git/hooks/post-commit', 'belongs to git.'],
    ['{otherTop}/.git', 'belongs to git.'],
    ['{trees}/x', 'belongs to Signalbox.'],
    ['{state}/state.db', 'belongs to Signalbox.'],
    ['{user}/trusted', 'belongs to Signalbox.'],
  ])('%s: %s', (path, words) => {
    expect(asked(path)).toContain(`${filled(path)} ${filled(words)}`);
  });

  it('one file that may not be edited denies the edit of all', () => {
    expect(leavesTree(['src/a.ts', filled('{root}/src/a.ts')], is.own!, bounds)).toContain('another checkout');
  });

  it('without a temporary folder of its own, it is told of the usual one', () => {
    expect(asked('/etc/x', '{own}', { temporary: undefined })).toContain('can lie in /tmp.');
  });

  it('a folder that is named from somewhere is no folder that may be written', () => {
    const there = relative(process.cwd(), '/etc');
    expect(asked('/etc/x', '{own}', { temporary: there, homes: [there] })).toContain('is outside');
  });
});
