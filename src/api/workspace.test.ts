// Where the workspace is for somebody in a tree. How it is found elsewhere is tested with processes (test/e2e/trust).
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../test/rigs/repository.ts';
import { markTree } from '../git/trees/tree-marker.ts';
import { findRoot, planPathOf, type Whereabouts, type Workspace } from './workspace.ts';

/** Settings are committed, so every tree has them too. */
const files = { 'signalbox.yaml': '', 'plan.md': '', 'docs/plan.md': '', 'app/signalbox.yaml': '', 'app/plan.md': '' };
const places: Record<string, string> = {};

beforeAll(() => {
  const repository = new TestRepository(files);
  const { root, beside } = repository;
  const tree = (name: string, of: string | null): string => {
    const folder = join(beside, name);
    repository.git('worktree', 'add', '-q', '--detach', folder);
    if (of !== null) markTree(folder, of);
    return folder;
  };
  Object.assign(places, { root, app: join(root, 'app'), elsewhere: beside });
  Object.assign(places, { tree: tree('a', root), other: tree('b', root), theirs: tree('c', null) });
  places.appTree = tree('d', join(root, 'app'));
  repository.gitIn(places.tree!, 'init', '-q', 'nested');
  mkdirSync(join(places.tree!, '.signalbox'));
  symlinkSync(join(places.tree!, 'docs'), join(beside, 'link'));
  expect(realpathSync(beside)).toBe(beside);
});
afterAll(removeRepositories);

/** `tree/docs` is the folder `docs` in the place `tree`. */
function at(text: string): string {
  const [name = '', ...way] = text.split('/');
  return join(places[name] ?? `/${name}`, ...way);
}

const inPlace = ({ given, tree, plan }: Whereabouts): Whereabouts => ({
  given: given && at(given),
  tree: tree && at(tree),
  plan,
});

it.each<[string, string, string, Whereabouts?]>([
  ['a person in a tree', 'tree', 'root'],
  ['in a folder of it', 'tree/docs', 'root'],
  ['in a repository inside of it', 'tree/nested', 'root'],
  ['behind a link to it', 'elsewhere/link', 'root'],
  ['in the tree of a workspace below the git root', 'appTree/app', 'app'],
  ['beside the workspace in that tree', 'appTree/docs', 'app'],
  ['in a worktree that the person made', 'theirs', 'theirs'],
  ['in a folder with settings there', 'theirs/app', 'theirs/app'],
  ['in the workspace', 'root/docs', 'root'],
  ['who names a plan in a tree', 'elsewhere', 'root', { plan: 'a/docs/plan.md' }],
  ['who names a plan in a tree that is not there', 'tree', 'root', { plan: 'none.md' }],
  ['in a tree who names a plan elsewhere', 'tree', 'theirs', { plan: '../c/plan.md' }],
  ['whose environment names a tree', 'tree', 'root', { given: 'tree' }],
  ['in a tree of another workspace than the given one', 'appTree', 'app', { given: 'theirs' }],
])('%s: %s belongs to %s', (_, from, root, where = {}) => {
  expect(findRoot(at(from), inPlace(where)).root).toBe(at(root));
});

it.each<[string, string, string, boolean, Whereabouts]>([
  ['in its tree', 'tree/docs', 'root', true, { given: 'root', tree: 'tree' }],
  ['in the workspace', 'root/docs', 'root', true, { given: 'root', tree: 'tree' }],
  ['in its tree, in a repository of its own', 'tree/nested', 'root', true, { given: 'root', tree: 'tree' }],
  ['in its tree behind a link', 'elsewhere/link', 'root', true, { given: 'root', tree: 'tree' }],
  ['in the tree of another task', 'other', 'root', false, { given: 'root', tree: 'tree' }],
  ['at the top of its tree', 'appTree', 'app', false, { given: 'app', tree: 'appTree/app' }],
  ['elsewhere', 'theirs', 'theirs', false, { given: 'root', tree: 'tree' }],
  ['where its tree has no mark', 'theirs', 'root', true, { given: 'root', tree: 'theirs' }],
])('an attempt %s: %s belongs to %s', (_, from, root, isGiven, where) => {
  expect(findRoot(at(from), inPlace(where))).toEqual({ root: at(root), isGiven });
});

it('a tree alone, without a workspace, gives nothing', () => {
  expect(findRoot(at('theirs'), { tree: at('root') })).toEqual({ root: at('theirs'), isGiven: false });
});

it.each<[string, string, string, string]>([
  ['root', 'tree', 'plan.md', 'plan.md'],
  ['root', 'tree/docs', 'plan.md', 'docs/plan.md'],
  ['root', 'tree/docs', '../none.md', 'none.md'],
  ['root', 'elsewhere', 'a/docs/plan.md', 'docs/plan.md'],
  ['root', 'elsewhere/link', 'plan.md', 'docs/plan.md'],
  ['root', 'tree', '../b/plan.md', 'plan.md'],
  ['app', 'appTree/app', 'plan.md', 'plan.md'],
  ['app', 'appTree', 'app/plan.md', 'plan.md'],
  ['root', 'root/docs', 'plan.md', 'docs/plan.md'],
])('in the workspace %s, from %s, %s is the plan %s', (root, cwd, file, plan) => {
  expect(planPathOf({ root: at(root) } as Workspace, at(cwd), file)).toBe(plan);
});

it.each([
  ['app', 'appTree', 'plan.md'],
  ['root', 'theirs', 'plan.md'],
  ['root', 'appTree', 'plan.md'],
])('in the workspace %s, from %s, %s is outside', (root, cwd, file) => {
  expect(() => planPathOf({ root: at(root) } as Workspace, at(cwd), file)).toThrow('is outside the workspace');
});

it('a workspace that everybody can write to is refused in its trees too', () => {
  const settings = join(at('app'), 'signalbox.yaml');
  chmodSync(settings, 0o666);
  expect(() => findRoot(at('appTree'))).toThrow(`everybody on this machine can write to ${settings}`);
  chmodSync(settings, 0o644);
  expect(findRoot(at('appTree')).root).toBe(at('app'));
});
