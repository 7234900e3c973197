// Failures become decisions, through the real command: listed, shown, answered once, and remembered.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `---
order: explicit
retries: 0
---
# Shop
- [ ] 1: Make the schema
  - run: \`echo connecting; echo "no such database" >&2; test -f ok\`
- [ ] 2: Write the service → 1
  - run: \`true\`
- [ ] 3: Write the pages → 2
  - run: \`true\`
- [ ] 4: Write the manual → 1
  - run: \`true\`
- [ ] 5: Lint
  - run: \`true\`
`;

async function stuck(text = plan): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': text });
  expect((await w.run('run', 'plan.md')).code).toBe(5);
  return w;
}

describe('decide', () => {
  it('lists what is open, with its options and the command', async () => {
    const w = await stuck();
    const { out, code } = await w.run('decide');
    expect(code).toBe(0);
    expect(out).toMatch(/^d1 {2}Task 1 failed\. This blocks 2, 3 and 4\. {2}open for \d+ s$/m);
    expect(out).toContain('retry, retry-with-note, other-agent, fix, skip-all, treat-as-done, restructure, abort');
    expect((await w.run('decide', '--json')).json).toMatchObject({
      plan: 'plan.md',
      decisions: [{ id: 'd1', task: '1' }],
    });
  });

  it('shows the tree, why it failed, what it printed and every option, by its id or by the task', async () => {
    const w = await stuck();
    const { out } = await w.run('decide', 'd1');
    expect(out).toContain('✖ 1 exited with code 1');
    expect(out).toContain('    │ no such database\n    .signalbox/attempts/');
    expect(out).toContain('  ├─ 2  Write the service\n  │  └─ 3  Write the pages\n  └─ 4  Write the manual\n');
    expect(out).toMatch(/signalbox decide d1 skip-all {2,}skip it and everything that needs it/);
    const byTask = await w.run('decide', '1');
    const untimed = (text: string) => text.replace(/open for \d+ s/, '');
    expect(untimed(byTask.out)).toBe(untimed(out));
    expect((await w.run('decide', 'D1')).code).toBe(0);
  });

  it('takes one answer: the second is told who answered what and when', async () => {
    const w = await stuck();
    const both = await Promise.all([w.start('decide', 'd1', 'retry').ended, w.start('decide', 'd1', 'skip-all').ended]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
    const second = both.find(({ code }) => code === 2)!;
    expect(second.err).toMatch(
      /d1 was already answered: (retry|skip-all), by tester, at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/,
    );
    const { json } = await w.run('decide', '--history', '--json');
    expect(json.decisions).toHaveLength(1);
  });

  it('names the nearest option, and the nearest id', async () => {
    const w = await stuck();
    expect(await w.run('decide', 'd1', 'retyr')).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean retry?'),
    });
    expect(await w.run('decide', 'd11')).toMatchObject({ code: 2, err: expect.stringContaining('did you mean d1?') });
    expect(await w.run('decide', '5')).toMatchObject({
      code: 2,
      err: expect.stringContaining('5 has no open decision'),
    });
    expect(await w.run('decide', 'd1', 'retry-with-note')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--note'),
    });
    const other = await w.run('decide', 'd1', 'other-agent', '--agent', 'nobody');
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('no agent is called "nobody"') });
    expect((await w.run('decide', '--json')).json.decisions).toHaveLength(1);
  });

  it('skip-all is failed, then skipped; it is remembered, and undone by retry', async () => {
    const w = await stuck();
    const { out } = await w.run('decide', 'd1', 'skip-all', '--reason', 'not this year');
    expect(out).toContain('to undo it: signalbox retry 1 2 3 4 --plan plan.md');
    expect((await w.run('status')).out).toContain('failed, then skipped by tester: not this year');
    expect((await w.run('decide', '--history')).out).toMatch(
      /skip-all, by tester: not this year; changed 1, 2, 3 and 4/,
    );
    w.write('ok', '');
    expect((await w.run('retry', '1', '2', '3', '4')).code).toBe(0);
    const again = await w.run('run', 'plan.md');
    expect(again).toMatchObject({ code: 0 });
  });

  it('treat-as-done lets what needs it go on', async () => {
    const w = await stuck();
    expect((await w.run('decide', '1', 'treat-as-done')).code).toBe(0);
    const { code, out } = await w.run('run', 'plan.md');
    expect(code).toBe(0);
    expect(out).toContain('1 failed (exited with code 1), then was skipped by tester: treat-as-done');
  });

  it('fix says how to go on', async () => {
    const w = await stuck();
    expect((await w.run('decide', 'd1', 'fix')).out).toContain('when it is repaired: signalbox resume 1');
    w.write('ok', '');
    await w.run('resume', '1');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('details tells why each task cannot go on', async () => {
    const w = await stuck();
    const { out, code } = await w.run('decide', 'd1', 'details');
    expect(code).toBe(0);
    expect(out).toContain('3  Write the pages\n  It needs 2, which is blocked, because 1 failed.\n');
  });

  it('a plan that is stuck otherwise has its own question', async () => {
    const w = new Workspace({
      'plan.md': '---\norder: explicit\n---\n- [ ] a: x\n  - run: `true`\n- [ ] b: x → a\n  - run: `true`\n',
    });
    await w.run('suspend', 'a', '--plan', 'plan.md');
    expect((await w.run('run', 'plan.md')).code).toBe(5);
    expect((await w.run('decide', 'd1')).out).toContain('2 tasks cannot start: a and b.');
    expect((await w.run('decide', 'd1', 'skip-blocked')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('a batch tells what was completed and why the rest was not', async () => {
    const text = `---\norder: phases\nretries: 0\n---\n## One\n- batch: true\n- [ ] a: x\n  - run: \`true\`\n- [ ] b: x\n  - run: \`exit 2\`\n## Two\n- [ ] c: x\n  - run: \`true\`\n`;
    const w = await stuck(text);
    const { out } = await w.run('decide', 'd1');
    expect(out).toContain('Phase "One" has ended. Completed: a. Not completed: b. This blocks c.');
    expect(out).toContain('✖ b exited with code 2\n    .signalbox/attempts/');
    await w.run('decide', 'd1', 'accept');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('a soft failure waits for a person where the plan says so', async () => {
    const text = `---\nretries: 0\norder: explicit\n---\n- [ ] a: x\n  - run: \`exit 1\`\n- [ ] b: x ~> a\n  - soft-failure: ask\n  - run: \`true\`\n`;
    const w = new Workspace({ 'plan.md': text });
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    expect((await w.run('why', 'b', '--json')).json.reasons).toEqual([
      { kind: 'decision', decision: 'd1', asks: 'soft-failure', task: 'b' },
    ]);
    await w.run('decide', 'b', 'go-on');
    expect(await w.status()).toMatchObject({ a: 'failed', b: 'pending' });
    expect((await w.run('run', 'plan.md')).code).toBe(1);
    expect(await w.status()).toMatchObject({ b: 'completed' });
  });
});

describe('run', () => {
  it('ends with the open decisions in its last line, its summary and the status', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { json } = await w.run('run', 'plan.md', '--json');
    expect(json).toMatchObject({ type: 'outcome', outcome: 'stuck', decisions: [{ id: 'd1', kind: 'failure' }] });
    expect(json.decisions[0].openedAt).toMatch(/^\d{4}-.*Z$/);
    expect((await w.run('run', 'plan.md')).out).toContain(
      'signalbox decide d1  Task 1 failed. This blocks 2, 3 and 4.',
    );
    const { json: status } = await w.run('status', '--json');
    expect(status.decisions).toEqual(json.decisions);
    expect((await w.run('status')).out).toContain('    signalbox decide d1\n');
  });

  it('--on-failure answers beforehand, and what is open from before', async () => {
    const w = await stuck();
    const { code, lines } = await w.run('run', 'plan.md', '--on-failure', 'skip', '--json');
    expect(code).toBe(0);
    expect(lines.find(({ type }) => type === 'decision-answered')).toMatchObject({
      choice: 'skip-all',
      policy: 'skip',
    });
    expect((await w.run('run', 'plan.md', '--on-failure', 'what')).code).toBe(2);
  });

  it('--retry gives one more attempt first, and refuses a task that has not failed', async () => {
    const w = await stuck();
    w.write('ok', '');
    expect((await w.run('run', 'plan.md', '--retry', '5')).code).toBe(2);
    expect((await w.run('run', 'plan.md', '--retry', '1')).code).toBe(0);
  });

  it('--decide-within waits for an answer, and goes on from it in the same run', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const run = w.start('run', 'plan.md', '--decide-within', '10m', '--json');
    await run.line(({ type }) => type === 'decision-opened');
    w.write('ok', '');
    expect((await w.run('decide', 'd1', 'retry')).out).toContain('the current run acts on it');
    expect((await run.ended).code).toBe(0);
    expect((await w.run('run', 'plan.md', '--decide-within', 'soon')).code).toBe(2);
  });

  it('says what it found: what failed, what was skipped by whom and why, what it will do', async () => {
    const w = await stuck();
    await w.run('skip', '4', '--reason', 'nobody reads it');
    const { out } = await w.run('run', 'plan.md');
    expect(out).toContain('✖ 1 failed: exited with code 1; this blocks 2 and 3 (d1 needs a decision)');
    expect(out).toContain('– 4 was skipped by tester: nobody reads it');
    expect(out).toContain('Nothing can start until this is decided.');
  });
});

describe('retryable and exhausted', () => {
  it('tell which failed tasks have attempts left', async () => {
    const w = await stuck();
    expect((await w.run('exhausted')).out).toContain('✖  1  1 of 1 attempts used  exited with code 1');
    expect((await w.run('retryable')).out).toBe('No failed task has attempts left.\n');
    await w.run('retry', '1');
    const { json } = await w.run('retryable', '--json');
    expect(json).toMatchObject({ plan: 'plan.md', tasks: [{ id: '1', status: 'pending', used: 1, allowed: 2 }] });
    expect((await w.run('exhausted', '--json')).json.tasks).toEqual([]);
  });
});
