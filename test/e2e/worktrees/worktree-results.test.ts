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
