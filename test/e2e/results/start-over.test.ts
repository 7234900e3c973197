// A plan with worktrees is started over: its results get another name, what was not merged is still found, and the next run begins where
// the person's branch stands.
import { describe, expect, it } from 'vitest';
import { GitWorkspace } from '../worktrees/git-workspace.ts';

const plan = '- [ ] a: Work\n- [ ] b: Fail → a\n  - retries: 0\n';
const work = { a: 'echo "$SIGNALBOX_ATTEMPT" > a.txt', b: 'echo half > b.txt; exit 1' };
const branches = (w: GitWorkspace) => w.git('branch', '--format=%(refname:short)', '--list', 'signalbox/*').split('\n');

async function ended(): Promise<GitWorkspace> {
  const w = new GitWorkspace({ 'plan.md': plan }, work);
  expect((await w.run('run', 'plan.md')).code).toBe(1);
  return w;
}

describe('results of the round before', () => {
  it('are kept on another branch, and the new round does not have them', async () => {
    const w = await ended();
    const tip = w.git('rev-parse', 'signalbox/plan');
    const own = w.own();
    const { json } = await w.run('reset', '--yes', '--json');
    expect(json.results).toEqual({ branch: 'signalbox/plan', kept: 'signalbox/plan.1', commits: 2 });
    expect([branches(w), w.git('rev-parse', 'signalbox/plan.1')]).toEqual([['signalbox/plan.1'], tip]);
    // What b left was not merged; what a did was.
    expect((await w.run('saved', 'list', '--json')).json.saved).toMatchObject([{ attempt: 'b#1', files: 1 }]);
    expect((await w.run('diff', 'a#1', '--json')).json.files).toMatchObject([{ path: 'a.txt' }]);
    expect((await w.run('land', '--json')).json).toMatchObject({
      ...{ result: 'nothing', because: expect.stringContaining('git merge signalbox/plan.1') },
    });
    await w.run('run', 'plan.md');
    expect(w.result('a.txt')).toBe('a#2');
    expect(w.git('merge-base', 'signalbox/plan', 'signalbox/plan.1')).toBe(w.git('rev-parse', 'main'));
    expect((await w.run('saved', 'list', '--json')).json.saved).toMatchObject([{ attempt: 'b#1' }, { attempt: 'b#2' }]);
    expect((await w.run('reset', '--yes', '--json')).json.results.kept).toBe('signalbox/plan.2');
    expect([branches(w), w.own()]).toEqual([['signalbox/plan.1', 'signalbox/plan.2'], own]);
  });

  it('need no other name when they have landed', async () => {
    const w = await ended();
    await w.run('land');
    const { json } = await w.run('reset', '--yes', '--json');
    expect(json.results).toEqual({ branch: 'signalbox/plan', kept: null, commits: 0 });
    // On another branch of the person, which does not have them, the new round does not have them either.
    w.git('switch', '-q', '-c', 'other', 'main~1');
    await w.run('run', 'plan.md');
    expect(w.git('merge-base', 'signalbox/plan', 'other')).toBe(w.git('rev-parse', 'other'));
    expect(w.git('log', '--format=%s', 'other..signalbox/plan').split('\n')).toEqual(['Merge a#2: Work', 'a: Work']);
  });

  it('do not come back when the reset was killed before the old name was gone', async () => {
    const w = await ended();
    const tip = w.git('rev-parse', 'signalbox/plan');
    await w.run('reset', '--yes');
    w.git('branch', 'signalbox/plan', tip);
    await w.run('run', 'plan.md');
    expect(w.git('merge-base', 'signalbox/plan', tip)).toBe(w.git('rev-parse', 'main'));
  });

  it('keep a name that a killed reset has made, and none that is somebody else’s', async () => {
    const w = await ended();
    const tip = w.git('rev-parse', 'signalbox/plan');
    w.git('branch', 'signalbox/plan.1', tip);
    expect((await w.run('reset', '--json')).json.results.kept).toBe('signalbox/plan.1');
    w.git('branch', '-f', 'signalbox/plan.1', 'main');
    expect((await w.run('reset', '--yes', '--json')).json.results.kept).toBe('signalbox/plan.1-2');
    expect(w.git('rev-parse', 'signalbox/plan.1-2')).toBe(tip);
  });

  it('stay under their name where somebody has checked it out', async () => {
    const w = await ended();
    w.git('worktree', 'add', '-q', `${w.folder}/../${w.folder.split('/').at(-1)}-out`, 'signalbox/plan');
    expect((await w.run('reset', '--yes')).code).toBe(0);
    expect(branches(w)).toEqual(['signalbox/plan', 'signalbox/plan.1']);
  });
});
