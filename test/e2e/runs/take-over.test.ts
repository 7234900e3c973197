// A run that a fresh process goes on with: its agents go on, nothing is started twice, and the old process ends.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { type Line, Workspace } from '../rig.ts';

const plan = `max-parallel: 2
tasks:
  a: {run: "echo a >> starts; echo $$ > a.pid; until test -f go; do sleep 0.05; done; echo a >> ends"}
  b: {run: "echo b >> starts; until test -f go; do sleep 0.05; done; echo b >> ends"}
  c: {run: "echo c >> starts; echo c >> ends", needs: [a, b]}
`;
const started = (task: string) => (line: Line) => line.type === 'attempt-started' && line.task === task;

it('--take-over goes on with what another process runs; the agents do not notice', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  const first = w.start('run', 'plan.yaml', '--json');
  await Promise.all([first.line(started('a')), first.line(started('b'))]);
  const second = w.start('run', 'plan.yaml', '--json', '--take-over');
  const old = await first.ended;
  expect([old.code, old.json.message]).toEqual([8, expect.stringContaining(`taken over by process ${second.pid}`)]);
  w.write('go', '');
  const { code, lines } = await second.ended;
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'attempt-scheduled')).toHaveLength(1);
  expect(lines.find(({ type }) => type === 'run-took-over')).toMatchObject({ adopted: 2 });
  // The old process has heard of it before it ended.
  expect(old.lines.some(({ type }) => type === 'run-took-over')).toBe(true);
  expect(w.read('starts').trim().split('\n').sort()).toEqual(['a', 'b', 'c']);
  expect(w.read('ends').trim().split('\n').sort()).toEqual(['a', 'b', 'c']);
  expect(await w.status()).toEqual({ a: 'completed', b: 'completed', c: 'completed' });
});

it('without another process it is a plain run; and without the flag a second run is refused', async () => {
  const w = new Workspace({ 'plan.yaml': plan, go: '' });
  expect((await w.run('run', 'plan.yaml', '--take-over')).code).toBe(0);
  const v = new Workspace({ 'plan.yaml': plan });
  const first = v.start('run', 'plan.yaml', '--json');
  await first.line(started('a'));
  expect((await v.run('run', 'plan.yaml')).code).toBe(8);
  v.write('go', '');
  expect((await first.ended).code).toBe(0);
});

/** Goes on when the log tells of a hand-over after it has started. */
const waits = (n: number) =>
  `until test $(signalbox events --json | grep -c run-handed-over) -ge ${n}; do sleep 0.1; done; echo done >> starts`;

it('--refresh-after lets a fresh process take over by itself, again and again, with the exit code of the last', async () => {
  const w = new Workspace({
    'plan.yaml': `tasks:
  a: {run: "echo a >> starts"}
  b: {run: "${waits(1)}", needs: [a]}
  c: {run: "${waits(2)}", needs: [b]}
  d: {run: "exit 3", retries: 0, needs: [c]}
`,
  });
  const { code, lines } = await w.start('run', 'plan.yaml', '--json', '--refresh-after', '1').ended;
  expect(code).toBe(1);
  expect(w.read('starts').trim().split('\n')).toEqual(['a', 'done', 'done']);
  expect(lines.filter(({ type }) => type === 'attempt-started').map(({ task }) => task)).toEqual(['a', 'b', 'c', 'd']);
  expect(lines.filter(({ type }) => type === 'outcome')).toMatchObject([{ outcome: 'failed' }]);
});

it('the settings can say so for every run; one that ends first needs nobody any more', async () => {
  const text = `tasks:\n  a: {run: "true"}\n  b: {run: "${waits(1)}", needs: [a]}\n`;
  const w = new Workspace({ 'plan.yaml': text, 'signalbox.yaml': 'refresh-after: 1\n' });
  const { code, lines } = await w.start('run', 'plan.yaml', '--json').ended;
  expect([code, lines.filter(({ type }) => type === 'outcome')]).toMatchObject([0, [{ outcome: 'complete' }]]);
  const v = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "true"}}\n', 'signalbox.yaml': 'refresh-after: 1\n' });
  const short = await v.start('run', 'plan.yaml', '--json').ended;
  expect([short.code, short.lines.filter(({ type }) => type === 'run-started').length]).toEqual([0, 1]);
});

describe('after --refresh-after, a signal for the process that a person started', () => {
  const work = 'echo $$ > pid; while [ -e plan.yaml ] && [ ! -e go ]; do sleep 0.05; done';
  const taken = 'until signalbox events --json | grep -q run-took-over; do sleep 0.05; done';
  const text = `tasks:
  a: {run: "true"}
  b: {run: "true", needs: [a]}
  c: {run: "${taken}", needs: [b]}
  d: {run: "${work}", needs: [c]}
  e: {run: "true", needs: [d]}
`;

  /** The old process waits for its successor, which has the run and an attempt. */
  async function handedOver() {
    const w = new Workspace({ 'plan.yaml': text });
    const run = w.start('run', 'plan.yaml', '--json', '--refresh-after', '2');
    const first = await run.line(({ type }) => type === 'run-started');
    const second = await run.line(({ type, takesOver }) => type === 'run-started' && takesOver);
    await run.line(({ type }) => type === 'run-took-over');
    await w.appears('pid');
    const successor: number = second.runner.pid;
    expect([first.runner.pid, successor === run.pid]).toEqual([run.pid, false]);
    // Its loop is over: it has no worker any more.
    const children = () => spawnSync('ps', ['-o', 'pid=', '--ppid', String(run.pid)], { encoding: 'utf8' }).stdout;
    await expect
      .poll(() => children().trim().split(/\s+/), { timeout: 10_000, interval: 20 })
      .toEqual([`${successor}`]);
    return { w, run, successor };
  }

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s stops the attempts and both processes', async (signal) => {
    const { w, run, successor } = await handedOver();
    run.kill(signal);
    const { code, lines } = await run.ended;
    expect([code, lines.at(-1)]).toMatchObject([143, { type: 'outcome', exitCode: 143 }]);
    expect([identify(successor), identify(Number(w.read('pid')))]).toEqual([null, null]);
    expect(await w.status('plan.yaml')).toMatchObject({ c: 'completed', d: 'pending', e: 'pending' });
  });

  it('SIGTERM for both at once is one word, not two', async () => {
    const { run, successor } = await handedOver();
    process.kill(successor, 'SIGTERM');
    run.kill('SIGTERM');
    const { code, lines } = await run.ended;
    expect(code).toBe(143);
    expect(lines.filter(({ type }) => type === 'run-stopping').map(({ mode }) => mode)).toEqual(['stop']);
  });

  it('SIGINT lets the attempt end, and nothing new begins', async () => {
    const { w, run } = await handedOver();
    run.kill('SIGINT');
    expect(await run.line(({ type }) => type === 'run-stopping')).toMatchObject({ mode: 'drain', exitCode: 130 });
    w.write('go', '');
    expect((await run.ended).code).toBe(130);
    expect(await w.status('plan.yaml')).toMatchObject({ d: 'completed', e: 'pending' });
  });
});

it('a run that is being stopped is not taken over by its successor', async () => {
  const work = "trap '' TERM; echo $$ > pid; until [ -e go ]; do sleep 0.05; done";
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${work}"}\n` });
  const run = w.start('run', 'plan.yaml', '--json');
  const { run: id } = await run.line(({ type }) => type === 'run-started');
  await w.appears('pid');
  run.kill('SIGTERM');
  await run.line(({ type }) => type === 'run-stopping');
  const late = await w.startWith({ SIGNALBOX_SUCCEEDS: id }, 'run', 'plan.yaml', '--json', '--take-over').ended;
  expect([late.code, late.json.message]).toEqual([8, expect.stringContaining('is being stopped')]);
  w.write('go', '');
  expect((await run.ended).code).toBe(143);
});
