// Work that nobody does any more is found, with the reason, and failed when that is asked for; what merely takes long is left alone.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/agents/process-identity.ts';
import { type Line, Workspace } from './rig.ts';

const look = async (w: Workspace, ...more: string[]): Promise<Line> =>
  (await w.run('detect-stuck', 'plan.yaml', '--json', ...more)).json;
const kinds = ({ stuck }: Line) => stuck.map(({ task, kind, marked }: Line) => [task, kind, marked]);

function logOf(w: Workspace, task: string): string {
  const folder = join(w.folder, '.signalbox', 'attempts');
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith(`-${task}.1.log`));
  return join(folder, name!);
}

const long = 'touch begun; echo hello; until test -f go; do sleep 0.05; done';

describe('detect-stuck', () => {
  it('creates nothing where nothing was done', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}}\n' });
    expect(await look(w)).toEqual({ plan: 'plan.yaml', limitMs: 1_800_000, watched: 0, stuck: [] });
    expect(w.has('.signalbox')).toBe(false);
    expect((await w.run('detect-stuck', 'plan.yaml', '--limit', 'soon')).code).toBe(2);
  });

  it('finds who works by hand and is not heard of', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}, b: {}}\n' });
    await w.run('mark-started', 'a', '--plan', 'plan.yaml');
    expect(kinds(await look(w))).toEqual([]);
    expect(kinds(await look(w, '--limit', '1ms'))).toEqual([['a', 'hand', false]]);
    expect(await w.status('plan.yaml')).toEqual({ a: 'in_progress', b: 'pending' });
    expect(kinds(await look(w, '--limit', '1ms', '--mark'))).toEqual([['a', 'hand', true]]);
    const { lines } = await w.run('events', 'plan.yaml', '--json');
    expect(lines.at(-1)).toMatchObject({ type: 'task-failed', task: 'a', stuck: true, by: 'tester' });
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
  });

  it('leaves alone what takes long, and finds what is silent', async () => {
    const w = new Workspace({ 'plan.yaml': `retries: 0\ntasks: {a: {run: "${long}"}}\n` });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('begun');
    expect(kinds(await look(w, '--mark'))).toEqual([]);
    // Longer than the limit ago, as the file system says.
    const past = new Date(Date.now() - 3_600_000);
    utimesSync(logOf(w, 'a'), past, past);
    // It began less than a minute ago: silence counts from there.
    expect(kinds(await look(w, '--limit', '10m', '--mark'))).toEqual([]);
    expect(kinds(await look(w, '--limit', '1ms', '--mark'))).toEqual([['a', 'silent', true]]);
    // The run ends the attempt itself.
    const { lines } = await run.ended;
    expect(lines.filter(({ type }) => type === 'attempt-ended')).toHaveLength(1);
    expect(await w.status('plan.yaml')).toEqual({ a: 'failed' });
  });

  it('finds attempts whose process is gone, and sets the task free for work by hand', async () => {
    const w = new Workspace({
      'plan.yaml': `tasks: {a: {run: "echo $$ > pid; ${long}"}, b: {run: "true", needs: [a]}}\n`,
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    await w.appears('begun');
    // The worker that is still alive would be taken over by the next run: that is not stuck.
    run.kill('SIGKILL');
    await run.ended;
    expect(kinds(await look(w))).toEqual([]);
    const { lines } = await w.run('events', 'plan.yaml', '--json');
    const { supervisor } = lines.find(({ type }) => type === 'attempt-started');
    process.kill(supervisor.pid, 'SIGKILL');
    const left = Number(w.read('pid'));
    expect(kinds(await look(w))).toEqual([['a', 'gone', false]]);
    expect(kinds(await look(w, '--mark'))).toEqual([['a', 'gone', true]]);
    // What the dead worker had left running is ended too.
    expect(identify(left)).toBeNull();
    expect(await w.status('plan.yaml')).toEqual({ a: 'failed', b: 'blocked' });
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    expect((await w.run('mark-complete', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });
});
