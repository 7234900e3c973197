// An agent that works by hand under its own name does not decide about that work; another agent and a person do.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = 'tasks:\n  api: {retries: 0}\n  ui: {needs: [api]}\n  doc: {review: human}\n';
const claude = { SIGNALBOX_AGENT: 'claude-4711' };
const own = (task: string) => `${claude.SIGNALBOX_AGENT} worked on ${task} itself: another has to decide`;

async function begin(): Promise<Workspace> {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('set', 'plan.yaml');
  return w;
}

it('a failure: refused with the reason, nothing is recorded, and a person answers', async () => {
  const w = await begin();
  expect((await w.runWith(claude, 'mark-failed', 'api', '--error', 'no')).code).toBe(0);
  const before = (await w.run('events', 'plan.yaml', '--json')).lines.length;
  for (const answer of [['retry'], ['restructure', '--drop-need', 'ui:api']]) {
    const { code, err } = await w.runWith(claude, 'decide', 'd1', ...answer);
    expect([code, err]).toEqual([2, expect.stringContaining(own('api'))]);
    expect(err).toContain('signalbox decide d1');
  }
  expect((await w.run('events', 'plan.yaml', '--json')).lines).toHaveLength(before);
  // Looking at what would change is free.
  const shown = await w.runWith(claude, 'decide', 'd1', 'restructure', '--drop-need', 'ui:api', '--dry-run');
  expect([shown.code, shown.err]).toEqual([0, '']);
  expect((await w.run('decide', 'd1', 'retry')).code).toBe(0);
});

it('a review: neither approved nor rejected by who did the work, but by another agent', async () => {
  const w = await begin();
  expect((await w.runWith(claude, 'mark-complete', 'doc')).code).toBe(0);
  for (const verdict of [
    ['approve', 'doc'],
    ['reject', 'doc', '--reason', 'x'],
    ['decide', 'd1', 'approve'],
  ]) {
    const { code, err } = await w.runWith(claude, ...verdict);
    expect([code, err]).toEqual([2, expect.stringContaining(own('doc'))]);
  }
  expect((await w.runWith({ SIGNALBOX_AGENT: 'codex-12' }, 'approve', 'doc')).code).toBe(0);
});

it('a person who gave their own name as the name of an agent stays a person', async () => {
  const w = await begin();
  const ann = { USER: 'ann', SIGNALBOX_AGENT: 'ann' };
  expect((await w.runWith(ann, 'mark-complete', 'doc')).code).toBe(0);
  expect((await w.runWith(ann, 'approve', 'doc')).code).toBe(0);
});
