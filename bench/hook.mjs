// What an edit of a coding agent waits for: the hook that takes the lock of its file, uncontended, against a Node that does nothing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

const launcher = resolve('bin/signalbox.cjs');
const ceiling = 2.2;

/** The first task goes on while its hooks are called, as an agent does. */
export async function hook({ tasks, rounds }) {
  const dir = folder();
  writeFileSync(join(dir, 'empty.js'), '');
  const rest = Array.from({ length: tasks - 1 }, (_, i) => `  t${i}: {run: "true", needs: [a]}`);
  const first = "  a: {run: 'env > draft; mv draft environment; exec sleep 3600'}";
  writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${[first, ...rest].join('\n')}\n`);
  const run = spawn(process.execPath, [launcher, 'run', 'plan.yaml'], { cwd: dir, stdio: 'ignore' });
  const ended = new Promise((done) => run.on('close', done));
  try {
    const env = await environmentOf(dir);
    const time = (args, input) => {
      const start = performance.now();
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: dir, env, input, encoding: 'utf8' });
      if (status !== 0 || stdout !== '') throw new Error(`${args.join(' ')}: exit ${status} ${stdout}`);
      return performance.now() - start;
    };
    const told = (tool, file) =>
      JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { file_path: file }, cwd: dir });
    const cases = { edit: (i) => told('Write', `file-${i}.txt`), 'any other call': () => told('Read', 'x') };
    const times = { empty: [], ...Object.fromEntries(Object.keys(cases).map((name) => [name, []])) };
    for (let round = -2; round < rounds; round++) {
      const [bare, ...own] = [
        time(['empty.js'], ''),
        ...Object.values(cases).map((text) => time([launcher, 'hook', 'claude'], text(round))),
      ];
      if (round < 0) continue;
      times.empty.push(bare);
      for (const [i, name] of Object.keys(cases).entries()) times[name].push(own[i]);
    }
    const bare = median(times.empty);
    row(`hooks at ${tasks} tasks`, `a bare Node start takes ${bare.toFixed(0)} ms`);
    for (const name of Object.keys(cases)) {
      const own = median(times[name]) / bare;
      row(
        `  ${name}`,
        `${own.toFixed(2)} of ${ceiling} × (${median(times[name]).toFixed(0)} ms)${own > ceiling ? '  OVER' : ''}`,
      );
    }
  } finally {
    run.kill('SIGTERM');
    await ended;
  }
}

/** That of the attempt, once it runs. */
async function environmentOf(dir) {
  const file = join(dir, 'environment');
  await new Promise((found) => {
    const watcher = watch(dir, () => {
      if (existsSync(file)) found(watcher.close());
    });
    if (existsSync(file)) found(watcher.close());
  });
  const lines = readFileSync(file, 'utf8').split('\n');
  return Object.fromEntries(
    lines.filter((line) => /^(?:PATH|HOME|SIGNALBOX_\w+)=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}
