// How long commands take, against a Node that does nothing, and against the ceilings that hold. Inside a ceiling the simplest code wins.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');
const asAnn = ['a.ts', '--agent', 'ann'];

/** Each by the number of the round, from 0: what is marked once is not marked again. */
const families = {
  everyday: {
    times: { 500: 2.2, 10000: 4.5 },
    commands: {
      status: () => ['status'],
      next: () => ['next'],
      'why of the first': () => ['why', 't1'],
      'why of the last': (_, tasks) => ['why', `t${tasks - 1}`],
      progress: () => ['progress'],
      decide: () => ['decide'],
      'lock try': () => ['lock', 'try', ...asAnn],
      'lock check': () => ['lock', 'check', 'b.ts'],
      'lock release': () => ['lock', 'release', ...asAnn],
    },
  },
  'by hand, and whole plans as JSON': {
    times: { 500: 2.2, 10000: 7 },
    commands: {
      'mark-started': (i) => ['mark-started', `t${i}`],
      'mark-complete': (i) => ['mark-complete', `t${i}`],
      'status --json': () => ['status', '--json'],
    },
  },
  'whole plan texts': {
    ms: { 500: 150, 10000: 600 },
    commands: {
      check: () => ['check', 'plan.yaml'],
      'check, markdown': () => ['check', 'plan.md'],
      'fmt --check': () => ['fmt', '--check', 'plan.yaml'],
      graph: () => ['graph', 'plan.yaml', '--format', 'dot'],
      'run --dry-run': () => ['run', 'plan.yaml', '--dry-run'],
    },
  },
};

/** Each task needs the one before it. */
export function startUp({ tasks, rounds }) {
  const dir = folder();
  const node = (args) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: dir,
      // As agents and scripts call it.
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 100_000_000,
      encoding: 'utf8',
      // Terminals say who sits there; without it the system is asked for the name, which takes 2 ms.
      env: { ...process.env, USER: process.env.USER ?? 'bench' },
    });
    // `fmt --check` says by 1 that it would change something.
    if (status !== 0 && !(status === 1 && args.includes('fmt')))
      throw new Error(`${args.join(' ')}: exit ${status} ${stderr}`);
    return performance.now() - start;
  };
  writeFileSync(join(dir, 'empty.js'), '');
  const all = Array.from({ length: tasks }, (_, i) => i);
  const yaml = all.map((i) => `  t${i}: {run: "true"${i > 0 ? `, needs: [t${i - 1}]` : ''}}`);
  writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${yaml.join('\n')}\n`);
  const markdown = all.map((i) => `- [ ] t${i}: Task ${i}${i > 0 ? ` → t${i - 1}` : ''}\n  - run: \`true\``);
  writeFileSync(join(dir, 'plan.md'), `# Plan\n\n${markdown.join('\n')}\n`);
  node([launcher, 'set', 'plan.yaml']);
  for (const [family, { times: ceilings, ms: limits, commands }] of Object.entries(families)) {
    const names = ['empty', ...Object.keys(commands)];
    const times = Object.fromEntries(names.map((name) => [name, []]));
    // The first rounds fill what is kept of compiled code.
    const warmUp = 2;
    for (let round = 0; round < warmUp + rounds; round++) {
      for (const name of names) {
        const ms = node(name === 'empty' ? ['empty.js'] : [launcher, ...commands[name](round, tasks)]);
        if (round >= warmUp) times[name].push(ms);
      }
    }
    const bare = median(times.empty);
    row(`${family} at ${tasks} tasks`, `a bare Node start takes ${bare.toFixed(0)} ms`);
    for (const name of names.slice(1)) {
      const ms = median(times[name]);
      const [own, ceiling, unit] = ceilings ? [ms / bare, ceilings[tasks], '×'] : [ms, limits[tasks], 'ms'];
      const isOver = own > ceiling ? '  OVER' : '';
      row(`  ${name}`, `${own.toFixed(ceilings ? 2 : 0)} of ${ceiling} ${unit} (${ms.toFixed(0)} ms)${isOver}`);
    }
  }
}
