// Work that nobody does any more is found, with the reason, and failed when that is asked for; what merely takes long is left alone.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { killForGood, type Line, Workspace } from '../rig.ts';

const look = async (w: Workspace, ...more: string[]): Promise<Line> =>
  (await w.run('detect-stuck', 'plan.yaml', '--json', ...more)).json;
const kinds = ({ stuck }: Line) => stuck.map(({ task, kind, marked }: Line) => [task, kind, marked]);

function logOf(w: Workspace, task: string): string {
  const folder = join(w.folder, '.signalbox', 'attempts');
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith(`-${task}.1.log`));
  return join(folder, name!);
}

/** Of all plans and of none. */
function lastEvent(w: Workspace): Line {
  const database = new Sqlite(join(w.folder, '.signalbox', 'state.db'), { readonly: true });
  const { at, type, body } = database.prepare('select * from events order by seq desc limit 1').get() as Line;
  database.close();
  return { ...JSON.parse(body), type, at: new Date(at).toISOString() };
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
    await killForGood(supervisor.pid);
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

  it('finds attempts whose end nobody is left to record', async () => {
    const tasks =
      'a: {run: "echo $$ > pid; touch begun; exec sleep 600"}, b: {run: "until test -f go; do sleep 0.05; done"}';
    const w = new Workspace({ 'plan.yaml': `tasks: {${tasks}}\n` });
    const run = w.start('run', 'plan.yaml', '--json');
    const started = (task: string) => run.line((line) => line.type === 'attempt-started' && line.task === task);
    await Promise.all([started('a'), started('b'), w.appears('begun')]);
    // It lives and would record the ends, if only it could.
    run.kill('SIGSTOP');
    await killForGood(Number(w.read('pid')));
    w.write('go', '');
    const journal = () => {
      const folder = join(w.folder, '.signalbox', 'journals');
      return readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    };
    await vi.waitUntil(() => journal().match(/^e \d+ \d+;$/gm)?.length === 2, { timeout: 30_000 });
    expect(kinds(await look(w))).toEqual([]);
    run.kill('SIGKILL');
    await run.ended;
    const end = (how: string) =>
      `its process is gone, its runner too; how it ended (${how}) was never recorded; signalbox run takes that in`;
    const both = [
      { task: 'a', kind: 'gone', message: end('signal 9'), waitsForRun: false, marked: false },
      { task: 'b', kind: 'gone', message: end('exit code 0'), waitsForRun: true, marked: false },
    ];
    expect((await look(w)).stuck).toMatchObject(both);
    expect((await look(w, '--limit', '1s')).stuck).toMatchObject(both);
    expect((await look(w, '--mark')).stuck).toMatchObject([{ ...both[0], marked: true }, both[1]]);
    expect(await w.status('plan.yaml')).toEqual({ a: 'failed', b: 'in_progress' });
    const { lines } = await w.run('events', 'plan.yaml', '--json');
    expect(lines.filter(({ type }) => type === 'attempt-ended')).toMatchObject([
      { task: 'a', end: { kind: 'exited', code: 137 } },
    ]);
    const { out } = await w.run('detect-stuck', 'plan.yaml');
    expect(out).not.toContain('--mark');
    expect((await w.run('run', 'plan.yaml', '--only', 'b')).code).toBe(0);
    expect(await w.status('plan.yaml')).toEqual({ a: 'failed', b: 'completed' });
  });

  it('counts all that is recorded of whoever works by hand, and nothing that others do or that only looks', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}, b: {}}\n', 'other.yaml': 'tasks: {c: {}, d: {}}\n' });
    const robin = (...args: string[]) => w.runWith({ SIGNALBOX_AGENT: 'robin' }, ...args);
    await robin('mark-started', 'a', '--plan', 'plan.yaml');
    const last = () => lastEvent(w);
    const sign = async () => (await look(w, '--limit', '1ms')).stuck[0]?.lastSign;
    const began = await sign();
    expect(began).toBe(last().at);
    for (const args of [
      ['lock', 'try', 'src/x.ts'],
      ['lock', 'release', 'src/x.ts'],
      ['pause', 'other.yaml'],
      ['skip', 'd', '--plan', 'other.yaml'],
    ]) {
      const before = await sign();
      await robin(...args);
      const { type, at } = last();
      expect([type, await sign()]).toEqual([type, at]);
      expect(Date.parse(at)).toBeGreaterThan(Date.parse(before));
    }
    const heard = await sign();
    expect(Date.parse(heard)).toBeGreaterThan(Date.parse(began));
    await w.run('skip', 'c', '--plan', 'other.yaml');
    await w.runWith({ SIGNALBOX_AGENT: 'wren' }, 'lock', 'try', 'src/y.ts');
    for (const args of [['why', 'a'], ['next'], ['status']]) await robin(...args, '--plan', 'plan.yaml');
    expect(await sign()).toBe(heard);
    expect(kinds(await look(w, '--limit', '1ms', '--mark'))).toEqual([['a', 'hand', true]]);
  });

  it('says what is still to be done about the files of what it failed', async () => {
    const w = new Workspace({ 'plan.yaml': `tasks: {a: {run: "echo $$ > pid; ${long}", files: [src]}}\n` });
    const run = w.start('run', 'plan.yaml', '--json');
    const { supervisor } = await run.line(({ type }) => type === 'attempt-started');
    await w.appears('begun');
    run.kill('SIGKILL');
    await run.ended;
    await killForGood(supervisor.pid);
    const { out } = await w.run('detect-stuck', 'plan.yaml', '--mark');
    expect(out).toMatch(/marked failed\n {2}signalbox run plan\.yaml puts their files back\n$/);
    const early = await w.run('mark-started', 'a', '--plan', 'plan.yaml');
    expect([early.code, early.err]).toEqual([2, expect.stringContaining('the files of a#1 have not been put back')]);
    w.write('go', '');
    expect((await w.run('run', 'plan.yaml')).code).toBe(1);
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
  });
});

const mayUnshare = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

// Another pid namespace is another host: its processes cannot be seen from here.
describe.runIf(mayUnshare)('attempts of another host', () => {
  async function farAway() {
    const w = new Workspace({ 'plan.yaml': `tasks: {a: {run: "${long}"}, b: {run: "true", needs: [a]}}\n` });
    const program = [process.execPath, resolve('bin/signalbox.cjs'), 'run', 'plan.yaml', '--json'];
    const child = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', ...program], {
      cwd: w.folder,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
        USER: 'tester',
      },
      stdio: 'ignore',
    });
    const gone = new Promise((done) => child.on('exit', done));
    await w.appears('begun');
    const kill = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    const [journal] = readdirSync(join(w.folder, '.signalbox', 'journals'));
    return { w, kill, journal: join(w.folder, '.signalbox', 'journals', journal!) };
  }
  const hourAgo = () => new Date(Date.now() - 3_600_000);

  it('are left alone as long as their host renews its time stamp', async () => {
    const { w, kill } = await farAway();
    expect(kinds(await look(w, '--mark'))).toEqual([]);
    expect(await w.status('plan.yaml')).toEqual({ a: 'in_progress', b: 'pending' });
    await kill();
  });

  it('whose host is not heard of are found, and set free for work by hand', async () => {
    const { w, kill, journal } = await farAway();
    await kill();
    // Within its lease nobody can know.
    utimesSync(journal, new Date(), new Date());
    expect(kinds(await look(w, '--mark'))).toEqual([]);
    utimesSync(journal, hourAgo(), hourAgo());
    expect(kinds(await look(w))).toEqual([['a', 'host', false]]);
    expect(await w.status('plan.yaml')).toEqual({ a: 'in_progress', b: 'pending' });
    const { stuck } = await look(w, '--mark');
    expect(stuck).toMatchObject([{ task: 'a', kind: 'host', marked: true, attempt: 'a#1' }]);
    expect(await w.status('plan.yaml')).toEqual({ a: 'failed', b: 'blocked' });
    const status = JSON.parse(w.read('docs/plan-outputs/plan/status.json'));
    expect(status.tasks[0]).toMatchObject({ stuckDetected: true, lastError: 'its host has not been heard of lately' });
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    expect((await w.run('mark-complete', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });
});
