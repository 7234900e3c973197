// Plans of other tools through the real command: they are checked, and run in the order that their tools mean.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const settings = "run: 'true'\nretries: 0\nmax-parallel: 8\n";

function workspaceWith(fixture: string): { w: Workspace; plan: string } {
  const plan = basename(fixture);
  const text = readFileSync(`test/fixtures/plans/${fixture}`, 'utf8');
  return { w: new Workspace({ [plan]: text, 'signalbox.yaml': settings }), plan };
}

/** What was started together: tasks between whose starts nothing came to its end. */
function waves(lines: readonly Line[]): string[] {
  const found: string[][] = [];
  let isOpen = false;
  for (const { type, task } of lines) {
    if (type === 'attempt-scheduled' && isOpen) found.at(-1)!.push(task);
    else if (type === 'attempt-scheduled') found.push([task]);
    if (type === 'attempt-scheduled') isOpen = true;
    else if (type === 'task-completed' || type === 'task-failed') isOpen = false;
  }
  return found.map((tasks) => tasks.join(' '));
}

describe.each<[string, string, string[]]>([
  [
    'spec-kit/photo-albums.md',
    'spec-kit',
    ['T002', 'T003', 'T004', 'T005 T006', 'T010 T011 T012 T013', 'T014', 'T015', 'T019', 'T020'],
  ],
  ['spec-kit/webhooks.md', 'spec-kit', ['T001', 'T002 T003', 'T004', 'T005', 'T006', 'T007 T008']],
  ['kiro/note-search.md', 'sequential', ['2.1', '2.2', '2.3', '3.1', '3.2', '4']],
  ['kiro/rate-limits.md', 'sequential', ['1.1', '1.2', '2.2']],
  ['table/release.md', 'phases', ['sign', 'upload', 'tell-everybody']],
  ['table/plain.md', 'explicit', ['write-the-docs']],
  ['task-headings/csv-export.md', 'explicit', ['2', '3']],
  ['task-headings/phased.md', 'phases', ['1.1 1.2', '2.1']],
  ['sections/deadlock-fix.yaml', 'explicit', ['2.1', '2.10']],
  ['sequential-notes/rollback.md', 'phases', ['1.1 1.3', '1.2', '2.1', '2.2']],
])('%s', (fixture, order, expected) => {
  it(`is checked, and runs in the order ${order}`, async () => {
    const { w, plan } = workspaceWith(fixture);
    const checked = await w.run('check', plan, '--json');
    expect(checked.json).toMatchObject({ ok: true, order, orderAssumed: true });
    const { code, lines, err } = await w.run('run', plan, '--json');
    expect(waves(lines)).toEqual(expected);
    expect({ code, err: err.includes('error') }).toEqual({ code: 0, err: false });
    const statuses = new Set(Object.values(await w.status(plan)));
    expect([...statuses].filter((status) => status !== 'completed' && status !== 'skipped')).toEqual([]);
  });
});

it('a table with files is checked too', async () => {
  const { w, plan } = workspaceWith('table/migration.md');
  expect((await w.run('check', plan, '--json')).json).toMatchObject({ ok: true, order: 'phases', tasks: 4 });
});

it('a task that its plan suspends stays so, and bars the section behind it', async () => {
  const { w, plan } = workspaceWith('sections/plain.yaml');
  const { code, lines } = await w.run('run', plan, '--json');
  expect([code, waves(lines)]).toEqual([5, ['compile']]);
  expect(await w.status(plan)).toEqual({ compile: 'completed', lint: 'suspended', 'upload-the-packages': 'blocked' });
  await w.run('resume', 'lint');
  expect((await w.run('run', plan)).code).toBe(0);
});

describe('one after the other', () => {
  const plan =
    "---\norder: sequential\nretries: 0\nrun: 'true'\n---\n- [ ] a: x\n- [ ] g: y\n  - [ ] b: x\n    - run: test -e ok\n  - [ ] c: x\n- [ ] d: x\n";

  it('stops behind a failure, says why, and goes on after a skip', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code, json } = await w.run('run', 'plan.md', '--json');
    expect(code).toBe(5);
    const causes = [{ task: 'b', status: 'failed' }];
    expect(json.blocked).toEqual([
      { task: 'c', causes },
      { task: 'd', causes },
    ]);
    const why = await w.run('why', 'd', '--json');
    expect(why.json.reasons).toEqual([
      { kind: 'phase', phase: '', tasks: causes, step: true },
      { kind: 'decision', decision: 'd1', asks: 'failure', task: 'b' },
    ]);
    expect((await w.run('why', 'd')).out).toContain('It waits for the tasks before it: b failed.');
    expect((await w.run('skip', 'b', '--reason', 'later')).code).toBe(0);
    const again = await w.run('run', 'plan.md', '--json');
    expect(waves(again.lines)).toEqual(['c', 'd']);
  });

  it('refuses a need for what comes later, and says so', async () => {
    const w = new Workspace({ 'plan.md': plan.replace('a: x', 'a: x → d') });
    const { code, err, out } = await w.run('check', 'plan.md');
    expect(code).toBe(3);
    expect(out + err).toContain('`a` needs `d`, `d` waits for `a`, which stands before it');
  });
});
