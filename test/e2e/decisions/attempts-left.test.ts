// How many attempts a task has: the same number for runs, for people, and for every command that tells it.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const reviewed = '- [ ] a: Write it\n  - review: human\n- [ ] b: Show it → a\n';

/** Rejected by a person, each time for another reason: the same one again and again would be a loop. */
async function rejectedByHand(times: number): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': reviewed });
  await w.run('set', 'plan.md');
  for (let n = 1; n <= times; n++) {
    expect((await w.run('mark-complete', 'a')).code).toBe(0);
    expect((await w.run('reject', 'a', '--reason', `${'wrong '.repeat(n)}${'abcdefgh'[n]}`)).code).toBe(0);
  }
  return w;
}

describe('five rejections by hand', () => {
  it('are the end: nothing starts a sixth attempt, and every command says the same', async () => {
    const w = await rejectedByHand(5);
    expect((await w.status()).a).toBe('failed');
    const started = await w.run('mark-started', 'a');
    expect([started.code, started.err]).toEqual([2, expect.stringContaining('a has no attempts left')]);
    expect((await w.run('mark-complete', 'a')).code).toBe(2);
    expect((await w.run('next', '--json')).json.tasks).toEqual([]);
    expect((await w.run('retryable', '--json')).json.tasks).toEqual([]);
    expect((await w.run('exhausted')).out).toContain('a  5 of 5 attempts used');
    expect((await w.run('mark-failed', 'a', '--error', 'no')).err).toContain('signalbox retry a');
  });

  it('leave the one more that a person grants, and it is listed until it is used', async () => {
    const w = await rejectedByHand(5);
    expect((await w.run('retry', 'a')).code).toBe(0);
    expect((await w.run('retryable')).out).toContain('a  5 of 6 attempts used');
    expect((await w.run('mark-started', 'a')).code).toBe(0);
    expect((await w.run('mark-failed', 'a', '--error', 'no')).code).toBe(0);
    expect((await w.run('exhausted')).out).toContain('a  6 of 6 attempts used');
    expect((await w.run('mark-started', 'a')).code).toBe(2);
  });

  it('count together with failures: the fifth of both is the last, and a person is asked', async () => {
    const w = await rejectedByHand(4);
    expect((await w.run('mark-started', 'a')).code).toBe(0);
    expect((await w.run('mark-failed', 'a', '--error', 'no')).out).toContain('needs a decision: task a failed');
    expect((await w.run('next', '--json')).json.tasks).toEqual([]);
    expect((await w.run('why', 'a', '--json')).json.reasons[0]).not.toHaveProperty('left');
  });
});
