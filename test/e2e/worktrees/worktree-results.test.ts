// What a person does around runs with worktrees: reviews, lands, looks, restores, cleans up, and types commands inside of trees.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identify, isAlive } from '../../../src/agents/process/process-identity.ts';
import type { Started } from '../rig.ts';
import { GitWorkspace, merges } from './git-workspace.ts';

describe('between two runs', () => {
  it('work that waits for a review is merged by the next run, which nobody can make a shared one', async () => {
    const w = new GitWorkspace({ 'plan.yaml': 'tasks:\n  a: {prompt: x, review: human}\n' }, { a: 'echo a > a.txt' });
    expect((await w.run('run', 'plan.yaml')).code).toBe(4);
    const refused = await w.run('run', 'plan.yaml', '--isolation', 'shared');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('are not judged yet')]);
    expect((await w.run('approve', 'a')).code).toBe(0);
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, merges(ended)]).toEqual([0, ['a#1 merged']]);
    expect(w.result('a.txt')).toBe('a');
  });
});

describe('the setup of trees', () => {
  it('that fails twice pauses the plan with the end of its output, and costs no task a retry', async () => {
    const plan = (code: number) => `baseline: true
worktree: {setup: "echo one-package; echo not found >&2; exit ${code}"}
tasks:
  a: {prompt: x, retries: 0, check: "test -e a.txt"}
  b: {run: "true", retries: 0, needs: [a]}
  c: {prompt: x, retries: 0}
`;
    const w = new GitWorkspace({ 'plan.yaml': plan(7) }, { a: 'echo a > a.txt', c: 'echo c > c.txt' });
    const failed = await w.run('run', 'plan.yaml');
    expect([failed.code, failed.out]).toEqual([
      6,
      expect.stringMatching(/the setup of its tree \(.*\) ended with code 7: one-package not found/),
    ]);
    const paused =
      /the setup of trees \(echo one-package; .*\) failed twice in a row: not found; put it right, then: signalbox resume/;
    expect(failed.out.match(new RegExp(paused, 'g'))).toHaveLength(1);
    w.write('plan.yaml', plan(0));
    expect((await w.run('resume')).code).toBe(0);
    expect([(await w.run('run', 'plan.yaml')).code, w.result('a.txt'), w.result('c.txt')]).toEqual([0, 'a', 'c']);
    const { tasks } = (await w.run('status', '--json')).json;
    expect(tasks.map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it.each<[string, (w: GitWorkspace, first: Started) => Promise<unknown>]>([
    ['is ended when its run is stopped', (w) => w.run('stop', 'plan.yaml')],
    ['that outlived its runner is ended before it is done again', async (_, first) => first.kill('SIGKILL')],
  ])('%s', async (_, end) => {
    const w = new GitWorkspace({ 'plan.yaml': '' }, { a: 'echo a > a.txt' });
    const state = join(w.folder, '.signalbox');
    const setup = `test -e ${state}/quick || { echo $$ > ${state}/pid; mv ${state}/pid ${state}/began; exec sleep 600; }`;
    w.write('plan.yaml', `worktree: {setup: ${JSON.stringify(setup)}}\ntasks:\n  a: {prompt: x}\n`);
    const first = w.start('run', 'plan.yaml', '--json');
    await first.line(({ type }) => type === 'attempt-scheduled');
    await w.appears('.signalbox/began');
    const setupProcess = identify(Number(w.read('.signalbox/began')))!;
    await end(w, first);
    await first.ended;
    w.write('.signalbox/quick', '');
    expect([(await w.run('run', 'plan.yaml')).code, w.result('a.txt')]).toEqual([0, 'a']);
    expect(isAlive(setupProcess)).toBe(false);
  });
});

it('work that cannot be merged as it was left is found again, also behind a later attempt', async () => {
  const w = new GitWorkspace(
    { 'plan.yaml': 'tasks:\n  Ab: {prompt: x, retries: 1}\n' },
    {
      Ab: 'if test "$SIGNALBOX_ATTEMPT" = "Ab#1"; then git switch -qc mine; echo odd > odd.txt; else echo a > a.txt; fi',
    },
  );
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  const { saved } = (await w.run('saved', 'list', '--json')).json;
  expect(saved).toMatchObject([{ task: 'Ab', attempt: 'Ab#1', files: 1, id: expect.stringMatching(/\.left$/) }]);
  expect((await w.run('saved', 'restore', 'Ab#1')).code).toBe(0);
  expect(w.read('odd.txt')).toBe('odd\n');
});

describe('landing', () => {
  it('is done at the end of a complete run that asks for it, or refused with the reason and with what there is', async () => {
    const w = new GitWorkspace(
      { 'plan.yaml': 'land: merge\ntasks:\n  a: {prompt: x}\n', 'b.txt': 'old\n' },
      { a: 'echo a > a.txt; echo new > b.txt' },
    );
    w.write('b.txt', 'mine\n');
    const refused = await w.run('run', 'plan.yaml');
    expect([refused.code, refused.out]).toEqual([0, expect.stringContaining('not landed: b.txt would be overwritten')]);
    expect(refused.out).toContain('on signalbox/plan: 2 commits, 2 files (a.txt and b.txt)');
    w.git('checkout', '-q', 'b.txt');
    const again = await w.run('run', 'plan.yaml');
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('landed on main: 2 commits')]);
    expect([w.read('a.txt'), w.read('b.txt'), w.git('status', '--porcelain')]).toEqual(['a\n', 'new\n', '']);
  });

  it('without a branch to land on, tells what there is and how to take it', async () => {
    const w = new GitWorkspace({ 'plan.yaml': 'tasks:\n  a: {prompt: x}\n' }, { a: 'echo a > a.txt' });
    w.git('checkout', '-q', '--detach');
    const { code, out } = await w.run('run', 'plan.yaml');
    expect([code, out]).toEqual([0, expect.stringContaining('on signalbox/plan: 2 commits, 1 file (a.txt)')]);
    expect(out).toContain('git merge signalbox/plan');
  });
});

it('commands typed in the tree of results mean the workspace, and make no state there', async () => {
  const w = new GitWorkspace({ 'plan.yaml': 'tasks:\n  a: {prompt: x}\n' }, { a: 'echo a > a.txt' });
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  const [, tree] = /^worktree (.*integration)$/m.exec(w.git('worktree', 'list', '--porcelain'))!;
  expect((await w.startIn(tree!, {}, 'lock', 'try', 'a.txt', '--agent', 'ann').ended).code).toBe(0);
  expect((await w.run('lock', 'list')).out).toContain('ann  holds  a.txt');
  expect((await w.startIn(tree!, {}, 'status').ended).out).toContain('1 of 1 task completed');
  expect(existsSync(join(tree!, '.signalbox'))).toBe(false);
});
