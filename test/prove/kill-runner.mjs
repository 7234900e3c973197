// `npm run prove -- kill-runner [--kills 1000] [--seed S]`: kills the real runner with SIGKILL at random moments, again and again, and
// checks a ledger that only the tasks write: nothing lost, nothing done twice, every exit code as it was. Shares no code with
// the program.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.kills);
const launcher = resolve('bin/signalbox.cjs');
const tasks = 60;

const random = randomFrom(values.seed);

/** Every seventh task fails for good, the others succeed; nobody needs one that fails. */
const fails = (i) => i % 7 === 3;
function plan() {
  const lines = ['max-parallel: 6', 'retries: 0', 'tasks:'];
  for (let i = 0; i < tasks; i++) {
    const need = [i - 5, i - 6].find((n) => n >= 0 && !fails(n));
    const seconds = (0.005 + random() * 0.06).toFixed(3);
    const needs = need === undefined ? '' : `, needs: [t${need}]`;
    lines.push(
      `  t${i}: {run: "echo start $SIGNALBOX_ATTEMPT >> ledger; sleep ${seconds}; echo end $SIGNALBOX_ATTEMPT >> ledger; exit ${fails(i) ? 3 : 0}"${needs}}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function run(folder, killAfterMs) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [launcher, 'run', 'plan.yaml', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    let killed = false;
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    const timer = setTimeout(() => {
      killed = child.kill('SIGKILL');
    }, killAfterMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code, killed: killed && code === null, out, err });
    });
  });
}

function check(folder) {
  const seen = new Map();
  for (const line of readFileSync(join(folder, 'ledger'), 'utf8').trim().split('\n')) {
    const [what, attempt] = line.split(' ');
    const task = attempt.slice(0, attempt.indexOf('#'));
    seen.set(`${what} ${task}`, (seen.get(`${what} ${task}`) ?? 0) + 1);
  }
  const wrong = [];
  for (let i = 0; i < tasks; i++) {
    for (const what of ['start', 'end']) {
      const times = seen.get(`${what} t${i}`) ?? 0;
      if (times !== 1) wrong.push(`t${i} has ${times} × ${what}`);
    }
  }
  return wrong;
}

let kills = 0;
let rounds = 0;
while (kills < wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-kill-'));
  writeFileSync(join(folder, 'plan.yaml'), plan());
  let last;
  do {
    last = await run(folder, 60 + random() * 500);
    if (last.killed) kills++;
  } while (last.killed);
  rounds++;
  const outcome = JSON.parse(last.out.trim().split('\n').at(-1) ?? '{}');
  const wrong = check(folder);
  if (last.code !== 1) wrong.push(`exit ${last.code} instead of 1: ${last.err}`);
  const failed = Array.from({ length: tasks }, (_, i) => i).filter(fails).length;
  if (outcome.summary?.failed !== failed || outcome.summary?.completed !== tasks - failed)
    wrong.push(JSON.stringify(outcome.summary));
  if (wrong.length > 0) {
    console.error(`after ${kills} kills (--seed ${values.seed}), in ${folder}:\n  ${wrong.join('\n  ')}`);
    process.exit(1);
  }
  rmSync(folder, { recursive: true, force: true });
  if (process.stdout.isTTY) process.stdout.write(`\r${kills} kills`);
}
console.log(
  `${kills} kills in ${rounds} rounds of ${tasks} tasks: nothing lost, nothing done twice, every exit code as it was`,
);
