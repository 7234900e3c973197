// The ground under a command gives way: pipes where files should be, a database that vanishes, no descriptor left, a log of gigabytes.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { someOf } from '../../how-many.ts';
import { type Ended, type Started, Workspace } from '../rig.ts';

const launcher = resolve('bin/signalbox.cjs');
const plan = '- [ ] a: Build\n  - files: a.txt\n  - run: echo out\n';

/** The command ends by itself; a hang is the failure that is looked for, so it is ended after a while. */
async function ends(started: Started): Promise<Ended> {
  const timer = setTimeout(() => started.kill('SIGKILL'), 20_000);
  const ended = await started.ended;
  clearTimeout(timer);
  return ended;
}

const places = [
  'state.db',
  'state.db-wal',
  'state.db-shm',
  'state.db-journal',
  '.gitignore',
  'attempts',
  'journals',
  'before',
  'saved',
  'LOG',
  'journals/r1.journal',
];

describe.each(someOf(places))('a pipe in the place of %s', (place) => {
  test('hangs no command', async () => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('run', 'plan.md');
    const [attempts] = readdirSync(join(w.folder, '.signalbox/attempts'));
    const known: Record<string, () => string> = {
      LOG: () => `attempts/${attempts}/1-a.1.log`,
    };
    const file = join(w.folder, '.signalbox', known[place]?.() ?? place);
    rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
    w.write('plan.md', `${plan}- [ ] b: More\n  - files: b.txt\n  - run: echo more\n`);
    for (const args of [['status'], ['logs', 'a'], ['validate'], ['saved', 'list'], ['doctor'], ['run', 'plan.md']]) {
      expect((await ends(w.start(...args))).code, args.join(' ')).not.toBe(null);
    }
  });
});

describe.each([
  ['events --follow', ['events', 'plan.md', '--follow']],
  ['status --watch', ['status', 'plan.md', '--watch']],
  ['logs --follow', ['logs', 'w', '--plan', 'plan.md', '--follow']],
])('%s', (_, args) => {
  test.each(['removed', 'moved'])('says that the database was %s, and ends', async (how) => {
    const w = new Workspace({ 'plan.md': '- [ ] w: Wait\n  - run: echo begun; touch here; cat pipe\n' });
    execFileSync('mkfifo', [join(w.folder, 'pipe')]);
    const run = w.start('run', 'plan.md', '--json');
    await w.appears('here');
    const watching = w.start(...args);
    await new Promise((resolve) => watching.child.stdout!.once('data', resolve));
    const state = join(w.folder, '.signalbox');
    if (how === 'moved') renameSync(state, `${state}-elsewhere`);
    else for (const suffix of ['', '-wal', '-shm']) rmSync(join(state, `state.db${suffix}`), { force: true });
    const { code, err } = await ends(watching);
    expect(code).toBe(70);
    expect(err).toMatch(/The database .*state\.db was moved, replaced or deleted/);
    run.kill('SIGKILL');
    execFileSync('sh', ['-c', `exec 3<>pipe; echo x >&3`], { cwd: w.folder });
  });
});

test('a long log is printed without a warning, however often its reader makes it wait, and in little memory', async () => {
  const w = new Workspace({ 'plan.md': plan });
  await w.run('run', 'plan.md');
  const [attempts] = readdirSync(join(w.folder, '.signalbox/attempts'));
  const size = 48 * 2 ** 20;
  writeFileSync(join(w.folder, '.signalbox/attempts', attempts!, '1-a.1.log'), `${'x'.repeat(63)}\n`.repeat(size / 64));
  // What Node opens as a pipe is a socket, which is written to without waiting.
  const child = spawn(process.execPath, ['--max-old-space-size=32', launcher, 'logs', 'a'], {
    cwd: w.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [read, err] = [0, ''];
  child.stdout.on('data', (chunk: Buffer) => (read += chunk.length));
  child.stderr.on('data', (text) => (err += text));
  await new Promise((resolve) => child.on('close', resolve));
  expect(err).toBe('');
  expect(read).toBe(size);
});

test('no descriptor left is called by its name', async () => {
  const w = new Workspace({ 'plan.md': plan });
  await w.run('run', 'plan.md');
  const answers: string[] = [];
  for (let limit = 16; limit <= 40; limit += 2) {
    const script = `ulimit -n ${limit}; exec "${process.execPath}" "${launcher}" status`;
    const child = spawn('sh', ['-c', script], { cwd: w.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    // Below some limit Node itself does not start.
    if (code !== 0 && err.startsWith('signalbox:')) answers.push(err);
  }
  for (const answer of answers) expect(answer).toMatch(/too many open files.*ulimit -n/is);
  expect(answers.join('')).not.toContain('bug in Signalbox');
});
