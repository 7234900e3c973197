// `run --detach` and `attach`: a run without a terminal, followed from another one.
import { describe, expect, it } from 'vitest';
import { killForGood, type Line, type Started, Workspace } from '../rig.ts';
import { atTerminal } from '../terminal.ts';

const plan = `- [ ] a: Wait
  - run: \`touch begun; while [ ! -e go ]; do sleep 0.02; done\`
- [ ] b: Fail → a
  - run: \`exit 1\`
  - retries: 0
`;
const types = (lines: readonly Line[]) => lines.map(({ type }) => type);
/** Its runner, as the log knows it. */
const runner = async (w: Workspace): Promise<number> =>
  (await w.run('events', '--json')).lines.findLast(({ type }) => type === 'run-started').runner.pid;

async function following(w: Workspace): Promise<Started> {
  const attached = w.start('attach');
  await new Promise<void>((done) => attached.child.stdout!.once('data', () => done()));
  return attached;
}

describe('run --detach', () => {
  it('goes on when the terminal that started it is gone, and says how to follow and end it', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code, screen } = await atTerminal(w, ['run', 'plan.md', '--detach'], []);
    expect(code).toBe(0);
    for (const typed of ['attach plan.md', 'status plan.md --watch', 'stop plan.md'])
      expect(screen).toContain(`signalbox ${typed}`);
    await w.appears('begun');
    const attached = await following(w);
    w.write('go', '');
    expect(await attached.ended).toMatchObject({ code: 1, out: expect.stringContaining('✖ failed: 1 of 2 tasks') });
    expect((await w.run('events', '--json')).lines.filter(({ type }) => type === 'run-stopping')).toEqual([]);
  });

  it('is told by one object, and can be stopped', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code, json } = await w.run('run', 'plan.md', '--detach', '--json');
    expect([code, json]).toEqual([
      0,
      { plan: 'plan.md', run: expect.any(String), pid: await runner(w), log: expect.any(String), exitCode: null },
    ]);
    await w.appears('begun');
    const again = await w.run('run', 'plan.md', '--detach');
    expect([again.code, again.err]).toEqual([8, expect.stringContaining('signalbox attach plan.md')]);
    const attached = w.start('attach', '--json');
    await w.run('stop', '--now');
    expect((await attached.ended).code).toBe(143);
    expect(w.has(json.log)).toBe(true);
  });

  it.each([
    [3, { 'plan.md': '- [ ] a: x → nobody\n' }, []],
    [2, { 'plan.md': plan }, ['--only', 'z']],
    [2, { 'plan.md': plan }, ['--dry-run']],
    [7, { 'plan.md': '- [ ] a: x\n  - agent: claude\n' }, []],
  ] as const)('is refused with %d as in front, and leaves nothing behind', async (expected, files, flags) => {
    const w = new Workspace(files);
    const { code } = await w.runWith({ PATH: '/nowhere' }, 'run', 'plan.md', '--detach', ...flags);
    expect([code, w.has('.signalbox')]).toEqual([expected, false]);
  });
});

describe('attach', () => {
  it('begins where the run stands, and ends with its summary and its exit code', async () => {
    const w = new Workspace({ 'plan.md': plan });
    expect((await w.run('attach', 'plan.md')).code).toBe(2);
    const run = w.start('run', 'plan.md', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    const attached = await following(w);
    w.write('go', '');
    const { code, out } = await attached.ended;
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/0 of 2 tasks done · 1 running\nProcess \d+ has been running it since /),
    ]);
    expect(out).toMatch(/✔ {2}a {2}Wait[\s\S]*✖ {2}b {2}Fail {2}failed[\s\S]*✖ failed: 1 of 2/);
    await run.ended;
    const last = await w.run('attach');
    expect([last.code, last.out]).toEqual([1, expect.stringContaining('No run of plan.md is going on')]);
  });

  it('Ctrl-C only leaves the run; a killed one is told, with the way on', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const run = w.start('run', 'plan.md', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    const left = await following(w);
    left.kill('SIGINT');
    expect(await left.ended).toMatchObject({ code: 0, out: expect.stringContaining('plan.md goes on') });
    const attached = await following(w);
    await killForGood(run.pid);
    expect(await attached.ended).toMatchObject({ code: 143, out: expect.stringContaining('Go on: signalbox run') });
    expect((await w.run('attach', '--json')).json).toMatchObject({
      type: 'outcome',
      outcome: 'aborted',
      exitCode: 143,
    });
    w.write('go', '');
    expect((await w.run('run')).code).toBe(1);
  });

  it('follows a run that another process takes over', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const first = w.start('run', 'plan.md', '--json');
    await first.line(({ type }) => type === 'attempt-started');
    const attached = w.start('attach', '--json');
    const second = w.start('run', 'plan.md', '--take-over', '--json');
    await second.line(({ type }) => type === 'run-took-over');
    w.write('go', '');
    const { code, lines } = await attached.ended;
    expect([code, types(lines).at(-1)]).toEqual([1, 'outcome']);
    await Promise.all([first.ended, second.ended]);
  });
});
