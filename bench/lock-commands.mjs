// The lock commands as agents call them, beside `flock` and a Node that does nothing.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');

/**
 * @param tasks of the plan that the store knows; 0: none.
 * @param isRunning a runner has the store open, as it has when agents call: who closes it as the last one tidies up, at four more
 *   syncs of the disk.
 */
export function lockCommands({ tasks, rounds, isRunning }) {
  const dir = folder();
  writeFileSync(join(dir, 'empty.js'), '');
  const time = (program, args) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(program, args, {
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status} ${stderr}`);
    return performance.now() - start;
  };
  if (tasks > 0) {
    const lines = Array.from(
      { length: tasks },
      (_, i) => `  t${i}: {run: "true"${i > 0 ? `, needs: [t${i - 1}]` : ''}}`,
    );
    writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${lines.join('\n')}\n`);
    time(process.execPath, [launcher, 'set', 'plan.yaml']);
  }
  time(process.execPath, [launcher, 'lock', 'release-all', '--agent', 'ann']);
  const runner = isRunning ? new Database(join(dir, '.signalbox', 'state.db')) : null;
  runner?.prepare('SELECT count(*) FROM events').get();
  const commands = {
    empty: [process.execPath, ['empty.js']],
    'lock try': [process.execPath, [launcher, 'lock', 'try', 'a.ts', '--agent', 'ann']],
    'lock release': [process.execPath, [launcher, 'lock', 'release', 'a.ts', '--agent', 'ann']],
  };
  if (spawnSync('flock', ['--version']).status === 0) commands.flock = ['flock', ['-n', 'lock', 'true']];
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, [program, args]] of Object.entries(commands)) {
      const ms = time(program, args);
      if (round > 0) times[name].push(ms); // the first one fills the compile cache
    }
  }
  runner?.close();
  for (const name of ['lock try', 'lock release']) {
    const own = median(times[name]);
    const others = times.flock
      ? `, ${(own / median(times.flock)).toFixed(1)} × flock (${median(times.flock).toFixed(1)} ms)`
      : '';
    row(
      `${name} at ${tasks} tasks${isRunning ? '' : ', nobody else there'}`,
      `${(own / median(times.empty)).toFixed(2)} × bare Node start (${own.toFixed(0)} of ${median(times.empty).toFixed(0)} ms)${others}`,
    );
  }
}
