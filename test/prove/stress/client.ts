// One client of the stress: locks in random order, shows on the disk that it has what it was given, gives back, begins again.
// Arguments: the workspace, its name, the seed, `desk` or `command`, and for how many milliseconds.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomFrom } from '../random.ts';
import { Ledger } from './ledger.ts';
import { byCommand, inProcess, type LockCalls } from './lock-calls.ts';
import { type Mode, names, resources } from './resources.ts';
import * as witness from './witness.ts';

const [root, who, seed, kind, ms] = process.argv.slice(2) as [string, string, string, 'desk' | 'command', string];
const random = randomFrom(Number(seed));
const chance = (p: number) => random() < p;
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const sleep = (time: number) => new Promise((done) => setTimeout(done, time));
/** Nobody holds longer than some milliseconds, the dead are noticed and deadlocks refused: who waits this long is stuck. */
const stuckSeconds = 15;

const ledger = new Ledger(join(root, '.ledger'), who);
const wrong = (text: string | null) => {
  if (text !== null) ledger.say({ what: 'wrong', text });
};
const locks: LockCalls =
  kind === 'desk' ? await inProcess(root, who) : byCommand(root, who, resolve('bin/signalbox.cjs'));
const inside = new Map<string, Mode>();

/** What it has now is shown by marks; an upgraded file gets the other mark. */
function enter(keys: readonly string[], mode: Mode): void {
  for (const file of keys.flatMap((key) => resources[key]!)) {
    const before = inside.get(file);
    if (before === mode || before === 'exclusive') continue;
    if (before === 'shared') wrong(witness.leave(root, file, 'shared'));
    ledger.say({ what: 'enter', file, mode });
    wrong(witness.enter(root, file, mode));
    inside.set(file, mode);
  }
}

function leaveAll(): void {
  for (const [file, mode] of inside) {
    wrong(witness.leave(root, file, mode));
    ledger.say({ what: 'leave', file });
  }
  inside.clear();
}

async function lock(keys: readonly string[], mode: Mode): Promise<boolean> {
  const how = chance(0.3) ? 'try' : 'wait';
  const wish = { resources: keys, shared: mode === 'shared' };
  ledger.say({ what: 'ask', how, resources: keys, mode });
  const start = performance.now();
  const kill = kind === 'command' && chance(0.2) ? random() * 300 : null;
  const answer = how === 'try' ? await locks.try(wish) : await locks.wait(wish, stuckSeconds, kill);
  ledger.say({ what: 'answer', answer, ms: Math.round(performance.now() - start) });
  if (answer === 'granted') enter(keys, mode);
  else if (!['deadlock', 'killed', ...(how === 'try' ? ['busy'] : [])].includes(answer)) wrong(`${how}: ${answer}`);
  return answer === 'granted';
}

/** Everything that was granted is in the table as long as it is not given back. */
async function look(keys: readonly string[], mode: Mode): Promise<void> {
  const held = await locks.held();
  for (const key of keys) {
    const token = held.get(key);
    if (token === undefined) wrong(`${key} was granted to ${who} and is not in the table`);
    else if (mode === 'exclusive') for (const file of resources[key]!) wrong(witness.fence(root, file, token));
  }
}

async function once(): Promise<void> {
  const first = pick(names);
  const second = pick(names.filter((name) => name !== first));
  const mode = chance(0.35) ? 'shared' : 'exclusive';
  const granted: string[] = [];
  let sure = true;
  const take = async (keys: readonly string[], how: Mode) => {
    const got = await lock(keys, how);
    if (got) for (const key of keys) if (!granted.includes(key)) granted.push(key);
    if (!got && kind === 'command') sure = false;
    return got;
  };
  if (chance(0.3)) await take([first, second], mode);
  else if (await take([first], mode)) {
    if (chance(0.3)) await look([first], mode);
    await sleep(random() * 4);
    if (mode === 'shared' && chance(0.4)) await take([first], 'exclusive');
    else if (chance(0.6)) await take([second], chance(0.3) ? 'shared' : 'exclusive');
  }
  await sleep(random() * 8);
  leaveAll();
  const released = await locks.releaseAll();
  ledger.say({ what: 'released', resources: released });
  const missing = granted.filter((key) => !released.includes(key));
  if (missing.length > 0) wrong(`${missing.join(', ')} got lost: ${who} had it, and could not give it back`);
  // A process that was killed may have got it before that.
  if (sure && released.length > granted.length) wrong(`${who} was granted ${granted}, and gave back ${released}`);
}

let children = 0;
/** Locks, waits, and is killed somewhere in between; its locks are bound to it. */
async function killChild(): Promise<void> {
  const script = fileURLToPath(import.meta.url);
  const args = [script, root, `${who}-child${children++}`, String(Math.floor(random() * 2 ** 31)), 'desk', '60000'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done) => child.stdout.once('data', done));
  await sleep(random() * 250);
  ledger.say({ what: 'kill', child: child.pid! });
  child.kill('SIGKILL');
  await new Promise((done) => child.once('close', done));
}

const until = performance.now() + Number(ms);
const isChild = who.includes('-child');
process.stdout.write('ready\n');
let killing: Promise<void> | null = null;
let killsDone = 0;
while (performance.now() < until) {
  await once();
  if (isChild || kind === 'command' || killing || !chance(0.04)) continue;
  killing = killChild().then(() => {
    killing = null;
    killsDone++;
  });
}
if (killing) await killing;
await locks.close();
ledger.say({ what: 'end' });
process.stdout.write(`${killsDone} killed\n`);
