// `npm run bench`: speed as ratios against peers and the floor, all in one run on one machine. `--quick` for a first look.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { noopTasks } from './noop-tasks.mjs';
import { row } from './report.mjs';
import { startUp } from './start-up.mjs';

const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;

noopTasks({ tasks: 1000, atOnce: 4, rounds });
if (!quick) noopTasks({ tasks: 5000, atOnce: 4, rounds: 3 });
const small = noopTasks({ tasks: 1000, atOnce: 4, rounds: quick ? 1 : 3, idle: 1 });
const large = noopTasks({ tasks: 1000, atOnce: 4, rounds: quick ? 1 : 3, idle: 100_000 });
row('per task, 100,000-task plan against a small one', `${(large / small).toFixed(2)} ×`);
startUp({ tasks: 1000, rounds: quick ? 3 : 9 });
startUp({ tasks: 10_000, rounds: quick ? 3 : 9 });

const outfile = 'dist/bench-in-process.js';
await build({
  entryPoints: ['bench/in-process.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: ['better-sqlite3'],
  logLevel: 'warning',
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
});
const { status } = spawnSync(process.execPath, [outfile], { stdio: 'inherit' });
rmSync(outfile, { force: true });
process.exit(status ?? 1);
