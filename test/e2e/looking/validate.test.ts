// What `validate` holds against the log beside status.json and its backup: each is broken for real, found, put right, and well again.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const outputs = 'docs/plan-outputs/plan';
const times = `${outputs}/timestamps`;
const found = async (w: Workspace, ...more: string[]): Promise<[number | null, ...string[]]> => {
  const { code, json } = await w.run('validate', '--json', ...more);
  return [code, ...json.problems.map(({ about, message, fixed }: Line) => `${about} ${message}${fixed ? ' ✔' : ''}`)];
};

describe('the times of attempts', () => {
  async function halfDone(): Promise<Workspace> {
    const w = new Workspace({ 'plan.yaml': 'retries: 0\ntasks: {a: {run: "true"}, b: {run: "false"}, c: {}}\n' });
    await w.run('run', 'plan.yaml', '--only', 'a,b');
    await w.run('mark-complete', 'c');
    expect(await found(w)).toEqual([0]);
    return w;
  }
  const all = (w: Workspace) =>
    readdirSync(join(w.folder, times))
      .sort()
      .map((name) => w.read(`${times}/${name}`));

  it('are written again from the log, exactly as they were', async () => {
    const w = await halfDone();
    const before = all(w);
    expect(before).toHaveLength(3);
    rmSync(join(w.folder, times, 'a%231.json'));
    w.write(`${times}/b%231.json`, '{"attempt":');
    w.write(`${times}/c%231.json`, before[2]!.replace('"parked":0', '"parked":9'));
    const wrong = [`timestamps ${times}/a%231.json is missing`];
    wrong.push(`timestamps ${times}/b%231.json and 1 more say something else than the log`);
    expect(await found(w)).toEqual([1, ...wrong]);
    expect(await found(w, '--fix')).toEqual([0, ...wrong.map((one) => `${one} ✔`)]);
    expect(await found(w)).toEqual([0]);
    expect(all(w)).toEqual(before);
    rmSync(join(w.folder, times), { recursive: true });
    expect((await w.run('validate')).out).toContain(`${times}/a%231.json and 2 more are missing`);
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect(all(w)).toEqual(before);
  });

  it('from before a log was lost stay', async () => {
    const w = await halfDone();
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    await w.run('set', 'plan.yaml');
    expect(await found(w, '--fix')).toEqual([0]);
    expect(all(w)).toHaveLength(3);
  });
});

it('locks are kept through checks and reviews, by hand and by a run, and nothing is wrong with that', async () => {
  const tasks = 'a: {run: "true", files: [x.txt], review: human}, b: {run: "true", files: [y.txt], review: human}';
  const w = new Workspace({ 'plan.yaml': `tasks: {${tasks}}\n` });
  await w.run('mark-complete', 'a', '--plan', 'plan.yaml');
  expect((await w.run('run', 'plan.yaml')).code).toBe(4);
  expect((await w.run('lock', 'list', '--json')).json.holds.map(({ resource }: Line) => resource)).toEqual([
    'x.txt',
    'y.txt',
  ]);
  for (const how of [[], ['--deep']]) expect(await found(w, ...how)).toEqual([0]);
});

describe('a status.json that a command by hand could not write', () => {
  it('is older than the log, also while somebody is at work', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}, b: {}}\n' });
    await w.run('mark-started', 'a', '--plan', 'plan.yaml');
    const old = w.read(`${outputs}/status.json`);
    await w.run('mark-started', 'b');
    w.write(`${outputs}/status.json`, old);
    expect(await found(w)).toEqual([1, `status ${outputs}/status.json is older than the log`]);
    expect((await found(w, '--fix'))[0]).toBe(0);
    expect(await found(w)).toEqual([0]);
  });
});

it('nothing is wrong while others mark tasks', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `t${i}`);
  const w = new Workspace({ 'plan.yaml': `tasks: {${ids.map((id) => `${id}: {}`)}}\n` });
  await w.run('set', 'plan.yaml');
  const markAll = async (some: readonly string[]) => {
    for (const id of some) expect((await w.start('mark-complete', id).ended).code).toBe(0);
  };
  const marking = Promise.all([markAll(ids.slice(0, 10)), markAll(ids.slice(10))]);
  let isOver = false;
  void marking.then(() => {
    isOver = true;
  });
  let looked = 0;
  for (; !isOver; looked++) expect(await found(w)).toEqual([0]);
  expect(looked).toBeGreaterThan(2);
  await marking;
  expect(await found(w)).toEqual([0]);
});

describe('what a killed command left', () => {
  it('in the findings is removed, and what a living one writes is not', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}}\n', text: 'whole\n' });
    await w.run('write-findings', 'a', '--file', 'text', '--plan', 'plan.yaml');
    const [dead, alive] = [`.a.md.${2 ** 22 + 1}.new`, `.a.md.${process.ppid}.new`];
    for (const name of [dead, alive]) w.write(`${outputs}/findings/${name}`, 'half');
    const left = `findings ${outputs}/findings/${dead} was left by a command that was killed`;
    expect(await found(w)).toEqual([1, left]);
    expect(await found(w, '--fix')).toEqual([0, `${left} ✔`]);
    expect(readdirSync(join(w.folder, outputs, 'findings')).sort()).toEqual([alive, 'a.md']);
    // Whoever writes about the same task next clears up as well.
    w.write(`${outputs}/findings/${dead}`, 'half');
    await w.run('write-findings', 'a', '--file', 'text', '--append');
    expect(readdirSync(join(w.folder, outputs, 'findings')).sort()).toEqual([alive, 'a.md']);
    expect(w.read(`${outputs}/findings/a.md`)).toBe('whole\nwhole\n');
  });

  it('among the times is removed', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}}\n' });
    await w.run('mark-complete', 'a', '--plan', 'plan.yaml');
    w.write(`${times}/a%231.json.new`, '{"att');
    expect((await found(w))[0]).toBe(1);
    expect((await found(w, '--fix'))[0]).toBe(0);
    expect(readdirSync(join(w.folder, times))).toEqual(['a%231.json']);
  });
});

describe('what stays readable though it was changed', () => {
  async function ran(): Promise<Workspace> {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "true"}, b: {run: "true"}, c: {}}\n' });
    await w.run('run', 'plan.yaml', '--only', 'a,b');
    await w.run('mark-started', 'c');
    await w.run('mark-complete', 'c');
    expect(await found(w)).toEqual([0]);
    return w;
  }

  /** Only who compares everything sees that: a quick look was enough. */
  async function expectQuick(w: Workspace): Promise<void> {
    const [file] = readdirSync(join(w.folder, times)).map((name) => `${times}/${name}`);
    const text = w.read(file!);
    w.write(file!, text.replace('"parked":0', '"parked":9'));
    expect(await found(w)).toEqual([0]);
    w.write(file!, text);
  }

  it('is looked for only when something is not as it was written', async () => {
    const w = await ran();
    await expectQuick(w);
    w.write('text', 'found\n');
    w.write('other.md', '- [ ] 1. Other\n');
    for (const args of [
      ['write-findings', 'a', '--file', 'text'],
      ['lock', 'try', 'x.ts', '--agent', 'ann'],
      ['set', 'other.md'],
    ])
      expect((await w.run(...args)).code).toBe(0);
    await expectQuick(w);
    for (const name of ['status.json', 'status.json.bak']) {
      w.write(`${outputs}/${name}`, '{');
      expect((await found(w))[0]).toBe(1);
      expect((await found(w, '--fix'))[0]).toBe(0);
      await expectQuick(w);
    }
  });

  it('in the log is told by its event, and nothing else is made from it', async () => {
    const w = await ran();
    const before = w.read(`${outputs}/status.json`);
    const database = new Sqlite(join(w.folder, '.signalbox', 'state.db'));
    const { seq } = database
      .prepare<[], { seq: number }>("select seq from events where type = 'attempt-ended' and body like '%\"b\"%'")
      .get()!;
    database.prepare(`update events set body = replace(body, '"code":0', '"code":1') where seq = ?`).run(seq);
    database.close();
    const wrong = `log the log is broken: event ${seq} is not as it was written`;
    expect(await found(w)).toEqual([1, wrong]);
    expect(await found(w, '--fix')).toEqual([1, wrong]);
    expect(w.read(`${outputs}/status.json`)).toBe(before);
    // The way out that is told.
    renameSync(join(w.folder, '.signalbox', 'state.db'), join(w.folder, 'state.db'));
    await w.run('set', 'plan.yaml');
    expect((await w.run('status', '--json')).json.tasks.map(({ status }: Line) => status)).toEqual(
      Array(3).fill('completed'),
    );
    expect(await found(w)).toEqual([0]);
  });

  it('in a file of times is found by --deep, and by its number without', async () => {
    const w = await ran();
    const [file] = readdirSync(join(w.folder, times)).map((name) => `${times}/${name}`);
    w.write(file!, w.read(file!).replace('"parked":0', '"parked":9'));
    expect(await found(w)).toEqual([0]);
    const wrong = `timestamps ${file} says something else than the log`;
    expect(await found(w, '--deep')).toEqual([1, wrong]);
    rmSync(join(w.folder, file!));
    expect(await found(w)).toEqual([1, `timestamps ${file} is missing`]);
    expect((await found(w, '--fix'))[0]).toBe(0);
    expect(await found(w, '--deep')).toEqual([0]);
  });

  it.each(['status.json', 'status.json.bak'])('in %s is found, whatever its time says', async (name) => {
    const w = await ran();
    const file = `${outputs}/${name}`;
    const { atime, mtime } = statSync(join(w.folder, file));
    w.write(
      file,
      w
        .read(file)
        .replace(/"id":"a"/, '"id":"ä"')
        .slice(0, name.endsWith('bak') ? -5 : undefined),
    );
    utimesSync(join(w.folder, file), atime, mtime);
    expect((await found(w))[0]).toBe(1);
    expect((await found(w, '--fix'))[0]).toBe(0);
    expect(await found(w)).toEqual([0]);
  });

  it('in saved work that is gone from where it was', async () => {
    const w = await ran();
    mkdirSync(join(w.folder, '.signalbox/saved/x-1'), { recursive: true });
    const about = { attempt: 'x#1', task: 'x', plan: 'plan.yaml', at: '', reason: '' };
    const manifest = { version: 1, id: 'x-1', token: '1', ...about, files: [] };
    w.write('.signalbox/saved/x-1/manifest.json', JSON.stringify(manifest));
    expect(await found(w)).toEqual([1, `status ${outputs}/status.json says something else than the log`]);
    expect((await found(w, '--fix'))[0]).toBe(0);
    expect(await found(w)).toEqual([0]);
  });
});

it.each([
  ['the locks', "replace(body, 'src/x.ts', 'src/z.ts') where plan = ''"],
  ['the states of tasks', `replace(body, '"age":2}', '"age":1}') where plan <> ''`],
])('a snapshot that says something else about %s is made again from the log', async (_, change) => {
  const w = new Workspace({ 'plan.yaml': `tasks: {${Array.from({ length: 120 }, (_, i) => `t${i}: {}`)}}\n` });
  await w.run('lock', 'try', 'src/x.ts', '--agent', 'robin');
  await w.run('set', 'plan.yaml');
  await w.run('lock', 'try', 'src/y.ts', '--agent', 'robin');
  expect(await found(w)).toEqual([0]);
  const database = new Sqlite(join(w.folder, '.signalbox', 'state.db'));
  const { body } = database.prepare(`select group_concat(body) as body from snapshots`).get() as { body: string };
  database.exec(`update snapshots set body = ${change}`);
  expect(database.prepare(`select group_concat(body) as body from snapshots`).get()).not.toEqual({ body });
  database.close();
  const wrong = 'snapshot the snapshot contradicts the log';
  expect(await found(w)).toEqual([1, wrong]);
  expect((await found(w, '--fix'))[0]).toBe(0);
  expect(await found(w)).toEqual([0]);
  expect((await w.run('lock', 'list')).out).toMatch(/src\/x\.ts[\s\S]*src\/y\.ts/);
});

it('findings that cannot be written are no bug, and nothing is recorded', async () => {
  const w = new Workspace({ 'plan.yaml': 'tasks: {a: {}}\n', text: 'new\n' });
  await w.run('set', 'plan.yaml');
  mkdirSync(join(w.folder, outputs, 'findings', 'a.md'), { recursive: true });
  const { code, err } = await w.run('write-findings', 'a', '--file', 'text');
  expect([code, err]).toEqual([70, expect.stringContaining('the findings of a could not be written: ')]);
  expect(err).not.toContain('bug');
  expect(readdirSync(join(w.folder, outputs, 'findings'))).toEqual(['a.md']);
  rmSync(join(w.folder, outputs, 'findings'), { recursive: true });
  w.write(`${outputs}/findings`, 'a file');
  const other = await w.run('write-findings', 'a', '--file', 'text');
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('findings is not a folder')]);
});
