// State that this user did not make on this machine: shown with a note, never acted on, until a person trusts it.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { chainSum } from '../../../src/store/sqlite/check-sum.ts';
import { Workspace } from '../rig.ts';

const plan = 'tasks:\n  a: {run: "echo a >> ran", check: "test -e ran"}\n  b: {run: "echo b >> ran", needs: [a]}\n';
const evil = plan.replace('echo b >> ran', 'echo evil > hidden').replace('test -e ran', 'echo evil > hidden');

const databaseOf = (w: Workspace) => join(w.folder, '.signalbox', 'state.db');
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd, stdio: 'ignore' });

/** A repository with a database in it: `plan-loaded` has the revision of the plan file and another definition. Its sums are right. */
async function repository(): Promise<Workspace> {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('set', 'plan.yaml');
  const good = bodies(w);
  fs.rmSync(join(w.folder, '.signalbox'), { recursive: true });
  w.write('plan.yaml', evil);
  await w.run('run', 'plan.yaml', '--only', 'a');
  expect(w.has('hidden')).toBe(true);
  const [, theirs] = /"revision":"(\w+)"/.exec(bodies(w))!;
  const [, ours] = /"revision":"(\w+)"/.exec(good)!;
  forge(w, (body) => body.replaceAll(theirs!, ours!));
  for (const name of ['hidden', 'ran', '.claude', 'docs'])
    fs.rmSync(join(w.folder, name), { recursive: true, force: true });
  w.write('plan.yaml', plan);
  git(w.folder, 'init', '-q');
  git(w.folder, 'add', '-f', 'plan.yaml', '.signalbox/state.db');
  git(w.folder, 'commit', '-qm', 'plan');
  return w;
}

function bodies(w: Workspace): string {
  const db = new Sqlite(databaseOf(w));
  const found = db.prepare('SELECT body FROM events ORDER BY seq').pluck().all();
  db.close();
  return found.join('\n');
}

function forge(w: Workspace, change: (body: string) => string): void {
  const db = new Sqlite(databaseOf(w));
  let sum = 0;
  // biome-ignore lint/suspicious/noExplicitAny: rows as they are
  for (const row of db.prepare('SELECT * FROM events ORDER BY seq').all() as any[]) {
    const { chain: _, ...event } = { ...row, body: change(row.body) };
    sum = chainSum(event, sum);
    db.prepare('UPDATE events SET body = ?, chain = ? WHERE seq = ?').run(event.body, sum, event.seq);
  }
  db.exec('DELETE FROM snapshots; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function clone(of: Workspace): Workspace {
  const w = new Workspace();
  git(w.folder, 'clone', '-q', of.folder, '.');
  return w;
}

const looking = [
  ['status'],
  ['status', '--json'],
  ['progress'],
  ['next'],
  ['why', 'b'],
  ['plans'],
  ['events'],
  ['logs', 'a'],
  ['graph'],
  ['check', 'plan.yaml'],
  ['sync-check'],
  ['run', 'plan.yaml', '--dry-run'],
  ['decide'],
  ['retryable'],
  ['exhausted'],
  ['lock', 'list'],
  ['lock', 'check', 'a.ts'],
  ['saved', 'list'],
  ['detect-stuck'],
  ['validate'],
  ['trust'],
];
const acting = [
  ['run', 'plan.yaml'],
  ['set', 'plan.yaml'],
  ['reload'],
  ['verify'],
  ['retry', 'a'],
  ['skip', 'b'],
  ['suspend', 'b'],
  ['pause'],
  ['resume'],
  ['mark-started', 'b'],
  ['mark-complete', 'a', '--force', '--reason', 'x'],
  ['mark-failed', 'b', '--error', 'x'],
  ['start-run'],
  ['lock', 'try', 'a.ts', '--agent', 'me'],
  ['lock', 'release-all', '--agent', 'me'],
  ['saved', 'restore', 's1'],
  ['validate', '--fix'],
  ['detect-stuck', '--mark'],
];

describe('a database that came with a clone', () => {
  it('is never acted on, though its sums and its revision are right', async () => {
    const w = clone(await repository());
    for (const args of acting) {
      const { code, err } = await w.run(...args);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining('signalbox trust --state')]);
    }
    expect([w.has('hidden'), w.has('ran'), w.has('docs')]).toEqual([false, false, false]);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: w.folder, encoding: 'utf8' })).toBe('');
  });

  it('is shown with a note, exit 0, and left as it is', async () => {
    const w = clone(await repository());
    for (const args of looking) {
      const { code, out, err } = await w.run(...args);
      // What attempts printed and status.json are not in the repository, which these two say.
      const expected = args[0] === 'logs' ? 2 : args[0] === 'validate' ? 1 : 0;
      expect([args, code]).toEqual([args, expected]);
      expect([args, out + err]).toEqual([args, expect.stringContaining('not known as yours')]);
    }
    expect(w.has('hidden')).toBe(false);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: w.folder, encoding: 'utf8' })).toBe('');
    expect((await w.run('status', '--json')).json.tasks[0]).toMatchObject({ id: 'a', status: 'completed' });
    const doctor = (await w.run('doctor', '--json')).json;
    expect(doctor.checks.find(({ id }: { id: string }) => id === 'trust')).toMatchObject({
      status: 'broken',
      help: expect.stringContaining('signalbox trust --state'),
    });
  });

  it('detect-stuck shows who is stuck, and marks nobody', async () => {
    const from = new Workspace({ 'plan.yaml': plan });
    await from.run('mark-started', 'a', '--plan', 'plan.yaml');
    const w = new Workspace();
    fs.cpSync(from.folder, w.folder, { recursive: true });
    const { code, out, err } = await w.run('detect-stuck', '--limit', '1ms', '--plan', 'plan.yaml');
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('has not been heard of'),
      expect.stringContaining('not known as yours'),
    ]);
    const marked = await w.run('detect-stuck', '--limit', '1ms', '--mark', '--plan', 'plan.yaml');
    expect([marked.code, marked.err]).toEqual([2, expect.stringContaining('signalbox trust --state')]);
  });

  it('saved work that came without a database has the note too, and ours has none', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    expect(await w.run('saved', 'list')).toMatchObject({ code: 0, err: '' });
    const manifest = { v: 1, id: 's1', task: 'a', attempt: 'a#1', plan: 'plan.yaml', at: 1, reason: 'x', files: [] };
    w.write('.signalbox/saved/s1/manifest.json', JSON.stringify(manifest));
    for (const args of [
      ['saved', 'list'],
      ['saved', 'show', 's1'],
    ])
      expect([args, (await w.run(...args)).err]).toEqual([args, expect.stringContaining('not known as yours')]);
    await w.run('trust', '--state');
    expect((await w.run('saved', 'list')).err).not.toContain('not known as yours');
  });

  it('says what it would run otherwise than the plan file, when a person trusts it', async () => {
    const w = clone(await repository());
    const { code, out } = await w.run('trust', '--state');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/trusted as yours now \(1 plan\)[\s\S]*plan\.yaml was loaded otherwise[\s\S]*b/),
    ]);
    expect(out).toContain('signalbox reload plan.yaml');
    expect((await w.run('reload')).code).toBe(0);
    expect((await w.run('run')).code).toBe(0);
    expect([w.has('hidden'), w.read('ran')]).toEqual([false, 'b\n']);
    expect((await w.run('trust')).out).toContain('is yours');
  });

  it('runs what the plan file says, once it is trusted, though nobody reloaded', async () => {
    const from = new Workspace({ 'plan.yaml': plan });
    expect((await from.run('run', 'plan.yaml', '--only', 'a')).code).toBe(0);
    forge(from, (body) => body.replaceAll('echo b >> ran', 'echo evil > hidden'));
    const w = new Workspace();
    fs.cpSync(from.folder, w.folder, { recursive: true });
    const differs = { inSync: false, changed: ['b'], run: 'takes' };
    expect((await w.run('sync-check', '--json')).json).toMatchObject(differs);
    expect((await w.run('trust', '--state')).out).toContain('plan.yaml was loaded otherwise than its file says now: b');
    expect((await w.run('sync-check', '--json')).json).toMatchObject(differs);
    expect((await w.run('run', '--dry-run')).out).not.toContain('evil');
    const { code, out } = await w.run('run', 'plan.yaml');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/plan\.yaml says something else than the trusted state.*changed: b/),
    ]);
    expect([w.has('hidden'), w.read('ran')]).toEqual([false, 'a\nb\n']);
    expect((await w.run('sync-check', '--json')).json.inSync).toBe(true);
  });

  it('runs no check either that the plan file does not have', async () => {
    const w = clone(await repository());
    await w.run('trust', '--state');
    expect(await w.run('verify')).toMatchObject({ code: 2, err: expect.stringContaining('signalbox reload') });
    await w.run('retry', 'a', '--force', '--reason', 'x');
    const marked = await w.run('mark-complete', 'a', '--force');
    expect([marked.code, marked.err]).toEqual([2, expect.stringContaining('signalbox reload')]);
    expect((await w.run('reload')).code).toBe(0);
    expect((await w.run('verify')).code).toBe(0);
    expect((await w.run('run')).code).toBe(0);
    expect(w.has('hidden')).toBe(false);
  });

  it('runs nothing that stands in it for a task that was at work', async () => {
    const from = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "true", check: "echo good"}\n' });
    await from.run('mark-started', 'a', '--plan', 'plan.yaml');
    forge(from, (body) => body.replaceAll('echo good', 'echo evil > hidden'));
    const w = new Workspace();
    fs.cpSync(from.folder, w.folder, { recursive: true });
    await w.run('trust', '--state');
    expect((await w.run('mark-complete', 'a')).code).toBe(2);
    expect((await w.run('reload')).code).toBe(0);
    expect((await w.run('mark-complete', 'a')).code).toBe(0);
    expect(w.has('hidden')).toBe(false);
  });

  it('that replaces mine by a pull is no longer mine', async () => {
    const origin = await repository();
    const w = clone(origin);
    await w.run('trust', '--state');
    expect((await w.run('lock', 'try', 'a.ts', '--agent', 'me')).code).toBe(0);
    git(w.folder, 'checkout', '-q', '--', '.signalbox');
    forge(origin, (body) => `${body} `);
    git(origin.folder, 'commit', '-qam', 'forged');
    git(w.folder, 'pull', '-q');
    const { code, err } = await w.run('run', 'plan.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining('its file is not the one that you made here')]);
  });
});

describe('what is on the PATH of attempts', () => {
  it('is no folder of the workspace: what a repository planted there shadows nothing', async () => {
    const w = new Workspace({
      'plan.yaml': 'tasks: {a: {run: "npm > ran; echo $PATH > path; command -v signalbox > command", check: "npm"}}\n',
      'tools/npm': '#!/bin/sh\necho real\n',
      '.signalbox/bin/npm': '#!/bin/sh\necho evil; echo evil > hidden\n',
      '.signalbox/bin/signalbox': '#!/bin/sh\necho evil > hidden\n',
    });
    for (const name of ['tools/npm', '.signalbox/bin/npm', '.signalbox/bin/signalbox'])
      fs.chmodSync(join(w.folder, name), 0o755);
    const PATH = `${join(w.folder, 'tools')}:${process.env.PATH}`;
    expect((await w.runWith({ PATH }, 'run', 'plan.yaml')).code).toBe(0);
    expect((await w.runWith({ PATH }, 'verify')).code).toBe(0);
    expect([w.read('ran'), w.has('hidden')]).toEqual(['real\n', false]);
    expect(w.read('path')).not.toContain('.signalbox');
    // Written anew for each run, whatever became of it.
    const command = w.read('command').trim();
    expect(command.startsWith(process.env.SIGNALBOX_STATE!)).toBe(true);
    fs.writeFileSync(command, '#!/bin/sh\necho old\n');
    await w.run('retry', 'a', '--force', '--reason', 'x');
    expect((await w.runWith({ PATH }, 'run')).code).toBe(0);
    expect(fs.readFileSync(command, 'utf8')).toContain('signalbox.cjs');
  });
});

describe('a workspace of mine', () => {
  const made = async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    expect((await w.run('run', 'plan.yaml', '--only', 'a')).code).toBe(0);
    return w;
  };
  const goesOnAfterTrust = async (w: Workspace, env: Record<string, string> = {}) => {
    const before = await w.runWith(env, 'run', 'plan.yaml');
    expect([before.code, before.err]).toEqual([2, expect.stringContaining('signalbox trust --state')]);
    expect((await w.runWith(env, 'trust', '--state')).code).toBe(0);
    expect((await w.runWith(env, 'run', 'plan.yaml')).code).toBe(0);
    expect(w.read('ran')).toBe('a\nb\n');
  };

  it('that was moved goes on when it is trusted', async () => {
    const from = await made();
    const w = new Workspace();
    fs.rmdirSync(w.folder);
    fs.renameSync(from.folder, w.folder);
    await goesOnAfterTrust(w);
  });

  it('whose database was restored from a copy goes on when it is trusted', async () => {
    const w = await made();
    fs.copyFileSync(databaseOf(w), join(w.folder, 'copy'));
    fs.rmSync(databaseOf(w));
    fs.renameSync(join(w.folder, 'copy'), databaseOf(w));
    await goesOnAfterTrust(w);
  });

  it('beside a fresh home goes on when it is trusted', async () => {
    const w = await made();
    const home = new Workspace().folder;
    await goesOnAfterTrust(w, { SIGNALBOX_STATE: '', HOME: home });
    const own = join(home, '.local', 'state', 'signalbox');
    expect(fs.statSync(own).mode & 0o777).toBe(0o700);
  });

  it('is known by every name that leads to it', async () => {
    const w = await made();
    const other = new Workspace();
    fs.symlinkSync(w.folder, join(other.folder, 'link'));
    const { code } = await other.startIn(join(other.folder, 'link'), {}, 'run', 'plan.yaml', '--json').ended;
    expect(code).toBe(0);
  });

  it('whose database was overwritten in place by another one is not acted on', async () => {
    const w = await made();
    const other = await made();
    fs.writeFileSync(databaseOf(w), fs.readFileSync(databaseOf(other)));
    const { code, err } = await w.run('run', 'plan.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining('it is another one than you made here')]);
  });

  it('whose database is broken, or was lost, begins again without a word about trust', async () => {
    const w = await made();
    for (const text of ['this is no database, and nobody made it here', 'short']) {
      fs.rmSync(databaseOf(w));
      fs.writeFileSync(databaseOf(w), text);
      expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    }
    fs.rmSync(join(w.folder, '.signalbox'), { recursive: true });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.read('ran')).toBe('a\nb\n');
  });

  it('is made by one of many who begin at once, and all know it', async () => {
    const w = new Workspace({ 'signalbox.yaml': '' });
    const starts = Array.from({ length: 6 }, (_, i) => w.start('lock', 'try', `f${i}`, '--agent', `a${i}`));
    const ended = await Promise.all(starts.map(({ ended }) => ended));
    expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, '']));
  });

  it('is known inside attempts that have another home', async () => {
    const w = new Workspace({
      'plan.yaml':
        'env: {HOME: /nonexistent, XDG_STATE_HOME: /nonexistent}\ntasks: {a: {run: "signalbox lock try a.ts"}}\n',
    });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });
});

describe('without a place for what is trusted', () => {
  it.each([
    ['HOME is not set', { HOME: '', SIGNALBOX_STATE: '' }],
    ['cannot be made', { SIGNALBOX_STATE: '/proc/nothing/here' }],
    ['is no folder', { SIGNALBOX_STATE: '/dev/null' }],
    ['cannot be made', { HOME: '/dev/null', SIGNALBOX_STATE: '' }],
  ])('nothing is made, and the reason is said: %s', async (why, env) => {
    const w = new Workspace({ 'plan.yaml': plan });
    for (const args of [
      ['run', 'plan.yaml'],
      ['set', 'plan.yaml'],
      ['lock', 'try', 'a', '--agent', 'me'],
    ]) {
      const { code, err } = await w.runWith(env, ...args);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining(why)]);
      expect(err).toContain('SIGNALBOX_STATE=FOLDER');
    }
    expect(fs.readdirSync(w.folder)).toEqual(['plan.yaml']);
    expect((await w.runWith(env, 'status', 'plan.yaml')).code).toBe(0);
    // What is there can be looked at.
    await w.run('run', 'plan.yaml');
    const { code, err } = await w.runWith(env, 'status');
    expect([code, err]).toEqual([0, expect.stringContaining('not known as yours')]);
  });
});
