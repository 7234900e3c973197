// `run --only` and `run --from`: a part of the plan is run and judged, and the rest stays as it is.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan =
  'retries: 0\ntasks:\n  a: {run: "true"}\n  b: {run: "true", needs: [a]}\n  c: {run: "true", needs: [b]}\n  bad: {run: "false"}\n  alone: {title: Nobody can do this}\n';

describe('run --only', () => {
  it('runs what is named, judges only that, and records it', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const { code, lines } = await w.run('run', 'plan.yaml', '--only', 'a', '--only', 'b', '--json');
    expect(code).toBe(0);
    expect(lines.find(({ type }) => type === 'run-started').selection).toEqual({ only: ['a', 'b'] });
    expect(await w.status()).toEqual({
      a: 'completed',
      b: 'completed',
      c: 'pending',
      bad: 'pending',
      alone: 'pending',
    });
    // The run is complete; the plan is not.
    expect(JSON.parse(w.read('docs/plan-outputs/plan/status.json'))).toMatchObject({
      outcome: 'complete',
      planStatus: 'pending',
    });
    expect((await w.run('plans')).out).toMatch(/ {2}last run complete, 2 of 5 {2}2 of 5 {2}/);
    expect((await w.run('plans', '--json')).json.plans).toMatchObject([{ outcome: 'complete', planStatus: 'pending' }]);
    expect((await w.run('run', 'plan.yaml', '--only', 'bad,c', '--json')).code).toBe(1);
    expect(await w.status()).toMatchObject({ c: 'completed', bad: 'failed' });
  });

  it('refuses with exit 2 when a need outside is not satisfied, and starts nothing', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const { code, err } = await w.run('run', 'plan.yaml', '--only', 'c');
    expect(code).toBe(2);
    expect(err).toMatch(/c needs b, which is not selected/);
    expect((await w.run('run', 'plan.yaml', '--only', 'nobody')).code).toBe(2);
    expect((await w.run('run', 'plan.yaml', '--only', 'a', '--from', 'a')).code).toBe(2);
    expect((await w.status('plan.yaml')).a).toBe('pending');
  });

  it.each([
    ['--only', ''],
    ['--only', ' , '],
    ['--from', ''],
    ['--retry', ','],
  ])('refuses %s %j, which names no task', async (flag, value) => {
    const w = new Workspace({ 'plan.yaml': plan });
    const { code, err } = await w.run('run', 'plan.yaml', flag, value);
    expect([code, err]).toEqual([2, `signalbox: ${flag} names no task\n  help: name one, or leave it out\n`]);
    expect(w.has('.signalbox')).toBe(false);
  });

  it('takes ids with spaces around them, and says how many it goes on with', async () => {
    const w = new Workspace({
      'plan.yaml':
        'retries: 0\ntasks:\n  bad: {run: "false"}\n  a: {run: "true", needs: [bad]}\n  b: {run: "true"}\n  c: {run: "true"}\n',
    });
    expect((await w.run('run', 'plan.yaml', '--only', 'bad, a')).code).toBe(5);
    const { code, out } = await w.run('run', 'plan.yaml', '--only', 'b');
    expect(code).toBe(0);
    expect(out).toContain('This run goes on with 1 task: b.\n');
    expect((await w.run('run', 'plan.yaml', '--from', 'c')).out).toContain('This run goes on with 1 task: c.\n');
  });

  it('lists only its own tasks when it is stuck', async () => {
    const w = new Workspace({
      'plan.yaml':
        'retries: 0\ntasks:\n  x: {run: "false"}\n  y: {run: "true", needs: [x]}\n  z: {run: "true", needs: [x]}\n',
    });
    const { code, json } = await w.run('run', 'plan.yaml', '--only', 'x,y', '--json');
    expect(code).toBe(5);
    expect(json.blocked).toEqual([{ task: 'y', causes: [{ task: 'x', status: 'failed' }] }]);
  });
});

describe('run --from', () => {
  it('runs the task and whatever waits for it', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    await w.run('run', 'plan.yaml', '--only', 'a');
    const dry = await w.run('run', 'plan.yaml', '--from', 'b', '--dry-run', '--json');
    expect(dry.json.waves.flatMap(({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id))).toEqual([
      'b',
      'c',
    ]);
    expect((await w.run('run', 'plan.yaml', '--from', 'b')).code).toBe(0);
    expect(await w.status()).toEqual({
      a: 'completed',
      b: 'completed',
      c: 'completed',
      bad: 'pending',
      alone: 'pending',
    });
  });

  it('refuses what waits for something else, too', async () => {
    const w = new Workspace({
      'plan.yaml': 'tasks:\n  a: {run: "true"}\n  b: {run: "true"}\n  c: {run: "true", needs: [a, b]}\n',
    });
    expect((await w.run('run', 'plan.yaml', '--from', 'a')).code).toBe(2);
  });
});
