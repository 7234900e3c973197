// How long small commands take, against a Node that does nothing.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');

export function startUp({ tasks, rounds }) {
  const dir = folder();
  const lines = Array.from({ length: tasks }, (_, i) => `  t${i}: {run: "true"${i > 0 ? `, needs: [t${i - 1}]` : ''}}`);
  writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${lines.join('\n')}\n`);
  writeFileSync(join(dir, 'empty.js'), '');
  const node = (args) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status} ${stderr}`);
    return performance.now() - start;
  };
  node([launcher, 'set', 'plan.yaml']);
  const commands = {
    empty: ['empty.js'],
    status: [launcher, 'status'],
    next: [launcher, 'next'],
    why: [launcher, 'why', 't1'],
  };
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const ms = node(args);
      if (round > 0) times[name].push(ms); // the first one fills the compile cache
    }
  }
  const floor = median(times.empty);
  for (const name of ['status', 'next', 'why']) {
    row(
      `${name} at ${tasks} tasks`,
      `${(median(times[name]) / floor).toFixed(2)} × bare Node start (${median(times[name]).toFixed(0)} ms)`,
    );
  }
}
