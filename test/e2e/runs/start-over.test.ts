// `reset` and `run --fresh`: a plan begins again, and everything that was is kept aside.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killForGood, Workspace } from '../rig.ts';
import { atTerminal } from '../terminal.ts';

const plan = `- [ ] a: Work
  - run: \`echo "$SIGNALBOX_ATTEMPT" | tee -a ran\`
- [x] b: Done before
  - run: \`true\`
- [ ] c: Fail → a
  - run: \`exit 1\`
  - retries: 0
- [ ] d: Go on → c
  - run: \`true\`
`;
const outputs = 'docs/plan-outputs/plan';

async function ended(): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': plan });
  expect((await w.run('run', 'plan.md')).code).toBe(5);
  w.write('note', 'what a found\n');
  await w.run('write-findings', 'a', '--file', 'note');
  return w;
}
const events = async (w: Workspace) => (await w.run('events', '--json')).lines;

describe('reset', () => {
  it('keeps everything aside: the log, logs, findings, times and status.json', async () => {
    const w = await ended();
    const before = await events(w);
    expect(await w.run('reset', '--yes', '--json')).toMatchObject({
      code: 0,
      json: {
        ...{ plan: 'plan.md', result: 'reset', round: 1, attempts: 2, decisions: 1, ticked: 1, results: null },
        ...{ summary: { completed: 2, failed: 1, blocked: 1 }, outputs: `${outputs}/earlier/1` },
      },
    });
    expect(await w.status()).toEqual({ a: 'pending', b: 'completed', c: 'pending', d: 'pending' });
    const after = await events(w);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ type }) => type)).toEqual([
      'decision-closed',
      'plan-reset',
      'plan-loaded',
    ]);
    expect(w.read(`${outputs}/earlier/1/findings/a.md`)).toBe('what a found\n');
    expect(w.has(`${outputs}/earlier/1/timestamps/a%231.json`)).toBe(true);
    expect([w.has(`${outputs}/findings`), w.has(`${outputs}/status.json.bak`)]).toEqual([false, false]);
    expect(JSON.parse(w.read(`${outputs}/status.json`))).toMatchObject({ runs: [], decisions: [], outcome: null });
    expect((await w.run('read-findings', 'a')).code).toBe(2);
    expect((await w.run('logs', 'a')).out).toBe('a#1\n');
    expect((await w.run('validate')).code).toBe(0);
    expect((await w.run('sync-check', '--json')).json.inSync).toBe(true);
  });

  it('is not undone by status.json or its backup when the database is lost', async () => {
    const w = await ended();
    await w.run('reset', '--yes');
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    expect(await w.status('plan.md')).toEqual({ a: 'pending', b: 'completed', c: 'pending', d: 'pending' });
  });

  it('begins again with numbers of attempts that nobody had', async () => {
    const w = await ended();
    await w.run('reset', '--yes');
    await w.run('run', 'plan.md');
    expect(w.read('ran')).toBe('a#1\na#2\n');
    expect((await w.run('logs', 'a', '--attempt', '1')).out).toBe('a#1\n');
    expect((await w.run('status', '--json')).json.tasks[0]).toMatchObject({ attempts: 1, attempt: 'a#2' });
    expect((await w.run('decide', '--json')).json.decisions).toMatchObject([{ id: 'd2', task: 'c' }]);
    expect((await w.run('validate')).code).toBe(0);
    expect((await w.run('reset', '--yes', '--json')).json).toMatchObject({ round: 2, attempts: 2 });
  });

  it('takes the plan file as it is now, also where that contradicts what was done', async () => {
    const w = await ended();
    w.write('plan.md', '- [ ] a: Another\n  - run: `true`\n  - needs: z\n- [ ] z: New\n  - run: `true`\n');
    expect((await w.run('run', 'plan.md')).code).toBe(3);
    expect((await w.run('reset', '--yes')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    w.write('plan.md', '- [ ] a: Broken → nobody\n');
    expect((await w.run('reset', '--yes')).code).toBe(3);
    expect(await w.status()).toEqual({ a: 'completed', z: 'completed' });
  });

  it('does nothing without a word, and has nothing to do where nothing was done', async () => {
    const w = await ended();
    const before = await events(w);
    const { code, out } = await w.run('reset');
    expect([code, out]).toEqual([4, expect.stringContaining('signalbox reset --yes does it')]);
    expect((await w.run('reset', '--json')).json.result).toBe('would-reset');
    expect([await events(w), w.has(`${outputs}/earlier`)]).toEqual([before, false]);
    const fresh = new Workspace({ 'plan.md': plan });
    expect(await fresh.run('reset', 'plan.md', '--yes', '--json')).toMatchObject({
      code: 0,
      json: { result: 'nothing' },
    });
    expect(fresh.has('.signalbox')).toBe(false);
  });

  it('is refused while somebody works on it by hand', async () => {
    const w = await ended();
    await w.run('decide', 'd1', 'treat-as-done');
    await w.run('mark-started', 'd');
    expect(await w.run('reset', '--yes')).toMatchObject({ code: 8, err: expect.stringContaining('d by hand') });
    await w.run('mark-complete', 'd');
    expect((await w.run('reset', '--yes')).code).toBe(0);
  });

  it('is refused while it is being run, and while an attempt of a killed run lives; the dead one is let go', async () => {
    const w = new Workspace({
      'plan.md':
        '- [ ] a: Wait\n  - run: `echo half > file; touch begun; while [ ! -e go ]; do sleep 0.02; done`\n  - files: file\n',
      file: 'whole\n',
    });
    const run = w.start('run', 'plan.md', '--json');
    await w.appears('begun');
    expect(await w.run('reset', '--yes')).toMatchObject({ code: 8, err: expect.stringContaining('already being run') });
    const { supervisor } = await run.line(({ type }) => type === 'attempt-started');
    await killForGood(run.pid);
    expect(await w.run('reset', '--yes')).toMatchObject({ code: 8, err: expect.stringContaining('a#1 (process') });
    await killForGood(supervisor.pid);
    expect((await w.run('reset', '--yes')).code).toBe(0);
    expect((await events(w)).map(({ type }) => type).slice(-4)).toEqual([
      ...['run-ended', 'attempt-ended', 'plan-reset', 'plan-loaded'],
    ]);
    expect((await w.run('validate')).code).toBe(0);
    w.write('go', '');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect((await w.run('saved', 'list', '--json')).json.saved).toMatchObject([{ attempt: 'a#1' }]);
  });

  it('asks a person at the terminal; enter leaves everything', async () => {
    const w = await ended();
    expect(await atTerminal(w, ['reset'], [''])).toMatchObject({ code: 4, asked: 1 });
    expect(await w.status()).toMatchObject({ a: 'completed' });
    const { code, screen } = await atTerminal(w, ['reset'], ['yes']);
    expect([code, screen]).toEqual([0, expect.stringContaining('plan.md was started over.')]);
    expect(await w.status()).toMatchObject({ a: 'pending' });
  });
});

describe('run --fresh', () => {
  it("starts over and runs with a person's word, and does nothing where nobody can be asked", async () => {
    const w = await ended();
    const asked = await w.run('run', '--fresh');
    expect([asked.code, asked.out]).toEqual([4, expect.stringContaining('plan.md would be started over:')]);
    expect(asked.out).toContain('Nothing was done. Add --yes to start over and run.');
    for (const more of [[], ['--detach']])
      expect(await w.run('run', '--fresh', '--json', ...more)).toMatchObject({
        code: 4,
        json: { type: 'error', message: 'plan.md would be started over' },
      });
    expect(await w.status()).toMatchObject({ a: 'completed' });
    const { code, out } = await w.run('run', '--fresh', '-y');
    expect([code, out]).toEqual([5, expect.stringContaining('plan.md was started over.')]);
    expect((await w.run('run', '--fresh', '--json', '--yes')).code).toBe(5);
    expect(w.read('ran')).toBe('a#1\na#2\na#3\n');
    // A plan that was never run is simply run.
    const fresh = new Workspace({ 'plan.md': '- [ ] a: Work\n  - run: `true`\n' });
    expect(await fresh.run('run', 'plan.md', '--fresh')).toMatchObject({
      code: 0,
      out: expect.not.stringContaining('over'),
    });
  });

  it('asks once at a terminal, and runs on after an answer without starting over again', async () => {
    const w = await ended();
    expect(await atTerminal(w, ['run', '--fresh'], [''])).toMatchObject({ code: 4, asked: 1 });
    const { asked, code } = await atTerminal(w, ['run', '--fresh'], ['yes', 'treat-as-done', '']);
    expect([asked, code, await w.status()]).toEqual([
      expect.any(Number),
      0,
      { a: 'completed', b: 'completed', c: 'skipped', d: 'completed' },
    ]);
    expect(w.read('ran')).toBe('a#1\na#2\n');
  });

  it('leaves everything as it is when the run is refused', async () => {
    const w = await ended();
    w.write('plan.md', `${plan}- [ ] e: Nobody does it\n  - agent: claude\n`);
    expect((await w.runWith({ PATH: '/nowhere' }, 'run', '--fresh', '-y')).code).toBe(7);
    expect(await w.status()).toMatchObject({ a: 'completed', c: 'failed' });
  });

  it.each<[number, string[], string]>([
    [2, ['--only', 'b'], 'b needs a'],
    [7, [], 'the agent nobody'],
  ])('leaves a complete plan as it is when the run is refused with %i', async (code, more, why) => {
    const w = new Workspace({ 'plan.md': '- [ ] a: Work\n  - run: `true`\n- [ ] b: More → a\n  - run: `true`\n' });
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    if (code === 7) w.write('plan.md', w.read('plan.md').replace('run: `true`', 'agent: nobody'));
    const refused = await w.run('run', '--fresh', '-y', ...more);
    expect(refused).toMatchObject({
      code,
      err: expect.stringContaining(why),
      out: expect.not.stringContaining('over'),
    });
    expect(await w.status()).toEqual({ a: 'completed', b: 'completed' });
  });

  it.each([
    ['--take-over', []],
    ['--retry', ['c']],
    ['--dry-run', []],
  ])('contradicts %s', async (flag, more) => {
    const w = new Workspace({ 'plan.md': plan });
    expect((await w.run('run', 'plan.md', '--fresh', flag, ...more)).code).toBe(2);
  });
});
