// What survives when things die: runners are killed at any moment, and agents outlive them. A ledger of the tests shows that nothing was
// lost and nothing done twice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

/** A task that waits until the test lets it end. */
const held = (name: string) =>
  `echo $SIGNALBOX_ATTEMPT >> started; touch ${name}.up; until test -e ${name}.go; do sleep 0.02; done`;

/** Whether a process still does anything: one that only waits to be collected by its parent does not. */
function runs(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid.trim()}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('kill -9 of the runner', () => {
  it('adopts the agent that still lives and never starts a second copy', async () => {
    const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n  b: {run: "true", needs: [a]}\n` });
    const first = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    first.kill('SIGKILL');
    await first.ended;
    const second = w.start('run', 'plan.yaml', '--json');
    await second.line(({ type }) => type === 'run-started');
    w.write('a.go', '');
    const { code, lines } = await second.ended;
    expect(code).toBe(0);
    expect(w.read('started')).toBe('a#1\n');
    expect(lines.filter(({ type }) => type === 'attempt-scheduled').map(({ attempt }) => attempt)).toEqual(['b#1']);
  });

  it('learns how an agent ended that ended meanwhile', async () => {
    const w = new Workspace({ 'plan.yaml': `retries: 0\ntasks:\n  a: {run: "${held('a')}; touch a.over; exit 3"}\n` });
    const first = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    first.kill('SIGKILL');
    await first.ended;
    w.write('a.go', '');
    await w.appears('a.over');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({
      task: 'a',
      failure: { kind: 'exit', code: 3 },
    });
    expect(w.read('started')).toBe('a#1\n');
  });

  it('again and again at any moment loses nothing and does nothing twice', async () => {
    const tasks = 12;
    const lines = Array.from({ length: tasks }, (_, i) => {
      const needs = i >= 3 ? `, needs: [t${i - 3}]` : '';
      return `  t${i}: {run: "echo start t${i} >> ledger; sleep 0.02; echo end t${i} >> ledger"${needs}}`;
    });
    const w = new Workspace({ 'plan.yaml': `max-parallel: 4\ntasks:\n${lines.join('\n')}\n` });
    let kills = 0;
    let code: number | null = null;
    // Killed after a different number of events each time, until there is nothing left to do.
    while (code !== 0) {
      const run = w.start('run', 'plan.yaml', '--json');
      const after = 1 + ((kills * 7) % 13);
      let seen = 0;
      const killed = run.line(() => ++seen > after);
      const first = await Promise.race([killed.then(() => 'kill' as const), run.ended]);
      if (first === 'kill') {
        run.kill('SIGKILL');
        kills++;
      }
      ({ code } = await run.ended);
      expect(kills).toBeLessThan(200);
    }
    expect(kills).toBeGreaterThan(2);
    const ledger = readFileSync(join(w.folder, 'ledger'), 'utf8').trim().split('\n').sort();
    const wanted = Array.from({ length: tasks }, (_, i) => [`start t${i}`, `end t${i}`])
      .flat()
      .sort();
    expect(ledger).toEqual(wanted);
    expect(new Set(Object.values(await w.status()))).toEqual(new Set(['completed']));
  });
});

describe('a second run of the same plan', () => {
  it('is refused with exit 8 and told how to watch the first', async () => {
    const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n` });
    const first = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    const second = await w.run('run', 'plan.yaml');
    expect(second.code).toBe(8);
    expect(second.err).toMatch(/attach plan\.yaml/);
    w.write('a.go', '');
    expect((await first.ended).code).toBe(0);
  });
});

describe('interrupts', () => {
  const plan = `max-parallel: 1\ntasks:\n  a: {run: "${held('a')}"}\n  b: {run: "touch b.ran", needs: [a]}\n`;

  it('once drain: the attempt ends, nothing new starts, and the next run goes on', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    run.kill('SIGINT');
    await run.line(({ type }) => type === 'run-stopping');
    w.write('a.go', '');
    const { code, json } = await run.ended;
    expect(code).toBe(130);
    expect(json).toMatchObject({ outcome: 'aborted', exitCode: 130, summary: { completed: 1, pending: 1 } });
    expect(w.has('b.ran')).toBe(false);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.read('started')).toBe('a#1\n');
  });

  it('that drained everything to the end exit with the outcome', async () => {
    const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n` });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    run.kill('SIGINT');
    await run.line(({ type }) => type === 'run-stopping');
    w.write('a.go', '');
    expect((await run.ended).code).toBe(0);
  });

  it('twice stop the agent with grace, without using a retry', async () => {
    const w = new Workspace({ 'plan.yaml': plan.replace('retries: 0', '') });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    run.kill('SIGINT');
    await run.line(({ type }) => type === 'run-stopping');
    run.kill('SIGINT');
    const { code, lines } = await run.ended;
    expect(code).toBe(130);
    expect(lines.find(({ type }) => type === 'retry-scheduled')).toMatchObject({ task: 'a', because: 'stopped' });
    expect((await w.status()).a).toBe('pending');
  });

  it('three times kill an agent that will not listen, at once', async () => {
    const stubborn =
      'tasks:\n  a: {run: "trap : TERM INT HUP; echo $$ > a.pid; touch a.up; while :; do sleep 0.05; done"}\n';
    const w = new Workspace({ 'plan.yaml': stubborn });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    for (const mode of ['drain', 'stop', 'kill']) {
      run.kill('SIGINT');
      if (mode !== 'kill') await run.line((line) => line.type === 'run-stopping' && line.mode === mode);
    }
    const started = performance.now();
    expect((await run.ended).code).toBe(130);
    expect(performance.now() - started).toBeLessThan(4000); // less than the grace
    expect(runs(w.read('a.pid'))).toBe(false);
  });

  it('by the command stop end the run with exit 143', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    expect((await w.run('stop')).code).toBe(0);
    expect((await run.ended).code).toBe(143);
    expect((await w.run('stop')).code).toBe(2);
  });
});

describe('pause', () => {
  it('lets attempts end, exits 6, starts nothing until resume', async () => {
    const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n  b: {run: "true", needs: [a]}\n` });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    expect((await w.run('pause', '--reason', 'lunch')).code).toBe(0);
    await run.line(({ type }) => type === 'plan-paused');
    w.write('a.go', '');
    expect((await run.ended).code).toBe(6);
    expect((await w.run('run', 'plan.yaml')).code).toBe(6);
    expect((await w.run('resume')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });
});

describe('suspend and skip of a running task', () => {
  it.each([
    ['suspend', ['suspend', 'a'], 'suspended', 5],
    ['skip', ['skip', 'a', '--treat-as-done'], 'skipped', 0],
  ])('%s ends its processes', async (_, command, status, exitCode) => {
    const w = new Workspace({
      'plan.yaml': `tasks:\n  a: {run: "echo $$ > a.pid; ${held('a')}"}\n  b: {run: "true", needs: [a]}\n`,
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('a.up');
    expect((await w.run(...command)).code).toBe(0);
    expect((await run.ended).code).toBe(exitCode);
    expect((await w.status()).a).toBe(status);
    expect(runs(w.read('a.pid'))).toBe(false);
  });
});

describe('timeouts', () => {
  it('end an attempt that takes too long, with its whole tree', async () => {
    const w = new Workspace({
      'plan.yaml': 'retries: 0\ntasks:\n  a: {run: "setsid sleep 600 & echo $! > child; wait", timeout: 2s}\n',
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(lines.find(({ type }) => type === 'task-failed').failure).toEqual({ kind: 'timeout', limitMs: 2_000 });
    expect(runs(w.read('child'))).toBe(false);
  });

  it('end an attempt that is silent, and leave a talking one alone', async () => {
    // It talks for longer than it may be silent, and far more often, so that a busy machine is not taken for silence.
    const plan =
      'retries: 0\ntasks:\n  quiet: {run: "sleep 600", idle-timeout: 300ms}\n  chatty: {run: "for i in $(seq 25); do echo $i; sleep 0.1; done", idle-timeout: 2s}\n';
    const w = new Workspace({ 'plan.yaml': plan });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({
      task: 'quiet',
      failure: { kind: 'idle' },
    });
    expect(lines.find(({ type }) => type === 'task-completed')).toMatchObject({ task: 'chatty' });
  });
});
