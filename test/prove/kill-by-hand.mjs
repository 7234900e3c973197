// `npm run prove -- kill-by-hand [--kills 200] [--seed S] [--command NAME]`: kills every command of work by hand with SIGKILL at random
// moments, and looks at the database and the files itself: the log has no gap, and what a command does was done wholly or not at all.
// Shares no code with the program.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    command: { type: 'string' },
  },
});
const kills = Number(values.kills);
const launcher = resolve('bin/signalbox.cjs');

const random = randomFrom(values.seed);

const text = `${'what was found out, at some length '.repeat(6_000)}\n`;

/**
 * By command: what is typed about a task, what was recorded about it before, and what may be recorded about it by the command: all of
 * one list, or nothing.
 */
const commands = {
  'mark-started': { argv: (id) => ['mark-started', id], does: [['task-started', 'lock-acquired']] },
  'mark-complete': {
    argv: (id) => ['mark-complete', id, '--notes', 'n'],
    before: (id) => ['mark-started', id],
    does: [['task-handed-in', 'task-completed', 'lock-released']],
  },
  'mark-complete --no-checks --force': {
    argv: (id) => ['mark-complete', id, '--no-checks', '--force'],
    does: [
      [
        'decision-opened',
        'decision-answered',
        'task-started',
        'lock-acquired',
        'task-handed-in',
        'task-completed',
        'lock-released',
      ],
    ],
  },
  'mark-failed': {
    argv: (id) => ['mark-failed', id, '--error', 'e'],
    before: (id) => ['mark-started', id],
    does: [['task-failed', 'lock-released']],
  },
  'mark-skipped': { argv: (id) => ['mark-skipped', id], does: [['task-skipped']] },
  'detect-stuck --mark': {
    argv: () => ['detect-stuck', 'plan.yaml', '--limit', '1ms', '--mark'],
    before: (id) => ['mark-started', id],
    does: [['task-failed', 'lock-released']],
    after: () => ['detect-stuck', 'plan.yaml', '--limit', '1ms', '--mark'],
  },
  'start-run': { argv: () => ['start-run', 'plan.yaml'], plan: ['hand-run-started'] },
  'complete-run': {
    argv: () => ['complete-run'],
    before: () => ['start-run', 'plan.yaml'],
    plan: ['hand-run-ended'],
    // One that was not killed in time leaves nothing to complete for the next: each begins with its own.
    after: () => ['complete-run'],
  },
  'write-findings': { argv: (id) => ['write-findings', id, '--file', 'text.txt'], does: [], findings: [0, 1] },
  'write-findings --append': {
    argv: (id) => ['write-findings', id, '--file', 'text.txt', '--append'],
    before: (id) => ['write-findings', id, '--file', 'text.txt'],
    does: [],
    findings: [1, 2],
  },
  set: { argv: () => ['set', 'plan.yaml'], does: [], pointer: true },
};

function call(folder, argv) {
  const { status, stderr } = spawnSync(process.execPath, [launcher, ...argv], { cwd: folder, encoding: 'utf8', env });
  return { status, stderr };
}
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
  USER: 'tester',
  NO_COLOR: '1',
  SIGNALBOX_PLAN: 'plan.yaml',
};

/** Every event of the workspace, straight from the table. */
function logOf(folder) {
  const file = join(folder, '.signalbox', 'state.db');
  if (!existsSync(file)) return [];
  const database = new Sqlite(file);
  try {
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").get() === undefined) return [];
    const [{ integrity_check: intact }] = database.prepare('PRAGMA integrity_check').all();
    if (intact !== 'ok') throw new Error(`the database is broken: ${intact}`);
    return database
      .prepare('SELECT seq, type, body FROM events ORDER BY seq')
      .all()
      .map(({ seq, type, body }) => ({ ...JSON.parse(body), seq, type }));
  } finally {
    database.close();
  }
}

const fail = (name, i, what) => {
  throw new Error(`${name}, kill ${i}: ${what} (--seed ${values.seed} --command "${name}")`);
};

function killed(folder, argv, afterMs) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [launcher, ...argv], { cwd: folder, env, stdio: 'ignore' });
    let hit = false;
    const timer = setTimeout(() => {
      hit = child.kill('SIGKILL');
    }, afterMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      done(hit && code === null);
    });
  });
}

async function prove(name, { argv, before, after, does, plan, findings, pointer }) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-hand-kill-'));
  const ids = Array.from({ length: 3 * kills + 3 }, (_, i) => `t${i}`);
  const lines = ids.map((id) => `  ${id}: {files: [src/${id}.ts], check: "true"}`);
  writeFileSync(join(folder, 'plan.yaml'), `tasks:\n${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'text.txt'), text);
  const count = { killed: 0, done: 0, not: 0 };
  // How long it takes here and now, so that the kills fall inside.
  let typical = Number.POSITIVE_INFINITY;
  try {
    if (!pointer) call(folder, ['set', 'plan.yaml']);
    for (let i = 0; i < ids.length && count.killed < kills; i++) {
      const id = ids[i];
      if (pointer) {
        for (const entry of ['.signalbox', '.claude']) rmSync(join(folder, entry), { recursive: true, force: true });
      }
      if (before && call(folder, before(id)).status !== 0) fail(name, i, 'it could not be prepared');
      const known = logOf(folder).length;
      const start = performance.now();
      // The first three end by themselves.
      const hit = await killed(folder, argv(id), i < 3 ? 60_000 : random() * typical);
      if (i < 3) typical = Math.min(typical, performance.now() - start);
      if (i >= 3 && hit) count.killed++;
      const log = logOf(folder);
      log.forEach(({ seq }, at) => {
        if (seq !== at + 1) fail(name, i, `the log has a gap before ${seq}`);
      });
      // A sign of life, once a minute, is about whatever the same person has in hand.
      const added = log.slice(known).filter(({ type }) => type !== 'task-seen');
      const types = added.map(({ type }) => type);
      const allowed = pointer ? [['plan-loaded']] : (does ?? [plan]);
      const isDone = allowed.some((list) => list.length > 0 && list.join() === types.join());
      if (types.length > 0 && !isDone) fail(name, i, `half done: ${types.join(', ')}`);
      if (does && added.some(({ task }) => task !== undefined && task !== id))
        fail(name, i, 'another task was changed');
      if (findings) judgeFindings(folder, name, i, id, findings, count);
      else if (isDone) count.done++;
      else count.not++;
      if (pointer && existsSync(join(folder, '.claude', 'current-plan.txt'))) {
        const named = readFileSync(join(folder, '.claude', 'current-plan.txt'), 'utf8');
        if (named !== 'plan.yaml\n') fail(name, i, `the pointer says ${JSON.stringify(named)}`);
        if (!isDone) fail(name, i, 'the pointer names a plan that has no state');
      }
      if (i < 3 && types.length === 0 && !findings) fail(name, i, 'it did nothing although nobody killed it');
      if (after) call(folder, after());
    }
    if (count.killed < kills) fail(name, ids.length, `only ${count.killed} kills came in time`);
    // Whoever comes next finds everything in order.
    if (pointer) call(folder, ['set', 'plan.yaml']);
    for (const argvOf of [['status', '--json'], ['events', '--json'], ['next'], ['lock', 'list']]) {
      const { status, stderr } = call(folder, argvOf);
      if (status !== 0) fail(name, ids.length, `${argvOf.join(' ')} ended with ${status}: ${stderr}`);
    }
    console.log(`${name}: killed ${count.killed} times; wholly done ${count.done}, not at all ${count.not}, half 0`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgeFindings(folder, name, i, id, [fewest, most], count) {
  const places = join(folder, 'docs', 'plan-outputs', 'plan', 'findings');
  const file = join(places, `${id}.md`);
  const parts = existsSync(file) ? readFileSync(file, 'utf8').length / text.length : 0;
  if (parts !== fewest && parts !== most) fail(name, i, `the findings are there ${parts} times`);
  if (parts === most) count.done++;
  else count.not++;
  const drafts = existsSync(places) ? readdirSync(places).filter((one) => one.endsWith('.new')) : [];
  if (drafts.some((one) => !one.startsWith('.'))) fail(name, i, `a draft can be seen: ${drafts.join()}`);
}

const chosen = Object.entries(commands).filter(([name]) => values.command === undefined || name === values.command);
if (chosen.length === 0) throw new Error(`there is no command ${values.command}`);
try {
  for (const [name, command] of chosen) await prove(name, command);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
