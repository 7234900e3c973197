// Breaking the real files: what is lost is taken from what is left, and finished work stays finished.
import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const plan = `# P
- [ ] a: First
  - run: \`echo a >> ran\`
- [ ] b: Second → a
  - run: \`echo b >> ran; test -e b-may\`
  - retries: 0
- [ ] c: Third → b
  - run: \`echo c >> ran\`
`;
const place = 'docs/plan-outputs/plan/status.json';
const statusOf = (w: Workspace): Record<string, string> =>
  Object.fromEntries(JSON.parse(w.read(place)).tasks.map((task: Line) => [task.id, task.status]));
const half = { a: 'completed', b: 'failed', c: 'blocked' };

async function halfDone(): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': plan });
  expect((await w.run('run', 'plan.md')).code).toBe(5);
  expect(statusOf(w)).toEqual(half);
  return w;
}

const database = (w: Workspace) => join(w.folder, '.signalbox/state.db');
const forgetWal = (w: Workspace) => {
  for (const end of ['-wal', '-shm']) rmSync(`${database(w)}${end}`, { force: true });
};
const keptAside = (w: Workspace) =>
  readdirSync(join(w.folder, '.signalbox')).filter((name) => name.startsWith('state.db.broken'));

const breakages: readonly [string, (w: Workspace) => void, number][] = [
  ['deleted', (w) => rmSync(database(w)), 0],
  ['empty', (w) => writeFileSync(database(w), ''), 0],
  ['cut off', (w) => truncateSync(database(w), 5000), 1],
  ['its header only', (w) => truncateSync(database(w), 100), 1],
  ['garbage', (w) => writeFileSync(database(w), 'garbage '.repeat(2000)), 1],
];

describe.each(breakages)('a database that is %s', (_, damage, backups) => {
  it('is kept aside once, and the state comes from status.json', async () => {
    const w = await halfDone();
    forgetWal(w);
    damage(w);
    const { code, err, lines } = await w.run('run', 'plan.md', '--json');
    expect(code, err).toBe(5);
    expect(err).toMatch(/taken from docs\/plan-outputs\/plan\/status\.json \(1 completed, 1 failed, 0 others\)/);
    const event = lines.find(({ type }) => type === 'status-imported');
    expect(event).toMatchObject({
      from: place,
      tasks: [
        { task: 'a', status: 'completed' },
        { task: 'b', status: 'failed' },
      ],
    });
    expect(statusOf(w)).toEqual(half);
    await w.run('status');
    await w.run('retry', 'b');
    expect((await w.run('run')).code).toBe(5);
    expect(keptAside(w)).toHaveLength(backups);
    // `a` ran once, `b` in the first run and when it was retried.
    expect(w.read('ran')).toBe('a\nb\nb\n');
    expect((await w.run('validate')).out).toMatch(/^OK: /);
  });

  it('is replaced by commands too', async () => {
    const w = await halfDone();
    forgetWal(w);
    damage(w);
    const { code, err } = await w.run('skip', 'b', '--treat-as-done', '--plan', 'plan.md');
    expect(code, err).toBe(0);
    expect(statusOf(w)).toEqual({ a: 'completed', b: 'skipped', c: 'pending' });
    expect(keptAside(w)).toHaveLength(backups);
  });

  it('is replaced by reload, which then takes the file as it is now', async () => {
    const w = await halfDone();
    forgetWal(w);
    damage(w);
    w.write('plan.md', `${plan}- [ ] d: Fourth → c\n`);
    const { code, err } = await w.run('reload', 'plan.md');
    expect(code, err).toBe(0);
    expect(err).toMatch(/taken from docs\/plan-outputs\/plan\/status\.json \(1 completed, 1 failed, 0 others\)/);
    expect(statusOf(w)).toEqual({ ...half, d: 'blocked' });
    expect(keptAside(w)).toHaveLength(backups);
  });

  it('is replaced at once by validate --fix', async () => {
    const w = await halfDone();
    forgetWal(w);
    damage(w);
    expect((await w.run('validate')).code).toBe(1);
    const { code, out, err } = await w.run('validate', '--fix');
    expect(code, out + err).toBe(0);
    expect(await w.status('plan.md')).toEqual(half);
    expect(keptAside(w)).toHaveLength(backups);
  });
});

describe('with the database lost', () => {
  it('looking shows what will be imported, and creates nothing', async () => {
    const w = await halfDone();
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    expect(await w.status('plan.md')).toEqual(half);
    expect(w.has('.signalbox')).toBe(false);
  });

  it('a broken status.json leaves the backup, and says so', async () => {
    const w = await halfDone();
    const good = w.read(place);
    w.write(`${place}.bak`, good);
    const text = good;
    for (const broken of [text.slice(0, text.length / 2), '', '\0\0', text.replaceAll('"status"', '"state"')]) {
      rmSync(join(w.folder, '.signalbox'), { recursive: true });
      w.write(place, broken);
      const { code, err } = await w.run('set', 'plan.md');
      expect(code, err).toBe(0);
      expect(err).toMatch(
        /status\.json could not be used: [\s\S]*taken from docs\/plan-outputs\/plan\/status\.json\.bak/,
      );
      expect(statusOf(w)).toEqual(half);
      expect(JSON.parse(w.read(`${place}.bak`)).summary.completed).toBe(1);
    }
  });

  it('and both files broken, the ticked boxes of the plan are left', async () => {
    const w = new Workspace({ 'plan.md': plan.replace('[ ] a', '[x] a') });
    await w.run('set', 'plan.md');
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    w.write(place, '{"tasks":7}');
    w.write(`${place}.bak`, 'x');
    const { err } = await w.run('set', 'plan.md');
    expect(err).toMatch(/begins with the plan and the boxes that are ticked in it/);
    expect(statusOf(w)).toEqual({ a: 'completed', b: 'pending', c: 'pending' });
  });

  it('retries that were used up stay used up', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n- [ ] b: B\n' });
    await w.run('set', 'plan.md');
    const fail = (task: string) => w.run('mark-failed', task, '--error', 'no');
    const start = async (task: string) => (await w.run('mark-started', task)).code;
    for (const task of ['a', 'a', 'a', 'b', 'b']) {
      expect(await start(task)).toBe(0);
      expect((await fail(task)).code).toBe(0);
    }
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    await w.run('set', 'plan.md');
    const left = async (word: string) =>
      (await w.run(word, '--json')).json.tasks.map(({ task, id }: Line) => task ?? id);
    expect([await left('exhausted'), await left('retryable')]).toEqual([['a'], ['b']]);
    expect([await start('a'), await start('b')]).toEqual([2, 0]);
  });

  it('what is not in the plan any more is named', async () => {
    const w = await halfDone();
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    w.write('plan.md', plan.replace('a: First', 'z: First').replace('→ a', '→ z'));
    const { err } = await w.run('set', 'plan.md');
    expect(err).toMatch(/not in the plan, and so not taken from [^:]*: a\n/);
  });
});

describe('with the database fine', () => {
  const damages: readonly [string, (w: Workspace) => void][] = [
    ['deleted', (w) => rmSync(join(w.folder, place))],
    ['broken', (w) => w.write(place, '{"tasks":')],
    ['older', (w) => copyFileSync(join(w.folder, `${place}.bak`), join(w.folder, place))],
    ['edited', (w) => w.write(place, w.read(place).replace('"failed"', '"completed"'))],
    ['from the future', (w) => w.write(place, w.read(place).replace(/"seq": \d+/, '"seq": 99999'))],
  ];
  it.each(damages)('a status.json that is %s is written again, at once by validate --fix', async (_, damage) => {
    const w = await halfDone();
    damage(w);
    const found = await w.run('validate');
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(/✖ (status|summary): docs/)]);
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect(statusOf(w)).toEqual(half);
    expect((await w.run('validate')).out).toMatch(/^OK: /);
    damage(w);
    await w.run('pause');
    expect(statusOf(w)).toEqual(half);
    expect((await w.run('validate')).out).toMatch(/^OK: /);
  });

  it('validate finds what else is wrong', async () => {
    const w = await halfDone();
    w.write('docs/plan-outputs/plan/findings/a.md', 'of a task');
    expect((await w.run('validate')).code).toBe(0);
    w.write('docs/plan-outputs/plan/findings/nobody.md', 'of no task');
    w.write(`${place}.bak`, 'x');
    w.write(place, w.read(place).replace('"completed":1', '"completed":2'));
    const { json, code } = await w.run('validate', '--json');
    expect(code).toBe(1);
    expect(json.problems.map(({ about }: Line) => about)).toEqual(['status', 'summary', 'backup', 'findings']);
    const fixed = await w.run('validate', '--fix', '--json');
    expect(fixed.json.problems.map(({ fixed: is }: Line) => is)).toEqual([true, true, true, false]);
    expect(readFileSync(join(w.folder, 'docs/plan-outputs/plan/findings/nobody.md'), 'utf8')).toBe('of no task');
    rmSync(join(w.folder, 'docs/plan-outputs/plan/findings/nobody.md'));
    expect((await w.run('validate')).code).toBe(0);
  });

  it('validate finds a gap in the log, and a snapshot that says something else', async () => {
    const many = Array.from({ length: 120 }, (_, i) => `  t${i}: {}`).join('\n');
    const w = new Workspace({ 'plan.yaml': `tasks:\n${many}\n` });
    await w.run('set', 'plan.yaml');
    await w.run('skip', 't1', 't2');
    const change = (sql: string) => {
      const db = new Database(database(w));
      const { changes } = db.prepare(sql).run();
      db.close();
      expect(changes).toBeGreaterThan(0);
    };
    change(`update snapshots set body = replace(body, '"paused":null', '"paused":{"by":"x","at":1}') where plan <> ''`);
    expect((await w.run('validate', '--json')).json.problems[0]).toMatchObject({ about: 'snapshot', fixed: false });
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect((await w.run('validate')).code).toBe(0);
    change('delete from events where seq = 2');
    const gap = await w.run('validate', '--json');
    expect(gap.code).toBe(1);
    expect(JSON.stringify(gap.json.problems)).toMatch(/gap|follows/);
  });
});
