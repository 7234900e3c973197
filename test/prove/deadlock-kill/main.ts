// `npm run prove -- kill-deadlock [--kills 200] [--seed S] [--at-once 3]`: plans that deadlock for certain, while the runner, processes
// that wait for a lock, and the shells of attempts are killed with SIGKILL, at random moments and right after each kind of event
// of a resolution. Then the plan is run again until it ends, and judged from what lies on the disk.
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomFrom } from '../random.ts';
import { checkRound } from './check-round.ts';
import { attemptsIn, kill } from './processes.ts';
import { writeRing } from './ring-plan.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '3' },
  },
});
const wanted = Number(values.kills);
const launcher = resolve('bin/signalbox.cjs');
/** A ring takes seconds. */
const stuckMs = 120_000;

const moments = [
  'random',
  'attempt-scheduled',
  'attempt-started',
  'lock-acquired',
  'lock-waiting',
  'deadlock-detected',
  'attempt-doomed',
  'attempt-ended',
  'work-saved',
  'files-put-back',
  'lock-released',
  'need-added',
  'retry-scheduled',
  'deadlock-resolved',
  'task-completed',
] as const;
const targets = ['runner', 'runner', 'waiter', 'shell'] as const;

const tally = new Map<string, number>();
let kills = 0;
let rounds = 0;
let deadlocks = 0;
let saved = 0;
let failures = 0;

interface Round {
  readonly folder: string;
  readonly random: () => number;
  /** Attempts whose shell was killed. */
  readonly shells: string[];
  killsLeft: number;
}

type Moment = (typeof moments)[number];

/** One `run`, in which somebody is killed, perhaps several; resolves with its exit code, null when it was killed itself. */
function run(round: Round): Promise<{ code: number | null; err: string; stuck: boolean }> {
  const { folder, random } = round;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const child = spawn(process.execPath, [launcher, 'run', 'plan.yaml', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let moment: Moment = pick(moments);
  let target = pick(targets);
  let timer: NodeJS.Timeout | undefined;
  const hit = () => {
    if (round.killsLeft <= 0) return;
    const done = target === 'runner' ? child.kill('SIGKILL') : hitOne(round, target, pick);
    if (done) {
      round.killsLeft--;
      kills++;
      const name = `${target} at ${moment}`;
      tally.set(name, (tally.get(name) ?? 0) + 1);
    }
    choose();
  };
  const choose = () => {
    moment = pick(moments);
    target = pick(targets);
    clearTimeout(timer);
    if (moment === 'random') timer = setTimeout(hit, 100 + random() * 2500);
  };
  if (moment === 'random') timer = setTimeout(hit, 100 + random() * 2500);
  let rest = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.includes(`"type":"${moment}"`) && random() < 0.7) hit();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((done) => {
    let stuck = false;
    const patience = setTimeout(() => {
      stuck = true;
      child.kill('SIGKILL');
    }, stuckMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      clearTimeout(patience);
      done({ code, err, stuck });
    });
  });
}

function hitOne({ folder, shells }: Round, kind: 'waiter' | 'shell', pick: <T>(from: readonly T[]) => T): boolean {
  const found = attemptsIn(folder).filter((process) => process.kind === kind);
  if (found.length === 0) return false;
  const { pid, attempt } = pick(found);
  // Noted before: its end may be judged before we go on.
  if (kind === 'shell') shells.push(attempt);
  return kill(pid);
}

async function play(number: number): Promise<void> {
  const random = randomFrom(Number(values.seed) * 10_000 + number);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-deadlock-')));
  const n = 2 + Math.floor(random() * 3);
  writeRing(folder, n);
  const round: Round = {
    folder,
    random,
    shells: [],
    killsLeft: Math.min(1 + Math.floor(random() * 5), wanted - kills),
  };
  let last: Awaited<ReturnType<typeof run>>;
  do last = await run(round);
  while (last.code === null && !last.stuck);
  const { wrong, ...found } = checkRound(folder, n, round.shells);
  if (last.stuck) wrong.unshift(`it did not end within ${stuckMs / 1000} s`);
  else if (last.code !== 0) wrong.unshift(`exit ${last.code}: ${last.err}`);
  rounds++;
  deadlocks += found.deadlocks;
  saved += found.saved;
  if (wrong.length > 0) {
    failures++;
    console.error(
      `round ${number} of ${n} tasks (--seed ${values.seed}), in ${folder}:\n  ${wrong.slice(0, 20).join('\n  ')}`,
    );
    for (const { pid } of attemptsIn(folder)) kill(pid);
  } else rmSync(folder, { recursive: true, force: true });
  if (process.stdout.isTTY) process.stdout.write(`\r${kills} kills`);
}

let next = 0;
await Promise.all(
  Array.from({ length: Math.min(Number(values['at-once']), wanted) }, async () => {
    while (kills < wanted && failures < 5) await play(next++);
  }),
);
for (const [name, times] of [...tally].sort()) console.log(`${String(times).padStart(5)} × ${name}`);
if (failures > 0) process.exit(1);
console.log(
  `${kills} kills in ${rounds} plans, ${deadlocks} deadlocks resolved, ${saved} pieces of work saved: all complete, every effect once, ` +
    'no half edit seen, no retry used, nothing left over',
);
