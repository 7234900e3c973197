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
