// `npm run prove -- kill-commands [--kills 200] [--seed S]`: kills every command that writes with SIGKILL at random moments, so many times each,
// and looks at what other programs would read: status.json is whole and never older than before, the log is whole, and nothing piles
// up beside it. Shares no code with the program.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const kills = Number(values.kills);
const launcher = resolve('bin/signalbox.cjs');

const random = randomFrom(values.seed);

const folder = mkdtempSync(join(tmpdir(), 'signalbox-prove-'));
const outputs = join(folder, 'docs/plan-outputs/plan');
const status = join(outputs, 'status.json');
const tasks = Array.from({ length: 300 }, (_, i) => `- [ ] t${i}: Task ${i}\n  - run: \`true\`\n`).join('');
const planText = (n) => `# P\n\nEdition ${n}.\n\n${tasks}`;
writeFileSync(join(folder, 'plan.md'), planText(0));

/** What a killed command has recorded and not written: the next one writes the first, `validate --fix` the second. */
const mayLag = new Set(['status', 'timestamps']);

/** Each is given what it acts on; some of them are refused, which writes nothing. */
const commands = [
  (i) => ['suspend', `t${i % 300}`],
  (i) => ['resume', `t${i % 300}`],
  (i) => ['skip', `t${i % 300}`, '--treat-as-done'],
  (i) => ['retry', `t${i % 300}`],
  () => ['pause'],
  () => ['resume'],
  () => ['set', 'plan.md'],
  () => ['reload'],
  () => ['validate', '--fix'],
  (i) => ['run', '--only', `t${(i * 7) % 300},t${(i * 7 + 1) % 300}`],
  (i) => ['mark-started', `t${i % 300}`],
  (i) => ['mark-complete', `t${i % 300}`, '--notes', 'fine'],
  (i) => ['mark-failed', `t${i % 300}`, '--error', 'no'],
  (i) => ['mark-skipped', `t${i % 300}`, '--treat-as-done'],
  () => ['start-run'],
].filter((make) => {
  const [name] = make(0);
  const { stdout } = spawnSync(process.execPath, [launcher, name, '--help'], { encoding: 'utf8' });
  return stdout.includes(`$ signalbox ${name}`);
});

function call(args, killAfterMs) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [launcher, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      done({ code, out, err, killed: signal === 'SIGKILL' });
    });
  });
}

const failures = [];
const fail = (args, text) => {
  failures.push(`${args.join(' ')}: ${text}`);
  console.error(`FAILED ${failures.at(-1)}`);
};
const written = () => JSON.parse(readFileSync(status, 'utf8'));

await call(['set', 'plan.md'], null);
let last = written();
let killed = 0;
let calls = 0;
for (const make of commands) {
  const args0 = make(0);
  // How long it takes undisturbed says where its moments lie; others that run here make it longer now and then.
  const durations = [];
  for (let i = 0; i < 3; i++) {
    const began = performance.now();
    await call(args0, null);
    durations.push(performance.now() - began);
  }
  const whole = Math.max(...durations) * 1.2;
  let hit = 0;
  for (let i = 0; i < kills; i++) {
    const args = make(i + 1);
    if (args[0] === 'reload') writeFileSync(join(folder, 'plan.md'), planText(calls));
    const ended = await call(args, random() * whole);
    calls++;
    if (ended.killed) hit++;
    try {
      const now = written();
      if (now.log === last.log && now.seq < last.seq)
        fail(args, `status.json went back from ${last.seq} to ${now.seq}`);
      if (now.log !== last.log) fail(args, 'another log');
      last = now;
      const backup = `${status}.bak`;
      if (existsSync(backup)) JSON.parse(readFileSync(backup, 'utf8'));
    } catch (error) {
      fail(args, `status.json: ${error.message}`);
    }
    // Killed ones may leave theirs; the next that writes removes it.
    const fresh = readdirSync(outputs).filter((name) => name.endsWith('.new'));
    if (fresh.length > 20) fail(args, `${fresh.length} temporary files`);
  }
  killed += hit;
  const validated = await call(['validate', '--json'], null);
  const wrong = JSON.parse(validated.out).problems.filter(({ about }) => !mayLag.has(about));
  if (wrong.length > 0) fail(args0, JSON.stringify(wrong));
  console.log(`${args0[0]}: ${hit} of ${kills} killed, seq ${last.seq}`);
}
await call(['pause'], null);
await call(['resume'], null);
const left = readdirSync(outputs).filter((name) => name.endsWith('.new'));
if (left.length > 0) fail(['afterwards'], `left behind: ${left.join(', ')}`);
// The next command has written status.json; times that a killed one left out are written by whoever asks for it.
const mended = JSON.parse((await call(['validate', '--fix', '--json'], null)).out);
if (mended.problems.some(({ about }) => about !== 'timestamps')) fail(['validate'], JSON.stringify(mended.problems));
const end = JSON.parse((await call(['validate', '--json'], null)).out);
if (!end.ok) fail(['validate'], JSON.stringify(end.problems));
const aside = readdirSync(join(folder, '.signalbox')).filter((name) => name.includes('broken'));
if (aside.length > 0) fail(['afterwards'], `databases kept aside: ${aside.join(', ')}`);
console.log(
  `${calls} calls of ${commands.length} commands, ${killed} killed, ${failures.length} failures, seed ${values.seed}`,
);
if (failures.length === 0) rmSync(folder, { recursive: true, force: true });
process.exit(failures.length === 0 ? 0 : 1);
