// A runner that gets a signal it can handle stops its attempts before it goes: nothing runs on without anybody to hold it to its limits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { someOf } from '../../how-many.ts';
import { Workspace } from '../rig.ts';

const plan = 'tasks:\n  a: {run: "echo $$ > pid; while [ -e plan.yaml ]; do sleep 0.05; done", timeout: 60s}\n';

async function attemptOf(w: Workspace): Promise<number> {
  await expect.poll(() => w.has('pid') && Number(w.read('pid')), { timeout: 20_000, interval: 5 }).toBeGreaterThan(1);
  return Number(w.read('pid'));
}

const isGone = (pid: number) => expect.poll(() => identify(pid), { timeout: 20_000, interval: 5 }).toBeNull();

/** The others stop or resume a process, are ignored, mean an interrupt or the inspector, or are raised by broken code. */
const others = 'KILL STOP TSTP TTIN TTOU CONT CHLD URG WINCH INFO PIPE XFSZ INT USR1 SEGV BUS ILL FPE UNUSED';
const aliases = ['SIGIOT', 'SIGPOLL'];
const canEnd = (name: string): boolean => !aliases.includes(name) && !others.split(' ').includes(name.slice(3));

describe('a run', () => {
  it.each(someOf(Object.keys(constants.signals).filter(canEnd)))(
    'that gets %s stops its attempts, and ends with 143',
    async (signal) => {
      const w = new Workspace({ 'plan.yaml': plan });
      const run = w.start('run', 'plan.yaml', '--json');
      const attempt = await attemptOf(w);
      run.kill(signal as NodeJS.Signals);
      const { code, lines } = await run.ended;
      expect(code).toBe(143);
      expect(lines.find(({ type }) => type === 'run-stopping')).toMatchObject({ mode: 'stop', exitCode: 143 });
      expect(lines.at(-1)).toMatchObject({ type: 'outcome', exitCode: 143 });
      expect(identify(attempt)).toBeNull();
      expect(await w.status('plan.yaml')).toEqual({ a: 'pending' });
    },
  );

  it('whose terminal is closed stops its attempts, and records it', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const command = [process.execPath, resolve('bin/signalbox.cjs'), 'run', 'plan.yaml'].map((word) => `'${word}'`);
    const terminal = spawn('script', ['-qefc', command.join(' '), '/dev/null'], {
      cwd: w.folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, USER: 'tester', TERM: 'xterm', SHELL: '/bin/sh' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const attempt = await attemptOf(w);
    terminal.kill('SIGKILL');
    await once(terminal, 'exit');
    await isGone(attempt);
    const ended = async () => (await w.run('events', '--json')).lines.find(({ type }) => type === 'run-ended');
    await expect.poll(ended, { timeout: 20_000 }).toMatchObject({ outcome: 'aborted', exitCode: 143 });
  });

  it('goes on when only its reader is gone', async () => {
    const w = new Workspace({
      'plan.yaml': 'tasks:\n  a: {run: "until [ -e go ]; do sleep 0.02; done"}\n  b: {run: "true", needs: [a]}\n',
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    run.child.stdout!.destroy();
    run.child.stderr!.destroy();
    w.write('go', '');
    await once(run.child, 'exit');
    expect(await w.status('plan.yaml')).toEqual({ a: 'completed', b: 'completed' });
  });
});

describe('a check by hand', () => {
  it.each(['SIGHUP', 'SIGTERM'] as const)('ends with its command when that gets %s', async (signal) => {
    const check = '  a: {title: x, check: "echo $$ > pid; while [ -e plan.yaml ]; do sleep 0.05; done"}\n';
    const w = new Workspace({ 'plan.yaml': `tasks:\n${check}` });
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    const mark = w.start('mark-complete', 'a', '--plan', 'plan.yaml');
    const attempt = await attemptOf(w);
    mark.kill(signal);
    expect((await mark.ended).code).toBe(143);
    expect(identify(attempt)).toBeNull();
  });
});
