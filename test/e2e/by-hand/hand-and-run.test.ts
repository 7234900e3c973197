// Runs of plans of which some was done by hand: what a person is at is left to them, and what they failed is tried again.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

it('performs only what it has to: what is done by hand, set aside or has failed needs no agent', async () => {
  const w = new Workspace({
    'plan.md':
      '---\nretries: 0\norder: explicit\n---\n# P\n- [ ] a: A\n- [ ] b: B\n  - run: `touch b-ran`\n- [ ] c: C\n- [ ] d: D\n',
  });
  await w.run('set', 'plan.md');
  await w.run('mark-started', 'a');
  await w.run('suspend', 'c');
  await w.run('mark-failed', 'd', '--error', 'no');
  const run = await w.run('run', '--json');
  expect([run.code, run.json.outcome, w.has('b-ran'), run.err]).toEqual([4, 'waiting', true, '']);
  expect(await w.status()).toEqual({ a: 'in_progress', b: 'completed', c: 'suspended', d: 'failed' });
  await w.run('resume', 'c');
  const refused = await w.run('run');
  expect([refused.code, refused.err]).toEqual([7, expect.stringContaining('c (plan.md:')]);
});

const tries = 'echo x >> tries; test $(wc -l < tries) -ge';
const planOf = (enough: number) =>
  `retries: 2\ntasks:\n  a: {run: "${tries} ${enough}"}\n  b: {run: "true", needs: [a]}\n  c: {run: "true"}\n`;

it('tries again what was failed by hand, with the attempts that are left', async () => {
  const w = new Workspace({ 'plan.yaml': planOf(2) });
  await w.run('mark-failed', 'a', '--error', 'x', '--plan', 'plan.yaml');
  const dry = (await w.run('run', 'plan.yaml', '--dry-run', '--json')).json;
  expect(dry.waves.flatMap(({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id))).toEqual([
    'a',
    'c',
    'b',
  ]);
  expect((await w.run('run', 'plan.yaml', '--only', 'c')).code).toBe(0);
  expect(await w.status()).toEqual({ a: 'failed', b: 'blocked', c: 'completed' });
  const { code, out } = await w.run('run', 'plan.yaml');
  expect(code).toBe(0);
  expect(out).toContain('This run goes on with 2 tasks: a and b.\n');
  expect(out).toContain('a was marked failed by hand and will be tried again: it has attempts left\n');
  expect(w.read('tries')).toBe('x\nx\n');
});

it('asks after the last of them', async () => {
  const w = new Workspace({ 'plan.yaml': planOf(9) });
  await w.run('mark-failed', 'a', '--error', 'x', '--plan', 'plan.yaml');
  const { code, lines } = await w.run('run', 'plan.yaml', '--json');
  expect(code).toBe(5);
  expect(lines.filter(({ type }) => type === 'task-retried')).toMatchObject([{ by: 'signalbox', left: true }]);
  expect(lines.filter(({ type }) => type === 'decision-opened')).toMatchObject([{ kind: 'failure', task: 'a' }]);
  expect(w.read('tries')).toBe('x\nx\n');
  expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(5);
  expect(w.read('tries')).toBe('x\nx\n');
});

it('names no log of what was done by hand', async () => {
  const w = new Workspace({ 'plan.yaml': 'retries: 0\ntasks:\n  a: {run: "false"}\n  b: {run: "true"}\n' });
  await w.run('mark-failed', 'a', '--error', 'no idea', '--plan', 'plan.yaml');
  const { code, out } = await w.run('run', 'plan.yaml');
  expect(code).toBe(1);
  expect(out).toContain('  ✖ a: no idea\n\n  signalbox retry a --plan plan.yaml\n');
  expect((await w.run('why', 'a')).out).not.toContain('signalbox logs');
});
