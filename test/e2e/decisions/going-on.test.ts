// What goes on, and with which tasks a run goes on: said only of tasks that do.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `---
order: explicit
retries: 0
---
- [ ] lint: Lint
  - run: \`exit 1\`
- [ ] build: Build ~> lint
  - soft-failure: ask
  - run: \`true\`
- [ ] page: Write it
  - run: \`true\`
  - review: human
- [ ] show: Show it → page
  - run: \`true\`
`;

it('a run that finds only questions says that nothing can start', async () => {
  const w = new Workspace({ 'plan.md': plan });
  expect((await w.run('run', 'plan.md')).code).toBe(4);
  const { out } = await w.run('run', 'plan.md');
  expect(out).toContain('Nothing can start until this is decided.');
  expect(out).not.toContain('goes on with');
  await w.run('approve', 'page');
  expect((await w.run('run', 'plan.md')).out).toContain('This run goes on with 1 task: show.');
});

it('a run of a paused plan does not say that it goes on', async () => {
  const w = new Workspace({ 'plan.md': plan });
  expect((await w.run('run', 'plan.md')).code).toBe(4);
  await w.run('approve', 'page');
  await w.run('pause', 'plan.md');
  const { out, code } = await w.run('run', 'plan.md');
  expect([code, out]).toEqual([6, expect.stringContaining('Nothing can start: the plan is paused.')]);
});

const chain = '---\nretries: 0\n---\n- [ ] a: Fail\n  - run: `exit 1`\n- [ ] b: Wait → a\n  - run: `true`\n';

it('a run that would be refused is not said to go on, nor to be kept from it by a decision', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: Work\n  - run: `true`\n- [ ] b: More → a\n  - run: `true`\n' });
  const none = await w.run('run', 'plan.md', '-j', '0');
  expect([none.code, none.out]).toEqual([5, expect.stringContaining('a can never start (max-parallel is 0)')]);
  for (const [only, why] of [
    ['zz', 'no task "zz"'],
    ['b', 'b needs a'],
  ] as const) {
    const { code, out, err } = await w.run('run', 'plan.md', '--only', only);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    expect(out).not.toMatch(/goes on|Nothing/);
  }
  expect((await w.run('run', 'plan.md', '-j', '0')).out).not.toMatch(/goes on with/);
});

it('a run that only closes, or answers first, does not say that nothing is left or can start', async () => {
  const w = new Workspace({ 'plan.md': `${chain.replace('---\n', '---\nfinish: echo bye\n')}` });
  expect((await w.run('run', 'plan.md')).code).toBe(5);
  const { code, out } = await w.run('run', 'plan.md', '--on-failure', 'skip');
  expect([code, out]).toEqual([0, expect.stringContaining('  --on-failure skip answers first.\n')]);
  const v = new Workspace({ 'plan.md': `${chain.replace('---\n', '---\nfinish: echo bye\n')}` });
  expect((await v.run('run', 'plan.md')).code).toBe(5);
  expect((await v.run('decide', 'd1', 'skip-all')).code).toBe(0);
  expect((await v.run('run', 'plan.md')).out).toContain('This run goes on with 1 closing task: finish.');
});
