// How long small commands take, against a Node that does nothing: in the middle, and at best, which other work on the machine moves
// less.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');
const asAnn = ['a.ts', '--agent', 'ann'];
/** Each by the number of the round, from 0: what is marked once is not marked again. */
const looks = {
  status: () => ['status'],
  next: () => ['next'],
  why: () => ['why', 't1'],
  'why of the last': (_, tasks) => ['why', `t${tasks - 1}`],
};
/** Where every task can be begun, and nobody needs another. */
const marks = {
  'mark-started': (i) => ['mark-started', `t${i}`],
  'mark-failed': (i) => ['mark-failed', `t${i}`, '--error', 'no'],
  exhausted: () => ['exhausted'],
};
const locks = {
  'lock try': () => ['lock', 'try', ...asAnn],
  'lock check': () => ['lock', 'check', 'b.ts'],
  'lock release': () => ['lock', 'release', ...asAnn],
};
const byHand = {
  progress: () => ['progress'],
  plans: () => ['plans'],
  retryable: () => ['retryable'],
  'detect-stuck': () => ['detect-stuck'],
  'write-findings': () => ['write-findings', 't5', '--file', 'finding.md'],
  'read-findings': () => ['read-findings', 't5'],
  'start-run': () => ['start-run'],
  'mark-started': (i) => ['mark-started', `t${2 * i}`],
  'mark-complete': (i) => ['mark-complete', `t${2 * i}`],
  'mark-skipped': (i) => ['mark-skipped', `t${2 * i + 1}`, '--treat-as-done'],
  'complete-run': () => ['complete-run'],
  'sync-check': () => ['sync-check'],
  set: () => ['set', 'plan.yaml'],
  // Right behind commands that have changed something: nothing that was looked at before helps it.
  validate: () => ['validate'],
};

/**
 * @param tasks of the plan; 0: there is none, and only locks are asked for.
 * @param isWide none of them needs another, so that all are ready at once; else each needs the one before it.
 */
export function startUp({ tasks, rounds, hand = false, isWide = false }) {
  const dir = folder();
  writeFileSync(join(dir, 'empty.js'), '');
  writeFileSync(join(dir, 'finding.md'), 'Found.\n');
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
    const needs = (i) => (i > 0 && !isWide ? `, needs: [t${i - 1}]` : '');
    const lines = Array.from({ length: tasks }, (_, i) => `  t${i}: {run: "true"${needs(i)}}`);
    writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${lines.join('\n')}\n`);
    node([launcher, 'set', 'plan.yaml']);
  }
  const commands = hand ? byHand : isWide ? { ...looks, ...marks } : { ...(tasks > 0 ? looks : {}), ...locks };
  const names = ['empty', ...Object.keys(commands)];
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // The first rounds fill what is kept of compiled code.
  const warmUp = 3;
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const name of names) {
      const ms = node(name === 'empty' ? ['empty.js'] : [launcher, ...commands[name](round, tasks)]);
      if (round >= warmUp) times[name].push(ms);
    }
  }
  const best = (name) => Math.min(...times[name]);
  for (const name of names.slice(1)) {
    const ms = median(times[name]);
    row(
      `${name} at ${tasks} ${isWide ? 'ready ' : ''}tasks`,
      `${(ms / median(times.empty)).toFixed(2)} × bare Node start (${ms.toFixed(0)} ms), at best ${(best(name) / best('empty')).toFixed(2)} ×`,
    );
  }
}
