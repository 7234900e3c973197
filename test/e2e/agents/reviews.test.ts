// People review attempts: approve, reject, and what is refused because it would prove nothing.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `---
order: explicit
---
- [ ] a: Write the text
  - run: \`echo x >> a.txt; signalbox approve a\`
  - review: human
  - accept: It is long enough
- [ ] b: Publish → a
  - run: \`true\`
`;

async function waiting(): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': plan.replace('; signalbox approve a', '') });
  expect((await w.run('run', 'plan.md')).code).toBe(4);
  return w;
}

describe('a review by a person', () => {
  it('is waited for, shown as a stage and as the reason', async () => {
    const w = await waiting();
    const { json } = await w.run('status', '--json');
    expect(json.tasks[0]).toMatchObject({ id: 'a', status: 'in_progress', stage: 'reviewing' });
    expect((await w.run('status')).out).toContain('in review');
    expect((await w.run('decide', 'a')).out).toContain('\n  - It is long enough\n');
    expect((await w.run('why', 'a', '--json')).json.reasons).toEqual([
      { kind: 'review', state: 'waiting', by: 'human', attempt: 'a#1', decision: 'd1' },
    ]);
  });

  it('approve completes the task', async () => {
    const w = await waiting();
    expect((await w.run('approve', 'a#1', '--reason', 'read it')).out).toContain('a#1 was approved by tester');
    expect(await w.status()).toMatchObject({ a: 'completed', b: 'pending' });
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('reject sends it back with the words, and the approval of the older attempt is refused', async () => {
    const w = await waiting();
    expect((await w.run('reject', 'a')).code).toBe(2);
    expect((await w.run('reject', 'a', '--reason', 'too short', '--severity', 'awful')).code).toBe(2);
    expect((await w.run('reject', 'a', '--reason', 'too short')).code).toBe(0);
    expect((await w.run('why', 'a')).out).toContain('was rejected (medium): too short. The next attempt is told.');
    expect((await w.run('retryable')).out).toContain('was rejected: too short');
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    const old = await w.run('approve', 'a#1');
    expect([old.code, old.err]).toEqual([2, expect.stringContaining('a#1 is not under review: a#2 is')]);
    expect(await w.status()).toMatchObject({ a: 'in_progress' });
  });

  it('reject with high severity makes it a decision', async () => {
    const w = await waiting();
    await w.run('reject', 'a', '--reason', 'not what was asked for', '--severity', 'high');
    const { out } = await w.run('decide', 'a');
    expect(out).toContain('Task a was rejected with high severity. This blocks b.');
    expect(out).toContain('- not what was asked for');
  });

  it('is refused to the attempt itself, before and after it has ended', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code } = await w.run('run', 'plan.md');
    // Its own approval was refused and made it fail; so it is tried again, and in the end it is failed.
    expect(code).toBe(5);
    const later = await waiting();
    for (const typed of [
      ['approve', 'a'],
      ['decide', 'd1', 'approve'],
      ['reject', 'a', '--reason', 'x'],
    ]) {
      const own = await later.runWith({ SIGNALBOX_ATTEMPT: 'a#1', SIGNALBOX_PLAN: 'plan.md' }, ...typed);
      expect([own.code, own.err]).toEqual([2, expect.stringContaining('a#1 is not known here')]);
    }
    expect(await later.status()).toMatchObject({ a: 'in_progress' });
  });

  it('is refused where nobody waits for it', async () => {
    const w = await waiting();
    expect((await w.run('approve', 'b')).err).toContain('b does not wait for a review by a person: it is pending');
    expect((await w.run('approve', 'c')).err).toContain('has no task "c"');
    await w.run('approve', 'a');
    const second = await w.run('approve', 'a');
    expect([second.code, second.err]).toEqual([2, expect.stringContaining('it is completed')]);
  });
});
