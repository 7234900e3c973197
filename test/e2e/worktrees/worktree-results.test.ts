// What a person does around runs with worktrees: reviews, lands, looks, restores, cleans up, and types commands inside of trees.
import { describe, expect, it } from 'vitest';
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
  it('that fails is shown with the end of its output, and blames no task once it works', async () => {
    const plan = (code: number) => `baseline: true
worktree: {setup: "echo one-package; echo not found >&2; exit ${code}"}
tasks:
  a: {prompt: x, retries: 0, check: "test -e a.txt"}
`;
    const w = new GitWorkspace({ 'plan.yaml': plan(7) }, { a: 'echo a > a.txt' });
    const failed = await w.run('run', 'plan.yaml');
    expect([failed.code, failed.out]).toEqual([
      1,
      expect.stringMatching(/the setup of its tree \(.*\) ended with code 7: one-package not found/),
    ]);
    w.write('plan.yaml', plan(0));
    expect((await w.run('retry', 'a')).code).toBe(0);
    expect([(await w.run('run', 'plan.yaml')).code, w.result('a.txt')]).toEqual([0, 'a']);
  });
});
