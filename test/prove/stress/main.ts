// `npm run prove -- lock-stress [--seconds 20] [--processes 8] [--seed S]`: real processes lock, write, die and give back on one real
// database, inside their own process and by the command. What they did is judged from the disk, from ledgers of their own and from a
// plain replay of the log: no lock lost, nobody stuck, never two holders, nothing left over.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkLedgers } from './check-ledgers.ts';
import { checkLog } from './check-log.ts';
import { readLedgers } from './ledger.ts';
import { files, names } from './resources.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    processes: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
});
const processes = Number(values.processes);
const seconds = Number(values.seconds);
const launcher = resolve('bin/signalbox.cjs');
const client = fileURLToPath(new URL('client.ts', import.meta.url));

/** In memory where that is possible: what is looked for are orders of steps, and a disk that is waited for makes few of them. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const root = mkdtempSync(join(place, 'signalbox-stress-'));
mkdirSync(join(root, '.ledger'));
mkdirSync(join(root, '.signalbox'));
for (const file of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '');
}

/** Every fourth one calls the command, as agents do; the others use the store in their own process, which is a hundred times faster. */
const clients = Array.from({ length: processes }, (_, i) => ({
  name: `p${i}`,
  kind: i % 4 === 3 ? 'command' : 'desk',
  seed: Number(values.seed) * 1000 + i,
}));
const codes = await Promise.all(
  clients.map(({ name, kind, seed }) => {
    const args = [client, root, name, String(seed), kind, String(seconds * 1000)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return new Promise<number | null>((done) => child.on('close', done));
  }),
);

const wrong: string[] = [];
codes.forEach((code, i) => {
  if (code !== 0) wrong.push(`p${i} ended with ${code}`);
});
/** What the dead have left goes when somebody asks for it: all of it, by one who wants everything. */
const command = (...args: string[]) =>
  spawnSync(process.execPath, [launcher, 'lock', ...args], { cwd: root, encoding: 'utf8' });
for (const name of ['**', 'db:test']) {
  const last = command('wait', name, '--agent', 'last', '--timeout', '10');
  if (last.status !== 0) wrong.push(`at the end, ${name} is not to be had: ${last.stderr}`);
}
command('release-all', '--agent', 'last');
const table = command('list', '--json').stdout.trim();
if (table !== '{"holds":[],"waits":[],"deadlocks":[]}') wrong.push(`at the end, the table is ${table}`);

const ledger = checkLedgers(
  readLedgers(join(root, '.ledger')),
  clients.map(({ name }) => name),
);
const log = checkLog(join(root, '.signalbox', 'state.db'), (resource) => [...names, '**'].includes(resource));
wrong.push(...ledger.wrong, ...log.wrong);
if (wrong.length > 0) {
  console.error(
    `${wrong.length} things are wrong (--seed ${values.seed}), in ${root}:\n  ${wrong.slice(0, 20).join('\n  ')}`,
  );
  process.exit(1);
}
rmSync(root, { recursive: true, force: true });
console.log(
  `${ledger.granted} locks granted to ${processes} processes in ${seconds} s, ${log.waited} waits (the longest ${ledger.longestWaitMs} ms), ` +
    `${log.refused} deadlocks refused, ${ledger.kills} processes killed, ${log.reaped} things of the dead taken back: ` +
    'no lock lost, nobody stuck, never two holders, nothing left over',
);
