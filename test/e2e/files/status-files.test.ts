// The files that other programs read, through the real program.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusSchema } from '../../../src/api/reports/status-file.ts';
import { readStatus } from '../../../src/status/read-status.ts';
import { schemaMistakes } from '../../schema-mistakes.ts';
import { type Line, Workspace } from '../rig.ts';

const plan = `# The plan
## Phase 1: One
- [ ] a: First
  - run: \`true\`
- [ ] b: Second → a
  - run: \`false\`
  - retries: 0
- [ ] c: Third → b
  - run: \`true\`
- [ ] d: Fourth
  - run: \`true\`
`;
const place = 'docs/plan-outputs/plan/status.json';
const statusOf = (w: Workspace, file = place): Line => JSON.parse(w.read(file));
const hashOf = (w: Workspace, name: string) =>
  createHash('sha256')
    .update(readFileSync(join(w.folder, name)))
    .digest('hex');
const byTask = (status: Line) => Object.fromEntries(status.tasks.map((task: Line) => [task.id, task.status]));

describe('status.json', () => {
  it('is published as a schema', () => {
    expect(JSON.parse(readFileSync('schema/status.json', 'utf8'))).toEqual(statusSchema());
  });

  it('is as the schema says and as status says, after every command that changes the plan', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const before = hashOf(w, 'plan.md');
    let last = 0;
    for (const call of [
      ['set', 'plan.md'],
      ['suspend', 'd', '--reason', 'later'],
      ['run'],
      ['resume', 'd'],
      ['retry', 'b'],
      ['skip', 'b', '--treat-as-done', '--reason', 'by hand'],
      ['run'],
      ['pause'],
    ]) {
      const { code, err } = await w.run(...call);
      expect(code, err).toBeLessThan(7);
      const status = statusOf(w);
      expect(schemaMistakes(statusSchema(), status)).toEqual([]);
      const { json } = await w.run('status', '--json');
      expect(status.summary, call.join(' ')).toEqual(json.summary);
      expect(byTask(status)).toEqual(Object.fromEntries(json.tasks.map((task: Line) => [task.id, task.status])));
      expect(status.seq).toBeGreaterThan(last);
      last = status.seq;
      expect((await w.run('validate')).out).toMatch(/^OK: /);
    }
    expect(byTask(statusOf(w))).toEqual({ a: 'completed', b: 'skipped', c: 'completed', d: 'completed' });
    expect(statusOf(w).runs.map(({ tasksCompleted, tasksFailed }: Line) => [tasksCompleted, tasksFailed])).toEqual([
      [1, 1],
      [2, 0],
    ]);
    expect(hashOf(w, 'plan.md')).toBe(before);
  });

  it('is not written by commands that only look', async () => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('set', 'plan.md');
    rmSync(join(w.folder, 'docs'), { recursive: true });
    for (const call of [['status'], ['next'], ['why', 'a'], ['plans'], ['validate'], ['sync-check'], ['doctor']])
      await w.run(...call);
    expect(w.has('docs')).toBe(false);
  });

  it('and the times of every attempt are there at the end of a run', async () => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('run', 'plan.md');
    const names = readdirSync(join(w.folder, 'docs/plan-outputs/plan/timestamps')).sort();
    expect(names).toEqual(['a%231.json', 'b%231.json', 'd%231.json']);
    const times = JSON.parse(w.read('docs/plan-outputs/plan/timestamps/b%231.json'));
    expect(times).toMatchObject({ attempt: 'b#1', task: 'b', plan: 'plan.md', parked: 0 });
    expect(Date.parse(times.endedAt)).toBeGreaterThanOrEqual(Date.parse(times.scheduledAt));
    expect(times.duration).toBe(
      times.startedAt === null ? null : Date.parse(times.endedAt) - Date.parse(times.startedAt),
    );
  });

  it('of two plans with one name are told apart, whichever comes back first', async () => {
    const w = new Workspace({ 'a/p.md': plan, 'b/p.md': plan });
    await w.run('run', 'a/p.md');
    await w.run('set', 'b/p.md');
    const [first, second] = ['docs/plan-outputs/p/status.json', 'docs/plan-outputs/b%2fp.md/status.json'];
    const paths = () => [first, second].map((file) => statusOf(w, file).planPath);
    expect(paths()).toEqual(['a/p.md', 'b/p.md']);
    rmSync(join(w.folder, '.signalbox'), { recursive: true });
    await w.run('set', 'b/p.md');
    await w.run('set', 'a/p.md');
    expect(paths()).toEqual(['a/p.md', 'b/p.md']);
    expect(byTask(statusOf(w, first)).a).toBe('completed');
    expect(byTask(statusOf(w, second)).a).toBe('pending');
  });

  it('and the current plan lie where the settings say', async () => {
    const settings = 'outputs: { folder: out/plans, current-plan: out/current }\n';
    const w = new Workspace({ 'plan.md': plan, 'signalbox.yaml': settings });
    await w.run('set', 'plan.md');
    expect(w.read('out/current')).toBe('plan.md\n');
    expect((await w.run('run')).code).toBe(5);
    expect(statusOf(w, 'out/plans/plan/status.json').summary.completed).toBe(2);
    expect(w.has('docs')).toBe(false);
  });

  it('is whole at every moment of a run of 1,000 tasks', async () => {
    const tasks = Array.from({ length: 1000 }, (_, i) => `  t${i}: {run: "true"}`).join('\n');
    const w = new Workspace({ 'plan.yaml': `max-parallel: 4\ntasks:\n${tasks}\n` });
    await w.run('set', 'plan.yaml');
    const run = w.start('run', 'plan.yaml', '--json');
    let isOver = false;
    void run.ended.then(() => {
      isOver = true;
    });
    const seen: number[] = [];
    while (!isOver) {
      // Throws when it is missing or broken.
      const { seq, tasks: all, summary } = statusOf(w);
      expect(all.length).toBe(1000);
      expect(all.filter(({ status }: Line) => status === 'completed').length).toBe(summary.completed);
      expect(seq).toBeGreaterThanOrEqual(seen.at(-1) ?? 0);
      if (seq !== seen.at(-1)) seen.push(seq);
      await new Promise((done) => setImmediate(done));
    }
    expect((await run.ended).code).toBe(0);
    expect(seen.length).toBeGreaterThan(3);
    expect(statusOf(w)).toMatchObject({ outcome: 'complete', summary: { completed: 1000 } });
    expect(readdirSync(join(w.folder, 'docs/plan-outputs/plan')).sort()).toEqual([
      'status.json',
      'status.json.bak',
      'timestamps',
    ]);
  });
});

describe('trouble with the folder', () => {
  const warning = /could not be written/g;

  it('is one warning, and the run goes on', async () => {
    const w = new Workspace({ 'plan.md': plan, docs: 'a file in its way' });
    const { code, err, lines } = await w.run('run', 'plan.md', '--json');
    expect(code).toBe(5);
    expect(err.match(warning)).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ type: 'outcome', summary: { completed: 2, failed: 1 } });
    rmSync(join(w.folder, 'docs'));
    expect((await w.run('validate', '--fix')).out).toMatch(/is missing \(fixed\)/);
    expect(byTask(statusOf(w))).toMatchObject({ a: 'completed', b: 'failed' });
  });

  it.skipIf(process.getuid?.() === 0)('that may not be written to is a warning', async () => {
    const w = new Workspace({ 'plan.md': plan, 'docs/plan-outputs/x': '' });
    chmodSync(join(w.folder, 'docs/plan-outputs'), 0o555);
    const { code, err } = await w.run('run', 'plan.md', '--json');
    expect(code).toBe(5);
    expect(err.match(warning)).toHaveLength(1);
    chmodSync(join(w.folder, 'docs/plan-outputs'), 0o755);
  });

  it('that has no room is a warning, and leaves no half a file', () => {
    const tasks = Array.from({ length: 2000 }, (_, i) => `  t${i}: {}`).join('\n');
    const w = new Workspace({ 'plan.yaml': `tasks:\n${tasks}\n` });
    const limited = `ulimit -f 450; exec '${process.execPath}' '${resolve('bin/signalbox.cjs')}' set plan.yaml`;
    const { status, stderr } = spawnSync('bash', ['-c', limited], { cwd: w.folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/EFBIG/);
    expect(readdirSync(join(w.folder, 'docs/plan-outputs/plan'))).toEqual([]);
  });
});

/** Each attempt changes a file of its own: one that changes nothing has not done its work. */
/** Locks what it writes, because others work beside it. */
const writingAgent = `agents: {x: {kind: command, command: [sh, -c, 'signalbox lock try "made-$0" && echo "$0" > "made-$0"', "{attempt}"]}}\nagent: x\n`;

describe('run --tick', () => {
  it('changes the signs in the boxes and nothing else', async () => {
    const text = plan.replace('- [ ] d: Fourth', '1. [ ] d: Fourth\r').replace('First', 'First [ ] box in a title');
    const w = new Workspace({ 'plan.md': text });
    await w.run('skip', 'c', '--plan', 'plan.md');
    const { code, err } = await w.run('run', 'plan.md', '--tick', '--json');
    expect(code, err).toBe(1);
    expect(w.read('plan.md')).toBe(
      text.replace('- [ ] a:', '- [x] a:').replace('- [ ] c:', '- [-] c:').replace('1. [ ] d:', '1. [x] d:'),
    );
    const again = await w.run('run', 'plan.md', '--json');
    expect(again.err).not.toMatch(/edited/);
    expect(byTask(statusOf(w))).toEqual({ a: 'completed', b: 'failed', c: 'skipped', d: 'completed' });
  });

  it('leaves a plan alone that was edited meanwhile and not reloaded', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `echo "more" >> plan.md`\n' });
    const { code, err } = await w.run('run', 'plan.md', '--tick', '--no-reload', '--json');
    expect(code).toBe(0);
    expect(err).toMatch(/edited meanwhile, so no box was ticked/);
    expect(w.read('plan.md')).toBe('- [ ] a: A\n  - run: `echo "more" >> plan.md`\nmore\n');
  });

  it.each(['spec-kit/photo-albums.md', 'kiro/rate-limits.md', 'sequential-notes/rollback.md'])(
    'knows the boxes of %s, and ticks those of tasks',
    async (name) => {
      const text = readFileSync(`test/fixtures/plans/${name}`, 'utf8');
      const w = new Workspace({ 'plan.md': text, 'signalbox.yaml': writingAgent });
      const { code, err } = await w.run('run', 'plan.md', '--tick', '--json');
      expect(code, err).toBe(0);
      expect(err).not.toMatch(/ticked/);
      const now = w.read('plan.md');
      expect(now.replaceAll('[x]', '[ ]')).toBe(text.replaceAll('[x]', '[ ]'));
      const { json } = await w.run('status', 'plan.md', '--json');
      expect(now.match(/^\s*[-*] \[x\]/gm)).toHaveLength(json.summary.completed);
      expect((await w.run('sync-check', 'plan.md', '--json')).json).toMatchObject({ inSync: true });
    },
  );

  it.each(['table/migration.md', 'task-headings/csv-export.md'])('says that %s has no boxes', async (name) => {
    const text = readFileSync(`test/fixtures/plans/${name}`, 'utf8');
    const w = new Workspace({ 'plan.md': text, 'signalbox.yaml': writingAgent });
    const { code, err } = await w.run('run', 'plan.md', '--tick', '--json');
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('plan.md has tasks without boxes only, so none was ticked'),
    ]);
    expect(w.read('plan.md')).toBe(text);
  });

  it('refuses YAML before anything runs', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "touch ran"}\n' });
    const { code, err } = await w.run('run', 'plan.yaml', '--tick');
    expect(code).toBe(2);
    expect(err).toMatch(/no boxes to tick/);
    expect(w.has('ran')).toBe(false);
  });
});

it('a status.json that is written can be read back', async () => {
  const w = new Workspace({ 'plan.md': plan });
  await w.run('run', 'plan.md');
  const read = readStatus(w.read(place));
  expect(read).toMatchObject({
    ok: true,
    status: { planPath: 'plan.md', tasks: [{ id: 'a', status: 'completed' }, {}, {}, {}] },
  });
  expect(existsSync(join(w.folder, `${place}.bak`))).toBe(true);
});

it('twenty commands at once are all in it', async () => {
  const tasks = Array.from({ length: 20 }, (_, i) => `  t${i}: {run: "true"}`).join('\n');
  const w = new Workspace({ 'plan.yaml': `tasks:\n${tasks}\n` });
  await w.run('set', 'plan.yaml');
  const ended = await Promise.all(Array.from({ length: 20 }, (_, i) => w.start('suspend', `t${i}`).ended));
  expect(ended.map(({ code }) => code)).toEqual(Array(20).fill(0));
  expect(statusOf(w).summary).toMatchObject({ suspended: 20, pending: 0 });
  expect(readdirSync(join(w.folder, 'docs/plan-outputs/plan')).sort()).toEqual(['status.json', 'status.json.bak']);
  expect((await w.run('validate')).out).toMatch(/^OK: /);
});
