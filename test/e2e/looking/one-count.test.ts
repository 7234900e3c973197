// One plan, one number of tasks, whoever is asked: groups and closing tasks are never counted; optional, skipped and done tasks always are.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `---
order: explicit
finish: "true"
retries: 0
---
# Count

## Phase 1: One
- check: \`true\`
- [x] done: Done already
- [-] left: Left out
- [ ]* opt: Optional
  - run: \`exit 1\`
- [ ] grp: A group
  - check: \`true\`
  - [ ] g1: First
    - run: \`true\`
  - [ ] g2: Second → g1
    - run: \`true\`
## Phase 2: Two
- [ ] last: Last → grp
  - run: \`true\`
`;

it('is the same before, while and after a run', async () => {
  const w = new Workspace({ 'plan.md': plan });
  const printed = async (...args: string[]) => (await w.run(...args)).out;
  expect(await printed('check', 'plan.md')).toContain('Count (plan.md): 6 tasks and 1 group');
  expect(await printed('run', 'plan.md', '--dry-run')).toContain('would run 4 of 6 tasks and 3 closing tasks');
  expect(await printed('status', 'plan.md')).toContain('1 of 6 tasks completed');
  expect(await printed('graph', 'plan.md', '--format', 'svg')).toContain('>1 of 6 completed');

  const lines = (await printed('run', 'plan.md')).split('\n');
  expect(lines[0]).toMatch(/^Count {2}6 tasks · 2 already done/);
  expect(lines.find((line) => line.includes('complete:'))).toMatch(/complete: 4 of 6 tasks in /);

  const summary = { totalTasks: 6, completed: 4, failed: 1, skipped: 1 };
  expect(JSON.parse(w.read('docs/plan-outputs/plan/status.json')).summary).toMatchObject(summary);
  for (const command of ['status', 'progress']) {
    expect((await w.run(command, '--json')).json.summary).toMatchObject(summary);
    expect(await printed(command)).toContain('4 of 6 tasks completed');
  }
  expect((await w.run('run', '--dry-run', '--json')).json.summary).toMatchObject(summary);
  expect((await w.run('plans', '--json')).json.plans[0].summary).toMatchObject(summary);
  expect(await printed('plans')).toContain('4 of 6');
  expect(await printed('graph', '--format', 'svg')).toContain('>4 of 6 completed · 1 failed · 1 skipped<');
  const { nodes } = (await w.run('graph', '--json')).json;
  expect(nodes.filter((node: { group?: true; closes?: string }) => !node.group && !node.closes)).toHaveLength(6);
  expect(await printed('events')).toContain('the plan was loaded: 6 tasks');
  expect(await printed('events')).toMatch(/the run ended: complete .*4 of 6 tasks completed/);
});
