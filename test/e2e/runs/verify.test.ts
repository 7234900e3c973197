// Checks outside of a run: `verify`, the baseline before a plan begins, and the last step by an agent.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `## Build
- check: test -e phase.ok
- [ ] a: A
  - run: "true"
  - check: echo x >> ran; test -e a.ok
- [ ] b: B
  - run: "true"
  - check: echo x >> ran; test -e a.ok
- [ ] g: G
  - check: test -e group.ok
  - [ ] g1: G1
    - run: "true"
- [ ] later: Later
  - run: exit 1
  - retries: 0
  - check: touch never
`;

describe('verify', () => {
  const ready = async () => {
    const w = new Workspace({ 'plan.md': plan.replace('run: exit 1', 'run: test -e late.ok') });
    for (const name of ['a', 'phase', 'group', 'late']) w.write(`${name}.ok`, '');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    w.write('ran', '');
    return w;
  };

  it('runs each command once, for tasks, groups and phases, and records nothing', async () => {
    const w = await ready();
    const events = async () => (await w.run('events', 'plan.md', '--json')).lines.length;
    const before = await events();
    const { code, json } = await w.run('verify', '--plan', 'plan.md', '--json');
    expect(code).toBe(0);
    expect(json).toMatchObject({ plan: 'plan.md', ok: true, total: 4, passed: 4 });
    expect(json.checks.map(({ tasks }: { tasks: string[] }) => tasks)).toEqual([
      ['a', 'b'],
      ['g:check'],
      ['later'],
      ['phase-1:check'],
    ]);
    expect(w.read('ran')).toBe('x\n');
    expect(await events()).toBe(before);
  });

  it('tells what is not green, whose it is, and where its log is', async () => {
    const w = await ready();
    rmSync(join(w.folder, 'a.ok'));
    const { code, json } = await w.run('verify', '--plan', 'plan.md', '--parallel', '3', '--json');
    expect(code).toBe(1);
    expect(json).toMatchObject({ ok: false, total: 4, passed: 3 });
    expect(json.checks[0]).toMatchObject({ tasks: ['a', 'b'], result: 'failed', code: 1 });
    expect(w.has(json.checks[0].log)).toBe(true);
    const { out } = await w.run('verify', '--plan', 'plan.md');
    expect(out).toMatch(/3 of 4 checks green/);
  });

  it('leaves out what is not completed', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code, json } = await w.run('verify', '--plan', 'plan.md', '--json');
    expect([code, json.total, w.has('never'), w.has('.signalbox')]).toEqual([0, 0, false, false]);
  });

  it('ends what runs when it is interrupted', async () => {
    const w = new Workspace({
      'plan.md': '- [x] a: A\n  - check: echo $$ > pid; touch up; sleep 1000\n- [x] b: B\n  - check: touch second\n',
    });
    const verify = w.start('verify', '--plan', 'plan.md', '--json');
    await w.appears('up');
    verify.kill('SIGINT');
    const { code, json } = await verify.ended;
    expect(code).toBe(130);
    expect(json).toMatchObject({ ok: false, total: 2, passed: 0, checks: [{ result: 'interrupted' }] });
    expect(() => process.kill(Number(w.read('pid')), 0)).toThrow();
    expect(w.has('second')).toBe(false);
  });
});

describe('baseline', () => {
  const text = `baseline: true\nretries: 0\ntasks:\n  a: {run: "true", check: [test -e old, "true"]}\n  b: {run: "true", check: test -e old}\n`;

  it('is taken once, before the first attempt, and tells what was broken before', async () => {
    const w = new Workspace({ 'plan.yaml': text });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    const types = lines.map(({ type }) => type);
    expect(types.indexOf('baseline-recorded')).toBeLessThan(types.indexOf('attempt-scheduled'));
    expect(lines.find(({ type }) => type === 'baseline-recorded')).toMatchObject({
      failed: ['test -e old'],
      passed: 1,
    });
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({
      failure: { kind: 'check', before: true },
    });
    expect((await w.run('status', 'plan.yaml')).out).toContain('it already failed before the plan began');
    await w.run('retry', 'a', '--plan', 'plan.yaml');
    const again = await w.run('run', 'plan.yaml', '--json');
    expect(again.lines.some(({ type }) => type === 'baseline-recorded')).toBe(false);
  });

  it('comes from the settings too; the plan may say no; and it can be interrupted', async () => {
    const slow = 'tasks:\n  a: {run: "true", check: "touch up; until test -e go; do sleep 0.02; done"}\n';
    const w = new Workspace({
      'signalbox.yaml': 'baseline: true\n',
      'plan.yaml': slow,
      'no.yaml': `baseline: false\n${slow}`,
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('up');
    run.kill('SIGINT');
    const { code, lines } = await run.ended;
    expect(code).toBe(130);
    expect(lines.some(({ type }) => type === 'baseline-recorded' || type === 'attempt-scheduled')).toBe(false);
    w.write('go', '');
    expect((await w.run('run', 'no.yaml', '--json')).lines.some(({ type }) => type === 'baseline-recorded')).toBe(
      false,
    );
    expect(
      (await w.run('run', 'plan.yaml', '--json')).lines.find(({ type }) => type === 'baseline-recorded'),
    ).toMatchObject({ passed: 1 });
  });
});

describe('finish', () => {
  it('that names an agent is performed by it, with what became of the plan', async () => {
    const w = new Workspace({
      'signalbox.yaml':
        'finish: closer\nagents:\n  closer: {kind: command, command: [sh, -c, "cat > told; echo done"]}\n',
      'plan.yaml': 'title: T\ntasks:\n  a: {run: "true"}\n  b: {run: "true", needs: [a]}\n',
    });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.read('told')).toMatch(/What became of the plan[\s\S]*- a: a \(completed, attempts: 1\)\n- b: b/);
  });

  it('of the plan goes before that of the settings', async () => {
    const w = new Workspace({
      'signalbox.yaml': 'finish: touch usual\n',
      'plan.yaml': 'finish: touch own\ntasks:\n  a: {run: "true"}\n',
    });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect([w.has('own'), w.has('usual')]).toEqual([true, false]);
  });
});
