// The real program while somebody sets the wall clock. Limits and leases go by the monotonic clock of the boot, which nobody can set.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const preload = resolve('test/rigs/shifted-wall-clock.cjs');
const hour = 3_600_000;

/** A workspace whose commands all see the same wall clock, and the hand that sets it. */
function clocked(files: Readonly<Record<string, string>>) {
  const workspace = new Workspace({ ...files, shift: '0' });
  const env = { NODE_OPTIONS: `--require ${preload}`, WALL_SHIFT_FILE: resolve(workspace.folder, 'shift') };
  const start = (...args: string[]) => workspace.startWith(env, ...args);
  return {
    workspace,
    start,
    command: (...args: string[]) => start(...args).ended,
    setAhead: (ms: number) => workspace.write('shift', `${ms}`),
  };
}

const untilGo = 'while [ ! -e go ]; do sleep 0.02; done';
const started = (line: { type: string }) => line.type === 'attempt-started';

describe('a wall clock that is set', () => {
  it.each([
    ['forward', 2 * hour],
    ['back', -2 * hour],
    ['forward by days', 72 * hour],
  ])('%s, and any command after it, kills no healthy attempt', async (_, ms) => {
    const plan = `tasks:\n  a: {run: "${untilGo}", timeout: 20m, idle-timeout: 20m}\n`;
    const { workspace, start, command, setAhead } = clocked({ 'plan.yaml': plan });
    const run = start('run', 'plan.yaml', '--json');
    await run.line(started);
    setAhead(ms);
    expect((await command('lock', 'try', 'x', '--agent', 'ann')).code).toBe(0);
    const { json } = await command('detect-stuck', '--mark', '--json', '--plan', 'plan.yaml');
    expect(json.stuck).toEqual([]);
    workspace.write('go', '');
    const { code, lines } = await run.ended;
    expect(lines.filter(({ type }) => type === 'attempt-doomed' || type === 'task-failed')).toEqual([]);
    expect(code).toBe(0);
  });

  it('takes no lease of somebody who was heard of, and waits for nobody twice as long', async () => {
    const { command, setAhead } = clocked({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n' });
    expect((await command('lock', 'try', 'src/a', '--agent', 'ann')).code).toBe(0);
    setAhead(2 * hour);
    expect((await command('lock', 'try', 'src/a', '--agent', 'bob')).code).toBe(1);
    setAhead(-5 * hour);
    expect((await command('lock', 'try', 'src/a', '--agent', 'bob')).code).toBe(1);
    const { json } = await command('lock', 'list', '--json');
    expect(json.holds).toMatchObject([{ resource: 'src/a' }]);
    const { lines } = await command('events', '--json');
    expect(lines.filter(({ type }) => type === 'lock-released')).toEqual([]);
  });

  it('back does not let an attempt run longer than it may', async () => {
    const plan = 'tasks:\n  a: {run: "sleep 1000", timeout: 1s, retries: 0}\n';
    const { start, command, setAhead } = clocked({ 'plan.yaml': plan });
    const run = start('run', 'plan.yaml', '--json');
    const { at } = await run.line(started);
    setAhead(-2 * hour);
    await command('lock', 'try', 'x', '--agent', 'ann');
    const doomed = await run.line(({ type }) => type === 'attempt-doomed');
    expect(doomed.doom).toEqual({ kind: 'timeout', limitMs: 1000 });
    expect(Date.parse(doomed.at) - Date.parse(at)).toBeLessThan(20_000);
    expect((await run.ended).code).toBe(1);
  });

  it('is in no duration that is shown', async () => {
    const plan = `tasks:\n  a: {run: "${untilGo}"}\n  b: {run: "true", needs: [a]}\n`;
    const { workspace, start, command, setAhead } = clocked({ 'plan.yaml': plan });
    const run = start('run', 'plan.yaml');
    await expect.poll(async () => (await workspace.status('plan.yaml')).a, { timeout: 20_000 }).toBe('in_progress');
    setAhead(2 * hour);
    await command('lock', 'try', 'x', '--agent', 'ann');
    const shown = await command('status', 'plan.yaml');
    workspace.write('go', '');
    const { out, code } = await run.ended;
    expect(code).toBe(0);
    const status = (await command('status', 'plan.yaml')).out;
    for (const text of [out, shown.out, status]) expect(text).not.toMatch(/\d h\b/);
    expect(out).toMatch(/complete: 2 tasks in \d/);
    const { tasks } = JSON.parse(workspace.read('docs/plan-outputs/plan/status.json'));
    expect(Math.max(...tasks.map((task: { duration: number }) => task.duration))).toBeLessThan(hour);
    expect(JSON.parse(workspace.read('docs/plan-outputs/plan/timestamps/a%231.json')).duration).toBeLessThan(hour);
  });

  it('leaves a lease as long as it was, also where nothing is recorded after it', async () => {
    const { command, setAhead } = clocked({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n' });
    expect((await command('lock', 'try', 'src/a', '--agent', 'ann')).code).toBe(0);
    setAhead(24 * hour);
    expect((await command('lock', 'list')).out).toMatch(/^ann +holds +src\/a +for \d+ s +expires in (?:29|30) min/);
  });

  it('is followed by the times that people read', async () => {
    const { command, setAhead } = clocked({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n' });
    await command('lock', 'try', 'x', '--agent', 'ann');
    setAhead(2 * hour);
    await command('lock', 'try', 'y', '--agent', 'ann');
    const { lines } = await command('events', '--json');
    const last = lines.filter(({ type }) => type === 'lock-acquired').at(-1);
    expect(Math.abs(Date.parse(last.at) - Date.now() - 2 * hour)).toBeLessThan(60_000);
    expect(lines.filter(({ type }) => type === 'clock-stepped')).toMatchObject([{ byMs: expect.any(Number) }]);
  });
});
