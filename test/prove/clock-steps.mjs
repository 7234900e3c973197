// `npm run prove -- clock-steps [--steps 200] [--seed S]`: sets the wall clock of the real program by up to a day, forward and back, while
// attempts run and people hold locks, and calls a command after each step. Nothing healthy may be stopped, no lease may end, and an
// attempt with a limit is stopped when that is over, by a clock of our own. Shares no code with the program.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const steps = Number(values.steps);
const random = randomFrom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'signalbox-clock-'));
const shift = join(folder, 'shift');
const limitMs = 4_000;
const mistakes = [];

const env = {
  PATH: process.env.PATH,
  HOME: folder,
  USER: 'tester',
  NODE_OPTIONS: `--require ${resolve('test/rigs/shifted-wall-clock.cjs')}`,
  WALL_SHIFT_FILE: shift,
};

function start(...args) {
  const child = spawn(process.execPath, [resolve('bin/signalbox.cjs'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
  }
  return new Promise((done) => child.on('close', (code) => done({ code, out })));
}

const untilThere = async (file) => {
  while (!existsSync(join(folder, file))) await new Promise((done) => setTimeout(done, 10));
};
const linesOf = ({ out }) => out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

/** Half of the steps go further forward than any before, the others back by up to a day: the log follows only what is ahead of it. */
let furthest = 0;
function setClock() {
  const largest = random() < 0.5 ? 5_000 : 3_600_000;
  const isForward = random() < 0.5;
  if (isForward) furthest += Math.round(random() * largest);
  const ahead = isForward ? furthest : furthest - Math.round(random() * 24 * 3_600_000);
  writeFileSync(shift, `${ahead}`);
}

const wait = 'while [ ! -e go ]; do sleep 0.05; done';
const plan = [
  'max-parallel: 4',
  'retries: 0',
  'tasks:',
  `  long: {run: "touch long; ${wait}", timeout: 30m, idle-timeout: 30m}`,
  `  parked: {run: "touch parked; signalbox lock wait src/a --timeout 1500 && touch got; ${wait}", timeout: 30m}`,
  `  late: {run: "touch late; sleep 1000", timeout: ${limitMs}ms}`,
];
writeFileSync(join(folder, 'plan.yaml'), `${plan.join('\n')}\n`);
writeFileSync(shift, '0');

const commands = [
  ['lock', 'try', 'src/a', '--agent', 'bob'],
  ['lock', 'try', 'src/b', '--agent', 'ann'],
  ['lock', 'list'],
  ['detect-stuck', '--mark', '--plan', 'plan.yaml'],
  ['status', 'plan.yaml'],
  ['pause', 'plan.yaml'],
  ['resume', '--plan', 'plan.yaml'],
];

await start('lock', 'try', 'src/a', '--agent', 'ann');
const run = start('run', 'plan.yaml', '--json', '--on-failure', 'skip');
await Promise.all(['long', 'parked', 'late'].map(untilThere));
const lateFrom = performance.now();
for (let n = 0; n < steps; n++) {
  setClock();
  const command = commands[Math.floor(random() * commands.length)];
  const { code, out } = await start(...command);
  if (command[4] === 'bob' && code !== 1) mistakes.push(`step ${n}: bob got the lock of ann: ${out}`);
  if (code > 2) mistakes.push(`step ${n}: ${command.join(' ')} ended with ${code}: ${out}`);
}
const steppedMs = performance.now() - lateFrom;
if (existsSync(join(folder, 'got'))) mistakes.push('an attempt got a lock that ann holds');
await start('resume', '--plan', 'plan.yaml');
await start('lock', 'release', 'src/a', '--agent', 'ann');
writeFileSync(join(folder, 'go'), '');
const ended = await run;
const events = linesOf(await start('events', '--json'));

const doomed = events.filter(({ type }) => type === 'attempt-doomed');
for (const { task, doom } of doomed) {
  if (task !== 'late') mistakes.push(`${task} was stopped: ${JSON.stringify(doom)}`);
}
if (steppedMs > limitMs + 2_000 && doomed.length === 0) mistakes.push('late ran longer than it may');
for (const { because, resource } of events.filter(({ type }) => type === 'lock-released')) {
  if (because === 'expired' || because === 'died') mistakes.push(`${resource} was taken: ${because}`);
}
for (const id of ['long', 'parked']) {
  if (!events.some(({ type, task }) => type === 'task-completed' && task === id))
    mistakes.push(`${id} did not complete`);
}
for (const [i, { at }] of events.entries()) {
  if (i > 0 && at < events[i - 1].at) mistakes.push(`event ${events[i].seq} lies before the one ahead of it`);
}
const recorded = events.filter(({ type }) => type === 'clock-stepped').length;
if (recorded < steps / 10) mistakes.push(`only ${recorded} of ${steps} steps were noticed`);
if (mistakes.length > 0) console.log(ended.out);
for (const mistake of mistakes) console.log(mistake);
console.log(`${steps} steps, ${recorded} of them recorded, ${mistakes.length} mistakes`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = mistakes.length === 0 ? 0 : 1;
