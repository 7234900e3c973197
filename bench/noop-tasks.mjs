// N tasks that do nothing, through Signalbox with durable state and through its peers, side by side in every round.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');
const loop = resolve('bench/spawn-loop.mjs');
const wireit = resolve('node_modules/wireit/bin/wireit.js');

/** Four chains' worth of width: task i needs task i - 4. */
const needsOf = (i) => (i >= 4 ? `t${i - 4}` : null);

export function noopTasks({ tasks, atOnce, rounds }) {
  const peers = {
    signalbox: (dir) => signalbox(dir, { tasks, atOnce }),
    'plain Node spawn loop': () => time(process.execPath, [loop, tasks, atOnce]),
  };
  if (spawnSync('make', ['--version']).status === 0) peers['make -j'] = (dir) => make(dir, tasks, atOnce);
  if (existsSync(wireit) && tasks <= 1000) peers.wireit = (dir) => runWireit(dir, tasks, atOnce);
  const times = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(peers)) {
      if (name === 'wireit' && round > 0) continue;
      const dir = folder();
      times[name].push(run(dir));
    }
  }
  const own = median(times.signalbox);
  row(`${tasks} no-op tasks, ${atOnce} at once`, `${(own / tasks).toFixed(2)} ms per task`);
  for (const [name, all] of Object.entries(times)) {
    if (name === 'signalbox') continue;
    row('', `${(own / median(all)).toFixed(2)} × ${name} (${(median(all) / tasks).toFixed(2)} ms)`);
  }
}

/** The same work in a small plan and in one of 100,000 tasks that never start, turn by turn: loading is measured elsewhere. */
export function flatness({ tasks, atOnce, rounds }) {
  const times = { small: [], large: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, idle] of [
      ['small', 1],
      ['large', 100_000],
    ]) {
      const dir = folder();
      times[name].push(signalbox(dir, { tasks, atOnce, idle }));
    }
  }
  const ratio = median(times.large) / median(times.small);
  row(`per task, ${tasks} of 101,000 against ${tasks} of ${tasks + 1}`, `${ratio.toFixed(2)} ×`);
}

function signalbox(dir, { tasks, atOnce, idle = 0 }) {
  const lines = [`max-parallel: ${atOnce}`, 'tasks:'];
  for (let i = 0; i < tasks; i++) {
    const need = needsOf(i);
    lines.push(`  t${i}: {run: "true"${need ? `, needs: [${need}]` : ''}}`);
  }
  // Loaded, but never started: they wait for a task that a limit of 0 keeps out.
  if (idle > 0) lines.push('  never: {run: "true", uses: [closed]}');
  for (let i = 0; i < idle; i++) lines.push(`  idle${i}: {run: "true", needs: [never]}`);
  if (idle > 0) lines.unshift('pools: {closed: 0}');
  writeFileSync(join(dir, 'plan.yaml'), `${lines.join('\n')}\n`);
  if (idle > 0) {
    // Loading is measured elsewhere: here it happens before the clock starts.
    run(process.execPath, [launcher, 'set', 'plan.yaml'], dir);
  }
  const report = run(process.execPath, [launcher, 'run', 'plan.yaml', '--json'], dir, idle > 0 ? [5] : [0]);
  if (idle === 0) return report.ms;
  const events = report.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const first = events.find((e) => e.type === 'attempt-scheduled');
  const last = events.findLast((e) => e.type === 'task-completed');
  return Date.parse(last.at) - Date.parse(first.at);
}

function make(dir, tasks, atOnce) {
  const rules = [`all: ${Array.from({ length: tasks }, (_, i) => `t${i}`).join(' ')}`];
  for (let i = 0; i < tasks; i++) rules.push(`t${i}: ${needsOf(i) ?? ''}\n\t@sh -c true`);
  writeFileSync(
    join(dir, 'Makefile'),
    `SHELL=/bin/sh\n.PHONY: all ${Array.from({ length: tasks }, (_, i) => `t${i}`).join(' ')}\n${rules.join('\n')}\n`,
  );
  return time('make', ['-s', '-j', atOnce, 'all'], dir);
}

function runWireit(dir, tasks, atOnce) {
  const scripts = { all: 'wireit' };
  const wireitConfig = { all: { dependencies: Array.from({ length: tasks }, (_, i) => `t${i}`) } };
  for (let i = 0; i < tasks; i++) {
    scripts[`t${i}`] = 'wireit';
    wireitConfig[`t${i}`] = { command: 'true', dependencies: needsOf(i) ? [needsOf(i)] : [] };
  }
  mkdirSync(join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'bench', scripts, wireit: wireitConfig }));
  const env = {
    ...process.env,
    npm_lifecycle_event: 'all',
    npm_package_json: join(dir, 'package.json'),
    WIREIT_PARALLEL: String(atOnce),
    WIREIT_LOGGER: 'quiet',
    WIREIT_CACHE: 'none',
  };
  return run(process.execPath, [wireit], dir, [0], env).ms;
}

const time = (program, args, cwd) => run(program, args.map(String), cwd).ms;

function run(program, args, cwd = '.', codes = [0], env = process.env) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args.map(String), {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const ms = performance.now() - start;
  if (!codes.includes(status))
    throw new Error(`${program} ${args.join(' ')}: exit ${status}\n${stderr.slice(-2000)}${stdout.slice(-500)}`);
  return { ms, out: stdout };
}
