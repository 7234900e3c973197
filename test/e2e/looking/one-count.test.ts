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

it('is the same where closing tasks were skipped or have failed', async () => {
  const w = new Workspace({
    'plan.md': `---\norder: explicit\n---\n## Phase 1: One\n- check: \`false\`\n- [ ] a: A\n  - run: \`true\`\n- [ ] b: B\n  - run: \`true\`\n`,
  });
  const failed = await w.run('run', 'plan.md');
  expect([failed.code, failed.out]).toEqual([
    1,
    expect.stringMatching(/failed: 1 closing task failed and 2 of 2 tasks completed, in /),
  ]);
  expect(failed.out).toContain('phase-1:check did not pass: false exited with code 1\n');
  expect((await w.run('skip', 'phase-1:check')).code).toBe(0);
  const { code, out } = await w.run('run', 'plan.md');
  expect([code, out]).toEqual([0, expect.stringContaining('; 1 closing task skipped: phase-1:check\n')]);
  expect(out).toContain('complete: 2 tasks');
  expect((await w.run('graph', '--out', 'g.svg')).out).toBe('g.svg: 2 tasks, 2 edges\n');
  expect(await w.run('graph', '--out', 'g.png')).toMatchObject({
    code: 2,
    err: expect.stringContaining('a picture ends with .svg or .dot or .gv or .mmd or .mermaid, not with .png'),
  });
});
