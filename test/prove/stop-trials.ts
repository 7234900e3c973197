// `npm run prove -- stop-trials [--trials 600] [--seed S]`: stops scripts in the middle of a command, in every way that Signalbox stops
// something, and looks for the mark that only their next command leaves. None may run on, and nothing may be left alive.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ProcessTable } from '../../src/agents/process/process-table.ts';
import { runCheck } from '../../src/agents/process/run-check.ts';
import { PoolRig, path, until } from '../rigs/pool-rig.ts';
import { randomFrom } from './random.ts';

/** `./tests.sh` takes its time, `./deploy.sh` must never run. */
const scripts: Readonly<Record<string, string>> = {
  lines: './tests.sh\n./deploy.sh',
  bash: 'exec bash -c "./tests.sh; ./deploy.sh"',
  or: './tests.sh || ./deploy.sh',
  pipeline: './tests.sh | cat\n./deploy.sh',
  'end of a pipeline': 'echo | ./tests.sh | cat || ./deploy.sh; ./deploy.sh',
  loop: 'while :; do ./tests.sh; ./deploy.sh; done',
  until: 'until ./tests.sh; do ./deploy.sh; done',
  subshell: '( ./tests.sh; ./deploy.sh ); ./deploy.sh',
  nested: `sh -c 'sh -c "./tests.sh; ./deploy.sh"; ./deploy.sh'; ./deploy.sh`,
  background: '( ./tests.sh; ./deploy.sh ) & wait; ./deploy.sh',
  session: `setsid sh -c './tests.sh; ./deploy.sh' & wait; ./deploy.sh`,
  'group of its own': 'timeout 1000 ./tests.sh; ./deploy.sh',
  substitution: 'x=$(./tests.sh); ./deploy.sh',
  xargs: `printf './tests.sh\\n./deploy.sh\\n' | xargs -n 1 sh -c '$0 || true'; ./deploy.sh`,
  'bare environment': `env -i sh -c './tests.sh; ./deploy.sh'; ./deploy.sh`,
  'trap that ends': `trap 'exit 1' TERM; ./tests.sh; ./deploy.sh`,
  'trap that returns': `trap 'rm -f none' TERM; ./tests.sh; ./deploy.sh`,
  'trap that returns, in bash': `exec bash -c 'trap "rm -f none" TERM INT HUP; ./tests.sh; ./deploy.sh'`,
  'trap for everything, in bash': `exec bash -c 'cleanup() { rm -f none; }; trap cleanup EXIT INT TERM; ./tests.sh; ./deploy.sh'`,
  'loop with a trap': `trap 'true' TERM; for i in 1 2 3; do ./tests.sh; ./deploy.sh; done`,
  'loop with a trap, in bash': `exec bash -c 'trap true TERM; while :; do ./tests.sh; ./deploy.sh; done'`,
  'trap while it waits': `trap 'true' TERM; ./tests.sh & wait; ./deploy.sh`,
  'trap above a trap': `trap 'true' TERM; sh -c 'trap true TERM; ./tests.sh; ./deploy.sh'; ./deploy.sh`,
  'trap above a subshell': `trap 'true' TERM; ( ./tests.sh; ./deploy.sh ); x=$(./tests.sh); ./deploy.sh`,
  'trap at the end': `trap 'sleep 0.01' EXIT; ./tests.sh; ./deploy.sh`,
  'deaf and soon done': `trap '' TERM; ./tests.sh 1; ./deploy.sh`,
  'deaf above one that listens': `trap '' TERM; perl -e '$SIG{TERM} = "DEFAULT"; exec "./tests.sh"'; ./deploy.sh`,
};

/** One that takes no notice would be done, and go on, within the grace. */
const graceFor = (script: string): number => (script.includes('./tests.sh 1') ? 1_200 : 300);
const tests = '#!/bin/sh\necho >> started\nif [ "$1" ]; then exec sleep "$1"; fi\nsleep 1000\necho >> went-on\n';

type Trial = (rig: PoolRig, script: string, folder: string, pause: number) => Promise<void>;

const isStarted = (folder: string) => () => existsSync(join(folder, 'started'));

/** The moment after the start is drawn, so that also what is about to begin or end is hit. */
async function underWay(folder: string, pause: number): Promise<void> {
  await until(isStarted(folder));
  await delay(pause);
}

const ways: Readonly<Record<string, Trial>> = {
  asked: async (rig, script, cwd, pause) => {
    const { token } = rig.start(script, { cwd });
    await underWay(cwd, pause);
    rig.host.stop(token, graceFor(script));
    await rig.ended(token);
  },
  killed: async (rig, script, cwd, pause) => {
    const { token } = rig.start(script, { cwd });
    await underWay(cwd, pause);
    rig.host.stop(token, 0);
    await rig.ended(token);
  },
  swept: async (rig, script, cwd, pause) => {
    const left = `( ${script}\n) & while [ ! -e go ]; do sleep 0.005; done; exit 0`;
    const { token } = rig.start(left, { cwd });
    await underWay(cwd, pause);
    writeFileSync(join(cwd, 'go'), '');
    await rig.ended(token);
  },
  adopted: async (rig, script, cwd, pause) => {
    const first = new PoolRig({}, rig);
    const order = first.start(script, { cwd, token: rig.order('').token });
    await underWay(cwd, pause);
    await first.host.close();
    rig.host.adopt([{ ...order, supervisor: null }]);
    rig.host.stop(order.token, graceFor(script));
    await rig.ended(order.token);
  },
  'check by hand': async (rig, script, cwd, pause) => {
    const stop = new AbortController();
    const end = runCheck({
      command: script,
      cwd,
      env: { PATH: path, HOME: rig.folder },
      limitMs: 60_000,
      graceMs: graceFor(script),
      signal: stop.signal,
    });
    await underWay(cwd, pause);
    stop.abort();
    await end;
  },
};

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const random = randomFrom(Number(values.seed));
const [names, means] = [Object.keys(scripts), Object.keys(ways)];
const rigs = [new PoolRig({ sweepGraceMs: 1_200 }), new PoolRig({ sweepGraceMs: 1_200, subreaper: false })];
const ranOn: string[] = [];
let trials = 0;

/** Every script in every way comes round; four at once, so that stops meet each other. */
async function player(): Promise<void> {
  while (trials < Number(values.trials)) {
    const number = trials++;
    const name = names[number % names.length]!;
    const way = means[Math.floor(number / names.length) % means.length]!;
    const rig = rigs[Math.floor(random() * rigs.length)]!;
    const folder = join(rig.folder, `trial-${number}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'tests.sh'), tests, { mode: 0o755 });
    writeFileSync(join(folder, 'deploy.sh'), '#!/bin/sh\necho >> deployed\n', { mode: 0o755 });
    await ways[way]!(rig, scripts[name]!, folder, random() * 60);
    for (const mark of ['deployed', 'went-on']) {
      if (existsSync(join(folder, mark))) ranOn.push(`${number}: ${name}, ${way}: ${mark}`);
    }
  }
}

await Promise.all(Array.from({ length: 4 }, player));
const alive = (await new ProcessTable().snapshot()).filter(({ marker }) =>
  rigs.some(({ workspace }) => marker?.startsWith(`${workspace}:`)),
);
for (const rig of rigs) await rig.close();
for (const line of ranOn) console.log(`ran on: ${line}`);
for (const { pid } of alive) console.log(`left alive: ${pid}`);
console.log(`${trials} trials, ${ranOn.length} ran on, ${alive.length} left alive`);
process.exitCode = ranOn.length + alive.length === 0 ? 0 : 1;
