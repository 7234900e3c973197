// `signalbox saved` over branches: every change that was not merged is found, shown and restored.
import { chmodSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';
import { ResultsWorkspace } from './results-rig.ts';

const branch = (task: string, n = 1) => `signalbox-attempts/plan/${task}.${n}`;
const listed = async (w: Workspace) =>
  (await w.run('saved', 'list', '--json')).json.saved.map(({ id, attempt, reason, files, commits }: Line) =>
    [id, attempt, reason, files, commits].join(' · '),
  );

/** `api#1` was not merged, `docs#1` was. */
async function withWork(result: 'conflict' | 'red' | null = 'conflict'): Promise<ResultsWorkspace> {
  const w = await new ResultsWorkspace({ 'gone.txt': 'gone\n', 'run.sh': 'x\n' }).begun();
  await w.scheduled('docs');
  const docs = w.tree('docs');
  writeFileSync(join(docs, 'docs.txt'), 'docs\n');
  const merged = w.commit('docs', docs);
  await w.scheduled('api');
  const tree = w.tree('api');
  writeFileSync(join(tree, 'a.txt'), 'two\n');
  writeFileSync(join(tree, 'new.txt'), 'new\n');
  rmSync(join(tree, 'gone.txt'));
  symlinkSync('a.txt', join(tree, 'link'));
  chmodSync(join(tree, 'run.sh'), 0o755);
  const head = w.commit('api', tree);
  await w.ended('api', 1, { branch: branch('api'), base: w.begin, head }, result);
  w.merge(branch('docs'));
  await w.ended('docs', 1, { branch: branch('docs'), base: w.begin, head: merged }, 'merged');
  return w;
}

it.each([
  ['conflict', 'in conflict with the results'],
  ['red', 'red when merged'],
  [null, 'not merged'],
] as const)('lists a branch that was not merged (%s), and none that was', async (result, reason) => {
  const w = await withWork(result);
  expect(await listed(w)).toEqual([`plan/api.1 · api#1 · ${reason} · 5 · 1`]);
  expect((await w.run('saved', 'list')).out).toMatch(new RegExp(`plan/api\\.1 .*${reason} \\(1 commit\\) +5\n`));
  w.write('other.md', '- [ ] a: A\n');
  const idsOf = async (plan: string) =>
    (await w.run('saved', '-p', plan, '--json')).json.saved.map(({ id }: Line) => id);
  expect([await idsOf('plan.md'), await idsOf('other.md')]).toEqual([['plan/api.1'], []]);
});

it('lists what was killed before its end was recorded, committed or not, and forgets none when the results are gone', async () => {
  const w = await new ResultsWorkspace().begun();
  await w.scheduled('api');
  const tree = w.tree('api');
  expect(await listed(w)).toEqual([]);
  writeFileSync(join(tree, 'new.txt'), 'new\n');
  expect(await listed(w)).toEqual(['plan/api.1 · api#1 · its end was not recorded · 1 · 0']);
  expect((await w.run('saved', 'show', 'api#1')).out).toContain('+new\n');
  w.commit('half', tree);
  expect(await listed(w)).toEqual(['plan/api.1 · api#1 · its end was not recorded · 1 · 1']);
  w.git('branch', '-D', 'signalbox/plan');
  expect(await listed(w)).toEqual(['plan/api.1 · api#1 · its end was not recorded · 1 · 1']);
});

it('lists what changed in a tree after it was merged', async () => {
  const w = await withWork();
  writeFileSync(join(w.trees, 'tasks/docs/late.txt'), 'late\n');
  expect(await listed(w)).toContain('plan/docs.1 · docs#1 · changed after it was merged · 1 · 0');
});

it('shows a branch as it shows copies', async () => {
  const w = await withWork();
  const { code, out } = await w.run('saved', 'show', 'plan/api.1');
  expect(code).toBe(0);
  expect(out).toContain(`plan/api.1: api#1 of plan.md`);
  expect(out).toContain(`Why: in conflict with the results\nBranch: ${branch('api')}\n`);
  expect(out).toContain('--- a.txt as it is now\n+++ a.txt as it was saved\n@@ -1,1 +1,1 @@\n-one\n+two\n');
  expect(out).toContain('gone.txt (deleted)\n  the attempt had deleted it\n');
  expect(out).toContain('link (new, a symlink to a.txt)');
  expect(out).toContain('signalbox saved restore plan/api.1 writes it back.\n');
});

it('restores a branch, and overwrites nothing that it is not told to', async () => {
  const w = await withWork();
  w.write('a.txt', 'mine\n');
  const refused = await w.run('saved', 'restore', 'plan/api.1');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(
    'nothing was restored: a.txt would be overwritten, and changed since plan/api.1 was saved',
  );
  expect([w.has('new.txt'), w.has('gone.txt'), w.read('a.txt')]).toEqual([false, true, 'mine\n']);
  const elsewhere = new Workspace();
  expect((await w.run('saved', 'restore', 'plan/api.1', '--to', join(elsewhere.folder, 'out'))).code).toBe(0);
  expect([elsewhere.read('out/a.txt'), elsewhere.read('out/new.txt'), elsewhere.has('out/gone.txt')]).toEqual([
    ...['two\n', 'new\n', false],
  ]);
  w.write('a.txt', 'one\n');
  const { json } = await w.run('saved', 'restore', 'api.1', '--json');
  expect(json).toMatchObject({ id: 'plan/api.1', to: w.root, deleted: ['gone.txt'], left: [] });
  expect([w.read('a.txt'), w.read('new.txt'), w.has('gone.txt')]).toEqual(['two\n', 'new\n', false]);
  expect(statSync(join(w.root, 'run.sh')).mode & 0o111).not.toBe(0);
  expect((await w.run('saved', 'restore', 'plan/api.1', '--json')).json.written).toEqual([]);
  expect(await listed(w)).toHaveLength(1);
});

it('answers an unknown id with the nearest', async () => {
  const w = await withWork();
  const { code, err } = await w.run('saved', 'show', 'plan/api.2');
  expect([code, err]).toEqual([2, 'signalbox: nothing was saved as plan/api.2\n  help: did you mean plan/api.1?\n']);
});
