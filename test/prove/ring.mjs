// `npm run prove -- ring [--agents 100]`: a plan whose agents, each a process of its own, lock one file each and, when all of them hold
// theirs, wait for the next one's: a circle through all of them. Judged from the log, the files and the table. The only thing that
// opens the gate between the two is the log, which says that every file is held; nothing sleeps.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkLog } from './stress/check-log.ts';

const { values } = parseArgs({ options: { agents: { type: 'string', default: '100' } } });
const n = Number(values.agents);
if (!Number.isInteger(n) || n < 2) throw new Error('a ring has two agents at least: --agents 100');
const launcher = resolve('bin/signalbox.cjs');
/** Within which those who waited for whoever is stopped go on. */
const promisedMs = 5_000;
const stuckMs = 60_000 + 10_000 * n;

/** A gate can be passed when somebody has it open for writing: at once, and by everybody who comes later too. */
const script = `own=f$1; next=f$2
signalbox lock try $own || signalbox lock wait $own --timeout 600 || exit 9
echo "own $SIGNALBOX_ATTEMPT" >> $own
: < gate
signalbox lock wait $next --timeout 600 || exit 8
echo "next $SIGNALBOX_ATTEMPT" >> $next
`;

function writePlan(folder) {
  writeFileSync(join(folder, 'agent.sh'), script);
  const tasks = [];
  for (let i = 0; i < n; i++) {
    writeFileSync(join(folder, `f${i}`), `f${i} before\n`);
    tasks.push(`  t${i}: {run: "sh agent.sh ${i} ${(i + 1) % n}"}`);
  }
  // No retry is allowed: one that is used is a failure.
  writeFileSync(join(folder, 'plan.yaml'), `max-parallel: ${n}\nretries: 0\ntasks:\n${tasks.join('\n')}\n`);
  if (spawnSync('mkfifo', [join(folder, 'gate')]).status !== 0) throw new Error('there is no mkfifo here');
}

function run(folder) {
  const child = spawn(process.execPath, [launcher, 'run', 'plan.yaml', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events = [];
  const held = new Set();
  let gate = null;
  let rest = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const event = JSON.parse(line);
      events.push(event);
      if (event.type === 'lock-acquired') held.add(event.resource);
      if (held.size === n) gate ??= openSync(join(folder, 'gate'), 'r+');
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  return new Promise((done) => {
    let stuck = false;
    const patience = setTimeout(() => {
      stuck = true;
      child.kill('SIGTERM');
    }, stuckMs);
    child.on('close', (code) => {
      clearTimeout(patience);
      if (gate !== null) closeSync(gate);
      done({ code, err, events, stuck });
    });
  });
}

/** @returns what is wrong, and how long it took from each closing of a circle until somebody of it went on. */
function judge(folder, { code, err, events, stuck }) {
  const wrong = [];
  const of = (type) => events.filter((event) => event.type === type);
  if (stuck) wrong.push(`it did not end within ${stuckMs / 1000} s`);
  else if (code !== 0) wrong.push(`exit ${code}: ${err}`);
  const { completed, failed } = events.at(-1)?.summary ?? {};
  if (completed !== n || failed !== 0) wrong.push(`${completed} tasks completed, ${failed} failed`);

  const found = of('deadlock-detected');
  const victims = found.map(({ victim }) => victim);
  const resolved = of('deadlock-resolved').map(({ victim }) => victim);
  if (found.length === 0) wrong.push('there was no deadlock');
  if (found[0] && found[0].cycle.length !== n) wrong.push(`the circle has ${found[0].cycle.length} parties`);
  if (String(victims) !== String(resolved)) wrong.push(`found: ${victims}; resolved: ${resolved}`);
  const again = of('retry-scheduled');
  for (const { attempt, because } of again)
    if (because !== 'deadlock') wrong.push(`${attempt} is tried again because it ${because}`);
  if (again.length !== found.length) wrong.push(`${found.length} were stopped, and ${again.length} tried again`);
  for (const { task } of of('task-failed')) wrong.push(`${task} failed`);

  const goesOnMs = found.map(({ at, seq, token, victim }) => {
    const freed = events.find((event) => event.type === 'lock-released' && event.token === token && event.seq > seq);
    const handed = events.find(
      (event) => event.type === 'lock-acquired' && event.resource === freed?.resource && event.seq > freed.seq,
    );
    const tookMs = handed ? Date.parse(handed.at) - Date.parse(at) : Number.POSITIVE_INFINITY;
    if (!(tookMs <= promisedMs)) wrong.push(`for ${victim} the others went on after ${tookMs} ms`);
    return tookMs;
  });

  for (let i = 0; i < n; i++) {
    const done = of('task-completed').flatMap(({ task, attempt }) => (task === `t${i}` ? [attempt] : []));
    const before = of('task-completed').find(({ task }) => task === `t${(i + n - 1) % n}`)?.attempt;
    if (done.length !== 1) wrong.push(`t${i} was completed ${done.length} times`);
    const lines = readFileSync(join(folder, `f${i}`), 'utf8')
      .trimEnd()
      .split('\n')
      .sort();
    const expected = [`f${i} before`, `next ${before}`, `own ${done[0]}`].sort();
    if (String(lines) !== String(expected)) wrong.push(`f${i} has ${lines.join(', ')} for ${expected.join(', ')}`);
  }
  const list = spawnSync(process.execPath, [launcher, 'lock', 'list', '--json'], { cwd: folder, encoding: 'utf8' });
  if (list.stdout.trim() !== '{"holds":[],"waits":[],"deadlocks":[]}') wrong.push(`left over: ${list.stdout}`);
  wrong.push(...checkLog(join(folder, '.signalbox', 'state.db'), (resource) => /^f\d+$/.test(resource)).wrong);
  return { wrong, goesOnMs };
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-ring-')));
writePlan(folder);
const start = performance.now();
const ended = await run(folder);
const seconds = ((performance.now() - start) / 1000).toFixed(1);
const { wrong, goesOnMs } = judge(folder, ended);
if (wrong.length > 0) {
  console.error(`${n} agents, in ${folder}:\n  ${wrong.slice(0, 20).join('\n  ')}`);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
console.log(
  `a ring of ${n} agents: ${goesOnMs.length} deadlocks, the others went on after ${goesOnMs.join(', ')} ms; all complete in ${seconds} s, ` +
    'every line once, no retry used, nothing left over',
);
