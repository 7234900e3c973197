// How long small commands take, against a Node that does nothing: in the middle, and at best, which other work on the machine moves
// less.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');
const asAnn = ['a.ts', '--agent', 'ann'];
const looks = { status: ['status'], next: ['next'], why: ['why', 't1'] };
const locks = {
  'lock try': ['lock', 'try', ...asAnn],
  'lock check': ['lock', 'check', 'b.ts'],
  'lock release': ['lock', 'release', ...asAnn],
};

/** @param tasks of the plan; 0: there is none, and only locks are asked for. */
export function startUp({ tasks, rounds }) {
  const dir = folder();
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
  if (tasks > 0) {
    const needs = (i) => (i > 0 ? `, needs: [t${i - 1}]` : '');
    const lines = Array.from({ length: tasks }, (_, i) => `  t${i}: {run: "true"${needs(i)}}`);
    writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${lines.join('\n')}\n`);
    node([launcher, 'set', 'plan.yaml']);
  }
  const commands = { empty: ['empty.js'] };
  for (const [name, args] of Object.entries({ ...(tasks > 0 ? looks : {}), ...locks })) {
    commands[name] = [launcher, ...args];
  }
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  // The first rounds fill what is kept of compiled code.
  for (let round = -3; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const ms = node(args);
      if (round >= 0) times[name].push(ms);
    }
  }
  const best = (name) => Math.min(...times[name]);
  for (const name of Object.keys(commands).slice(1)) {
    const ms = median(times[name]);
    row(
      `${name} at ${tasks} tasks`,
      `${(ms / median(times.empty)).toFixed(2)} × bare Node start (${ms.toFixed(0)} ms), at best ${(best(name) / best('empty')).toFixed(2)} ×`,
    );
  }
}
