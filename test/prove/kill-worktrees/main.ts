// `npm run prove -- kill-worktrees [--kills 200] [--seed S]`: kills the runner of a run with worktrees with SIGKILL, alone or with git and
// the merges, at random moments and in the middle of what git writes. Runs the plan again until it is complete, and judges what is there.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { killWithDescendants } from '../descendants.ts';
import { randomFrom } from '../random.ts';
import { RunGround } from './ground.ts';
import { judge, ownOf } from './judge.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.kills);
const launcher = resolve('bin/signalbox.cjs');
const random = randomFrom(Number(values.seed));
const killsOfRound = 8;
/** A merge that ends without an answer for the third time is a matter for a person. */
const deepOfRound = 2;
/** A whole run takes seconds. */
const stuckMs = 120_000;

/** After a while, or at one of the next changes that git makes there. */
type Moment = { readonly afterMs: number } | { readonly folder: string; readonly change: number };

interface Kill {
  readonly moment: Moment;
  /** Git and the merges that it has started, too. */
  readonly isDeep: boolean;
}

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

function run({ root, folder, environment }: RunGround, kill: Kill | null): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [launcher, 'run', 'plan.yaml', '--json'], {
      ...{ cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let text = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (more) => {
        text += more;
      });
    const strike = () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      if (kill?.isDeep) killWithDescendants(...ours(folder));
    };
    const moment = kill?.moment ?? { afterMs: stuckMs };
    const timer = setTimeout(strike, 'afterMs' in moment ? moment.afterMs : typicalMs / 4);
    const watcher = 'folder' in moment ? watchFor(join(root, '.git', moment.folder), moment.change, strike) : null;
    child.on('exit', (code) => {
      clearTimeout(timer);
      watcher?.close();
      child.stdout!.destroy();
      child.stderr!.destroy();
      done({ code, text });
    });
  });
}

function watchFor(folder: string, change: number, strike: () => void) {
  let left = change;
  try {
    return watch(folder, () => {
      if (--left === 0) strike();
    });
  } catch {
    return null; // not there yet: the timer counts
  }
}

/** Git as Signalbox starts it, and merges; never what an agent has started. */
function ours(folder: string): number[] {
  return processesOf(folder).filter((pid) => {
    const isGit = read(pid, 'environ').includes('GIT_ATTR_NOSYSTEM=1');
    return isGit || read(pid, 'cmdline').includes('\0merge-work\0');
  });
}

/** That work in the repository or in a tree of it. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(folder) ? [Number(name)] : [];
    } catch {
      return []; // it has ended
    }
  });
}

function read(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return ''; // it has ended
  }
}

/** @param mayBeDeep whether merges may be killed, too */
function drawKill(mayBeDeep: boolean): Kill {
  const drawn = random();
  const isDeep = random() < 0.6 && mayBeDeep;
  const change = 1 + Math.floor(random() * 12);
  if (drawn < 0.2) return { isDeep, moment: { folder: 'worktrees', change } };
  if (drawn < 0.35) return { isDeep, moment: { folder: 'refs/heads/signalbox', change } };
  if (drawn < 0.5) return { isDeep, moment: { folder: 'refs/heads/signalbox-attempts/plan', change } };
  return { isDeep, moment: { afterMs: 200 + random() * 0.25 * typicalMs } };
}

/** Whoever was left without its runner ends by itself. */
async function leftBehind(folder: string): Promise<string[]> {
  for (const until = performance.now() + 20_000; ; await passed(50)) {
    const left = processesOf(folder);
    if (left.length === 0 || performance.now() > until)
      return left.map((pid) => `${pid} is left behind: ${read(pid, 'cmdline').replaceAll('\0', ' ')}`);
  }
}

if (process.platform !== 'linux') {
  console.log('skipped: processes are found in /proc');
  process.exit(0);
}
console.log(`--seed ${values.seed}`);
/** How long a run takes here and now, so that the kills fall inside. */
let typicalMs = 0;
let [kills, deep, rounds] = [0, 0, 0];
while (kills < wanted) {
  const ground = new RunGround();
  const before = ownOf(ground);
  let last: Ended;
  let deepHere = 0;
  for (let i = 0; ; i++) {
    // The first run of all is not killed: it says how long one takes.
    const kill = typicalMs > 0 && i < killsOfRound && kills < wanted ? drawKill(deepHere < deepOfRound) : null;
    const startedAt = performance.now();
    last = await run(ground, kill);
    if (typicalMs === 0) typicalMs = performance.now() - startedAt;
    if (last.code !== null || kill === null) break;
    kills++;
    if (kill.isDeep) deepHere++;
  }
  deep += deepHere;
  rounds++;
  const wrong = last.code === 0 ? judge(ground, before) : [`exit ${last.code}: ${last.text}`];
  wrong.push(...(await leftBehind(ground.folder)));
  if (wrong.length > 0) {
    console.error(`after ${kills} kills (--seed ${values.seed}), in ${ground.folder}:\n  ${wrong.join('\n  ')}`);
    process.exit(1);
  }
  ground.remove();
  console.log(`${kills} kills`);
}
console.log(
  `${kills} kills in ${rounds} runs, ${deep} of them with git and merges: each change is on the branch once, nothing is lost, nobody is left`,
);
