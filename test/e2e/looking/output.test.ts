// What the program does with its standard output when it is no terminal.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const tasks = Array.from({ length: 2000 }, (_, i) => `  t${i}: {run: "true"}`);
const w = new Workspace({ 'plan.yaml': `tasks:\n${tasks.join('\n')}\n` });

it.each([
  [{}, false],
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('with %j it has colours: %s', async (env, isColoured) => {
  const { code, out } = await w.startWith({ NO_COLOR: '', ...env }, 'status', 'plan.yaml').ended;
  expect([code, out.includes('\x1b[')]).toEqual([0, isColoured]);
});

it.each([['status plan.yaml --all'], ['status plan.yaml --json']])(
  '%s ends quietly when its reader has seen enough',
  (command) => {
    const call = `("${process.execPath}" "${resolve('bin/signalbox.cjs')}" ${command}; echo "exit $?" >&2) | true`;
    const { stderr } = spawnSync('sh', ['-c', call], { cwd: w.folder, encoding: 'utf8' });
    expect(stderr).toBe('exit 0\n');
  },
);

const hasPerl = spawnSync('perl', ['-e', '1']).status === 0;

it.skipIf(!hasPerl)('comes out whole through a pipe that another program made non-blocking', () => {
  const unblock = 'use Fcntl; fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK); exec @ARGV';
  const call = `perl -e '${unblock}' "${process.execPath}" "${resolve('bin/signalbox.cjs')}" status plan.yaml --json | (sleep 0.3; cat)`;
  const { stdout } = spawnSync('sh', ['-c', call], { cwd: w.folder, encoding: 'utf8', maxBuffer: 10_000_000 });
  expect((JSON.parse(stdout) as { tasks: unknown[] }).tasks).toHaveLength(2000);
});
