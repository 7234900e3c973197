// The workspace comes from the plan that is named, and is told when it is not the current folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = 'tasks: {a: {run: "pwd > where"}}\n';

it('is the repository of the plan, not the folder around it', async () => {
  const w = new Workspace({ 'repo/docs/p.yaml': plan });
  execFileSync('git', ['init', '-q', join(w.folder, 'repo')]);
  const { code, out, err } = await w.run('run', 'repo/docs/p.yaml');
  expect([code, err]).toEqual([0, `workspace: ${join(w.folder, 'repo')}\n`]);
  expect(out).not.toContain('workspace:');
  expect([w.has('.signalbox'), w.has('where'), w.has('repo/.signalbox')]).toEqual([false, false, true]);
  expect(w.read('repo/where')).toBe(`${join(w.folder, 'repo')}\n`);
  const status = await w.run('status', 'repo/docs/p.yaml', '--json');
  expect(status.json.plan).toBe('docs/p.yaml');
  expect((await w.run('status', '--plan', 'repo/docs/p.yaml')).code).toBe(0);
});

it('is the folder with settings or state above the plan', async () => {
  const w = new Workspace({ 'site/signalbox.yaml': '', 'site/plans/p.yaml': plan, 'other/here': '' });
  const { code } = await w.startIn(join(w.folder, 'other'), {}, 'run', '../site/plans/p.yaml').ended;
  expect([code, w.has('site/where'), w.has('other/.signalbox')]).toEqual([0, true, false]);
});

it('is the current folder when nothing else is found and it contains the plan, else the folder of the plan', async () => {
  const w = new Workspace({ 'plans/p.yaml': plan, 'other/here': '' });
  expect((await w.run('run', 'plans/p.yaml')).err).toBe('');
  expect([w.has('where'), w.has('plans/where')]).toEqual([true, false]);
  const fresh = new Workspace({ 'plans/p.yaml': plan, 'other/here': '' });
  const { code, err } = await fresh.startIn(join(fresh.folder, 'other'), {}, 'run', '../plans/p.yaml').ended;
  expect([code, err]).toEqual([0, `workspace: ${join(fresh.folder, 'plans')}\n`]);
  expect([fresh.has('plans/where'), fresh.has('other/.signalbox')]).toEqual([true, false]);
});

it('is found behind a link to the folder of the plan', async () => {
  const w = new Workspace({ 'repo/docs/p.yaml': plan });
  execFileSync('git', ['init', '-q', join(w.folder, 'repo')]);
  mkdirSync(join(w.folder, 'here'));
  symlinkSync('../repo/docs', join(w.folder, 'here', 'link'));
  const { code } = await w.startIn(join(w.folder, 'here'), {}, 'run', 'link/p.yaml').ended;
  expect([code, w.has('repo/where')]).toEqual([0, true]);
});

it('is not looked for beyond the git root', async () => {
  const w = new Workspace({ 'signalbox.yaml': '', 'repo/p.yaml': plan });
  execFileSync('git', ['init', '-q', join(w.folder, 'repo')]);
  const { code } = await w.startIn(join(w.folder, 'repo'), {}, 'run', 'p.yaml').ended;
  expect([code, w.has('.signalbox'), w.has('repo/.signalbox')]).toEqual([0, false, true]);
});

it('stays that of the runner inside an attempt', async () => {
  const inner =
    'signalbox status --plan $SIGNALBOX_PLAN --json > status.json; mkdir -p sub; cd sub; signalbox lock try x';
  const w = new Workspace({ 'plan.yaml': `tasks: {a: {run: "${inner}"}}\n` });
  const { code, err } = await w.run('run', 'plan.yaml');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(w.read('status.json')).plan).toBe('plan.yaml');
});

/** A parent that is no repository, with a repository in it. */
function parent() {
  const w = new Workspace({ 'repo/docs/p.yaml': plan });
  execFileSync('git', ['init', '-q', join(w.folder, 'repo')]);
  return w;
}

it('comes from SIGNALBOX_PLAN too, seen from the current folder, unless the workspace is named', async () => {
  const w = parent();
  const named = { SIGNALBOX_PLAN: 'repo/docs/p.yaml' };
  const { code, err } = await w.runWith(named, 'run');
  expect([code, err]).toEqual([0, `workspace: ${join(w.folder, 'repo')}\n`]);
  expect([w.has('.signalbox'), w.has('repo/.signalbox')]).toEqual([false, true]);
  expect((await w.runWith(named, 'status', '--json')).json.plan).toBe('docs/p.yaml');
  // As seen from the root, it is not there from a folder below.
  const below = w.startIn(join(w.folder, 'repo', 'docs'), { SIGNALBOX_PLAN: 'docs/p.yaml' }, 'status', '--json');
  expect((await below.ended).json.plan).toBe('docs/p.yaml');
  const given = { SIGNALBOX_WORKSPACE: w.folder, ...named };
  expect((await w.runWith(given, 'run')).code).toBe(0);
  expect(w.has('.signalbox')).toBe(true);
});

it('is the same for resume as for pause', async () => {
  const w = parent();
  expect((await w.run('pause', 'repo/docs/p.yaml')).code).toBe(0);
  const { code, out, err } = await w.run('resume', 'repo/docs/p.yaml');
  expect([code, out, err]).toEqual([
    0,
    expect.stringContaining('the plan was resumed'),
    `workspace: ${join(w.folder, 'repo')}\n`,
  ]);
  expect(w.has('.signalbox')).toBe(false);
});

it('check and fmt take the plan that is meant', async () => {
  const w = new Workspace({ 'p.yaml': plan, 'q.yaml': 'tasks: {b: {run: "true"}}\n' });
  for (const name of ['check', 'fmt']) expect([name, (await w.run(name)).code]).toEqual([name, 2]);
  expect((await w.runWith({ SIGNALBOX_PLAN: 'q.yaml' }, 'check', '--json')).json.plan).toBe('q.yaml');
  await w.run('set', 'p.yaml');
  expect((await w.run('check', '--json')).json.plan).toBe('p.yaml');
  expect((await w.run('fmt', '--check', '--json')).json.plan).toBe('p.yaml');
  expect((await w.run('check', '--plan', 'q.yaml', '--json')).json.plan).toBe('q.yaml');
});
