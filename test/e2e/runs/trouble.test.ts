// Disk, database and hostile input through the real program: a clear message, a documented code, nothing lost.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = 'tasks:\n  a: {run: "echo hello"}\n  b: {run: "true", needs: [a]}\n';

describe('a broken database', () => {
  it('is kept aside by run, never deleted, and a reader is told without touching it', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    await w.run('run', 'plan.yaml');
    const rubbish = 'this is not a database, '.repeat(400);
    for (const end of ['-wal', '-shm']) writeFileSync(join(w.folder, `.signalbox/state.db${end}`), '');
    w.write('.signalbox/state.db', rubbish);
    const looked = await w.run('status', 'plan.yaml');
    expect([looked.code, looked.out]).toEqual([0, expect.stringContaining('completed')]);
    expect(looked.err).toMatch(/state\.db.*status\.json/);
    expect(looked.err).not.toMatch(/bug/);
    expect(w.read('.signalbox/state.db')).toBe(rubbish);
    const again = await w.run('run', 'plan.yaml');
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/state\.db\.broken-/);
    const kept = readdirSync(join(w.folder, '.signalbox')).find((name) => name.startsWith('state.db.broken-'))!;
    expect(w.read(`.signalbox/${kept}`)).toBe(rubbish);
  });
});

it('a database of a newer version is refused and left alone', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('run', 'plan.yaml');
  const db = new Database(join(w.folder, '.signalbox/state.db'));
  db.prepare("update meta set value = '99.0.0' where key = 'min_writer'").run();
  db.close();
  const { code, err } = await w.run('run', 'plan.yaml');
  expect(code).toBe(70);
  expect(err).toMatch(/99\.0\.0/);
});

it('a symbolic link in place of the state folder is refused, and its target stays untouched', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  mkdirSync(join(w.folder, 'elsewhere'));
  symlinkSync('elsewhere', join(w.folder, '.signalbox'));
  const { code, err } = await w.run('run', 'plan.yaml');
  expect(code).toBe(70);
  expect(err).toMatch(/\.signalbox/);
  expect(readdirSync(join(w.folder, 'elsewhere'))).toEqual([]);
});

const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0;

describe.runIf(mayMount)('a disk', () => {
  const mounted: string[] = [];
  afterEach(() => {
    for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder]);
  });
  const small = (options: string) => {
    const w = new Workspace();
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', w.folder]);
    mounted.push(w.folder);
    w.write('plan.yaml', plan);
    return w;
  };

  it('that is full is named, and the run goes on when there is room again', async () => {
    const w = small('size=2m');
    const room = Buffer.alloc(64 * 1024);
    let filled = 0;
    try {
      for (;;) writeFileSync(join(w.folder, `fill${filled++}`), room);
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
    const { code, err } = await w.run('run', 'plan.yaml');
    expect(code).toBe(70);
    expect(err).toMatch(/full|no space/i);
    for (let i = 0; i < filled; i++) truncateSync(join(w.folder, `fill${i}`));
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });

  it('that is read-only is named', async () => {
    const w = small('size=2m');
    execFileSync('mount', ['-o', 'remount,ro', w.folder]);
    const { code, err } = await w.run('run', 'plan.yaml');
    expect(code).toBe(70);
    expect(err).toMatch(/read-only|written/);
  });
});

describe('hostile text', () => {
  it('in titles and output never reaches a terminal as an escape sequence', async () => {
    const evil = '\\u001b]52;c;aGk=\\u0007\\u001b[2J';
    const w = new Workspace({
      'plan.yaml': `tasks:\n  a: {title: "x${evil}y", run: 'printf "\\033[31mred\\033]0;title\\007\\n"; exit 1', retries: 0}\n`,
    });
    const run = await w.run('run', 'plan.yaml');
    const logs = await w.run('logs', 'a');
    const status = await w.run('status');
    for (const { out, err } of [run, logs, status]) expect(out + err).not.toMatch(/[\u001b\u0007]/);
    expect(logs.out).toContain('red');
  });

  it('in ids, titles and prompts never passes through a shell', async () => {
    const evil = '$(touch pwned)`touch pwned`;touch pwned';
    const settings =
      'agents:\n  mine: {kind: command, command: [sh, -c, "cat > got; echo $0 $1 >> got", "{task}", "{attempt}"]}\n';
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plan.yaml': `tasks:\n  "a;touch\${IFS}pwned": {title: '${evil}', agent: mine, prompt: '${evil}'}\n`,
    });
    const { code } = await w.run('run', 'plan.yaml');
    expect(code).toBe(0);
    expect(w.has('pwned')).toBe(false);
    expect(w.read('got')).toContain(evil);
  });
});

it('hands nothing of our environment to attempts but what they need', async () => {
  const w = new Workspace({ 'plan.yaml': 'env: {MINE: "1"}\ntasks:\n  a: {run: "env > seen"}\n' });
  expect((await w.startWith({ AWS_SECRET_KEY: 'canary-7f3' }, 'run', 'plan.yaml').ended).code).toBe(0);
  const seen = w.read('seen');
  expect(seen).not.toContain('canary-7f3');
  expect(seen).toMatch(/^MINE=1$/m);
  for (const name of ['WORKSPACE', 'PLAN', 'TASK', 'ATTEMPT', 'AGENT', 'TOKEN']) {
    expect(seen).toMatch(new RegExp(`^SIGNALBOX_${name}=.+$`, 'm'));
  }
});

it('lets attempts call signalbox, about their own plan', async () => {
  const w = new Workspace({
    'plan.yaml': 'tasks:\n  a: {run: "mkdir -p deep && cd deep && signalbox status --json > ../seen.json"}\n',
    'other.yaml': plan,
  });
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  expect(JSON.parse(w.read('seen.json'))).toMatchObject({ plan: 'plan.yaml', running: true, outcome: null });
});

it('is not hurt by 300 MB of output and a line of 1 MB', async () => {
  const run = "head -c 300000000 /dev/zero | tr '\\\\0' x | fold -w 1000000";
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${run}"}\n` });
  const started = w.start('run', 'plan.yaml', '--json');
  let peak = 0;
  const watching = setInterval(() => {
    const status = readIfThere(`/proc/${started.pid}/status`);
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 50);
  const { code } = await started.ended;
  clearInterval(watching);
  expect(code).toBe(0);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(250_000); // kB
  const folder = join(w.folder, '.signalbox/attempts', readdirSync(join(w.folder, '.signalbox/attempts'))[0]!);
  expect(statSync(join(folder, '1-a.1.log')).size).toBeGreaterThan(300_000_000);
});

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

it('a file of 50 MB is refused at once, before it is read', async () => {
  const w = new Workspace();
  w.write('plan.md', '- [ ] a: x\n'.repeat(5_000_000));
  const before = Date.now();
  const { code, out } = await w.run('check', 'plan.md');
  expect(code).toBe(3);
  expect(out).toContain('plan.md:1:1: error[file-too-large]: this file has 55.0 MB, and a plan 45 MB at most');
  expect(out).toContain('split the plan');
  expect(Date.now() - before).toBeLessThan(5_000);
});
