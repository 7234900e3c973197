// `npm run bench`: speed as ratios against peers and the floor, all in one run on one machine. `--quick` for a first look.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { hook } from './hook.mjs';
import { mcp } from './mcp.mjs';
import { flatness, noopTasks } from './noop-tasks.mjs';
import { startUp } from './start-up.mjs';

const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;

noopTasks({ tasks: 1000, atOnce: 4, rounds });
if (!quick) noopTasks({ tasks: 5000, atOnce: 4, rounds: 3 });
flatness({ tasks: 1000, atOnce: 4, rounds: quick ? 1 : 5 });
for (const tasks of [500, 10_000]) startUp({ tasks, rounds: quick ? 3 : 15 });

await hook({ tasks: 500, rounds: quick ? 3 : 15 });

await mcp({ tasks: 500, calls: quick ? 100 : 1000 });

const parts = ['in-process', 'lock-table', 'locks', 'loading', 'worktrees'];
const statuses = [];
for (const part of parts) statuses.push(await bundled(part));
const failed = statuses.find((status) => status !== 0);
process.exit(failed ?? 0);

/** What measures inside the program's own code is built into one file, as the program is. */
async function bundled(name) {
  const outfile = `dist/bench-${name}.js`;
  await build({
    entryPoints: [`bench/${name}.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3', 'proper-lockfile'],
    logLevel: 'warning',
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...(quick ? ['--quick'] : [])], {
    stdio: 'inherit',
  });
  rmSync(outfile, { force: true });
  return status ?? 1;
}
