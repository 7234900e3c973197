// Plans driven by hand, through the real program: the rules of a run without a runner, and beside one.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('by hand', () => {
  it('goes from the first task to the last without a runner', async () => {
    const w = new Workspace({
      'plan.md': '- [ ] db: Schema\n- [ ] api: Build → db\n',
      'notes.md': 'The port is 8080.\n',
    });
    expect((await w.run('set', 'plan.md')).code).toBe(0);
    const run = (await w.run('start-run')).out.trim();
    expect(run).toMatch(/^hand-\d+$/);
    expect((await w.run('plans')).out).toContain('  driven by hand  0 of 2  ');
    expect((await w.run('next', '--json')).json.tasks.map(({ id }: { id: string }) => id)).toEqual(['db']);
    const early = await w.run('mark-started', 'api');
    expect([early.code, early.err]).toEqual([
      2,
      expect.stringContaining('signalbox: api is not ready: it waits for db\n'),
    ]);
    const started = (await w.run('mark-started', 'd', '--json')).json;
    expect(started).toMatchObject({ task: 'db', status: 'in_progress', attempt: 'db#1', running: false });
    expect((await w.run('why', 'db')).out).toContain('tester has been working on it by hand');
    const done = (await w.run('mark-complete', 'db', '--notes', 'three tables', '--json')).json;
    expect([done.status, types(done.events)]).toEqual(['completed', ['task-handed-in', 'task-completed']]);
    expect((await w.run('write-findings', 'db', '--file', 'notes.md')).code).toBe(0);
    expect((await w.run('write-findings', 'db', '--file', 'notes.md', '--append')).code).toBe(0);
    expect(w.read('docs/plan-outputs/plan/findings/db.md')).toBe('The port is 8080.\nThe port is 8080.\n');
    expect((await w.run('read-findings', 'db')).out).toBe('The port is 8080.\nThe port is 8080.\n');
    expect((await w.run('read-findings', 'api')).code).toBe(2);
    expect((await w.run('mark-failed', 'api', '--error', 'no port', '--json')).json.status).toBe('failed');
    expect((await w.run('next', '--json')).json.tasks).toMatchObject([{ id: 'api', status: 'failed' }]);
    expect((await w.run('mark-started', 'api', '--json')).json.attempt).toBe('api#2');
    expect((await w.run('mark-complete', 'api')).code).toBe(0);
    const ended = (await w.run('complete-run', '--json')).json;
    expect(ended).toMatchObject({ run, completed: 2, failed: 1 });
    expect((await w.run('complete-run')).code).toBe(2);
    expect(await w.status()).toEqual({ db: 'completed', api: 'completed' });
    expect((await w.run('status')).out).toContain('  complete\n2 of 2 tasks completed\n');
    const again = await w.run('mark-complete', 'api');
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('api is already completed')]);
  });

  it('hands in only what is green, or by a decision', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {check: "echo $SIGNALBOX_TASK; test -f ok"}\n' });
    const red = await w.run('mark-complete', 'a', '--plan', 'plan.yaml');
    expect([red.code, red.err]).toEqual([1, expect.stringMatching(/^\$ echo .*\na\na is not complete: .* code 1;/)]);
    const json = await w.run('mark-complete', 'a', '--plan', 'plan.yaml', '--json');
    expect([json.code, json.json.ok, json.json.checks[0].tail, json.err]).toEqual([1, false, 'a\n', '']);
    expect((await w.run('events', 'plan.yaml', '--json')).lines.map(({ type }) => type)).toEqual(['plan-loaded']);
    w.write('ok', '');
    expect((await w.run('mark-complete', 'a', '--plan', 'plan.yaml')).code).toBe(0);

    const other = new Workspace({ 'plan.yaml': 'tasks:\n  a: {check: "false"}\n' });
    const left = await other.run(
      'mark-complete',
      'a',
      '--no-checks',
      '--reason',
      'no net',
      '--plan',
      'plan.yaml',
      '--json',
    );
    expect(left.json.events).toMatchObject([
      { type: 'decision-opened', kind: 'override' },
      { type: 'decision-answered', by: 'tester', reason: 'the checks of a were left out; no net' },
      { type: 'task-started' },
      { type: 'task-handed-in', checks: 1 },
      { type: 'task-completed' },
    ]);
  });

  it('records nothing when it is interrupted in a check', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {check: "touch begun; exec sleep 600"}\n' });
    const marking = w.start('mark-complete', 'a', '--plan', 'plan.yaml');
    await w.appears('begun');
    marking.kill('SIGINT');
    expect((await marking.ended).code).toBe(130);
    expect(await w.status('plan.yaml')).toEqual({ a: 'pending' });
  });

  it('asks for the review that the task asks for', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {review: human}\n' });
    const { json } = await w.run('mark-complete', 'a', '--plan', 'plan.yaml', '--json');
    expect([json.status, types(json.events)]).toEqual([
      'in_progress',
      ['task-started', 'task-handed-in', 'decision-opened'],
    ]);
  });

  it('takes the declared locks, and names who has them', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {files: [src]}\n  b: {files: [src/b.ts]}\n' });
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    const busy = await w.run('mark-started', 'b', '--plan', 'plan.yaml');
    expect([busy.code, busy.err]).toEqual([2, expect.stringContaining('b needs src, and a#1 holds it')]);
    expect((await w.run('lock', 'check', 'src/x')).code).toBe(1);
    await w.run('mark-complete', 'a', '--plan', 'plan.yaml');
    expect((await w.run('lock', 'check', 'src/x')).code).toBe(0);
    expect((await w.run('mark-started', 'b', '--plan', 'plan.yaml')).code).toBe(0);
  });

  it('skips, once it is said what becomes of those who need it', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n- [ ] b: B → a\n' });
    const asked = await w.run('mark-skipped', 'a', '--plan', 'plan.md');
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--treat-as-done')]);
    expect((await w.run('mark-skipped', 'a', '--treat-as-done', '--plan', 'plan.md')).code).toBe(0);
    expect((await w.run('mark-started', 'b', '--plan', 'plan.md')).code).toBe(0);
  });

  it('tells what a failure by hand leaves, and does not promise what there is not', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n- [ ] b: B → a\n  - check: `false`\n' });
    await w.run('set', 'plan.md');
    await w.run('mark-failed', 'a', '--error', 'no idea');
    const why = (await w.run('why', 'a')).out;
    expect(why).toContain('It failed: no idea. It has 2 attempts left, by hand or in a run.\n');
    expect(why).toContain('\n  signalbox mark-started a\n');
    expect(why + (await w.run('why', 'b')).out).not.toContain('signalbox logs');
    for (const args of [['a'], ['a', '--attempt', '1']]) {
      const { code, err } = await w.run('logs', ...args);
      expect([code, err]).toEqual([2, expect.stringContaining('a#1 has no log: it was done by hand')]);
      expect(err).toContain('signalbox read-findings a');
    }
    await w.run('mark-started', 'a');
    const working = (await w.run('why', 'a')).out;
    expect(working).toContain('\n  signalbox mark-complete a\n');
    expect(working).not.toContain('signalbox run');
    const red = await w.run('mark-complete', 'b', '--force');
    expect([red.code, red.err]).toEqual([
      1,
      expect.stringContaining('  signalbox mark-complete b --force --no-checks\n'),
    ]);
    const forced = await w.run('mark-complete', 'b', '--force', '--no-checks');
    expect(forced.out).toMatch(/^d1 records that a person overrode a rule for b\nd1 was decided by /);
  });

  it('knows tasks by their beginnings', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] 1.1 A\n- [ ] 1.10 B\n- [ ] 2.1 C\n' });
    expect((await w.run('mark-started', '2', '--plan', 'plan.md', '--json')).json.task).toBe('2.1');
    expect((await w.run('mark-started', '1.1', '--plan', 'plan.md', '--json')).json.task).toBe('1.1');
    const both = await w.run('mark-started', '1', '--plan', 'plan.md');
    expect([both.code, both.err]).toEqual([
      2,
      expect.stringContaining('"1" is the beginning of several tasks in plan.md: 1.1, 1.10'),
    ]);
    expect((await w.run('why', '1.10', '--plan', 'plan.md')).code).toBe(0);
    expect((await w.run('mark-started', '', '--plan', 'plan.md')).code).toBe(2);
  });

  it('says who is at work when agents have names', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n' });
    await w.runWith({ SIGNALBOX_AGENT: 'robin' }, 'mark-started', 'a', '--plan', 'plan.md');
    const other = await w.run('mark-started', 'a', '--plan', 'plan.md');
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('a was already started by robin')]);
  });
});

describe('beside a run', () => {
  it('is left alone, and the run ends waiting when only that is left', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "touch a-ran"}\n  b: {run: "true"}\n' });
    await w.run('mark-started', 'a', '--plan', 'plan.yaml');
    const run = await w.run('run', 'plan.yaml', '--json');
    expect([run.code, run.json.outcome, w.has('a-ran')]).toEqual([4, 'waiting', false]);
    expect(await w.status('plan.yaml')).toEqual({ a: 'in_progress', b: 'completed' });
    await w.run('mark-complete', 'a', '--plan', 'plan.yaml');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.has('a-ran')).toBe(false);
  });

  it('goes on in the run with what a person completes', async () => {
    const w = new Workspace({
      'plan.yaml':
        'tasks:\n  a: {}\n  b: {run: "touch b-ran", needs: [a]}\n  c: {run: "touch c-runs; until test -f go; do sleep 0.05; done"}\n'.replace(
          'a: {}',
          'a: {run: "exit 9"}',
        ),
    });
    await w.run('mark-started', 'a', '--plan', 'plan.yaml');
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('c-runs');
    const own = await w.run('mark-complete', 'c', '--plan', 'plan.yaml');
    expect([own.code, own.err]).toEqual([2, expect.stringContaining('c is running, as c#1')]);
    const done = await w.run('mark-complete', 'a', '--plan', 'plan.yaml', '--json');
    expect([done.code, done.json.running]).toEqual([0, true]);
    await run.line(({ type, task }) => type === 'task-completed' && task === 'b');
    expect(w.has('b-ran')).toBe(true);
    const forced = await w.run('mark-failed', 'c', '--error', 'enough', '--force', '--plan', 'plan.yaml');
    expect(forced.code).toBe(0);
    expect((await run.ended).code).toBe(1);
    expect(await w.status('plan.yaml')).toEqual({ a: 'completed', b: 'completed', c: 'failed' });
  });
});

it('names an edit where a task is not known yet', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n' });
  await w.run('set', 'plan.md');
  expect((await w.run('mark-started', 'fresh')).err).not.toMatch(/edited/);
  w.write('plan.md', '- [ ] a: A\n- [ ] fresh: F\n');
  for (const args of [
    ['mark-started', 'fresh'],
    ['mark-skipped', 'fresh'],
    ['write-findings', 'fresh', '--file', 'plan.md'],
  ]) {
    const { code, err } = await w.run(...args);
    expect([code, err]).toEqual([
      2,
      'signalbox: plan.md has no task "fresh": the file was edited since it was loaded\n' +
        '  help: see what is new: signalbox sync-check; load it: signalbox reload\n',
    ]);
  }
  expect((await w.run('reload')).code).toBe(0);
  expect((await w.run('mark-started', 'fresh')).code).toBe(0);
});

it('says where a current plan comes from that is not there', async () => {
  const w = new Workspace({ '.claude/current-plan.txt': 'old.md\n', 'plan.md': '- [ ] a: A\n' });
  for (const args of [['status'], ['mark-started', 'a']]) {
    const { code, err } = await w.run(...args);
    expect([code, err]).toEqual([
      2,
      'signalbox: the current plan old.md does not exist; .claude/current-plan.txt names it\n' +
        '  help: choose another: signalbox set PLAN\n',
    ]);
  }
  expect((await w.run('set', 'plan.md')).code).toBe(0);
  rmSync(join(w.folder, 'plan.md'));
  // What the log knows can still be looked at.
  expect((await w.run('status')).out).toContain('0 of 1 task');
});

describe('set', () => {
  it('names the plans that are there when nobody can be asked', async () => {
    const w = new Workspace({
      'plan.md': '- [ ] a: A\n',
      'docs/plans/shop.md': '- [ ] b: B\n',
      'README.md': 'Hello\n',
    });
    const { code, err } = await w.run('set');
    expect([code, err]).toEqual([2, expect.stringContaining('no plan was named; found: plan.md, docs/plans/shop.md')]);
    expect(w.has('.signalbox')).toBe(false);
    expect((await new Workspace().run('set')).code).toBe(2);
    expect((await w.run('set', '.')).err).toBe('signalbox: . is a folder; name a file in it\n');
    expect((await w.run('write-findings', 'a', '--file', 'docs', '--plan', 'plan.md')).err).toBe(
      'signalbox: docs is a folder; name a file in it\n',
    );
  });
});

it('a check finds the signalbox command as in an attempt, also with a PATH of its own', async () => {
  const check = 'command -v signalbox >> where; signalbox status plan.yaml --json > seen';
  const tasks = `a: {check: '${check}'}, b: {check: '${check}', env: {PATH: /usr/bin:/bin}}`;
  const w = new Workspace({ 'plan.yaml': `tasks: {${tasks}}\n` });
  for (const task of ['a', 'b']) {
    const { code, out, err } = await w.run('mark-complete', task, '--plan', 'plan.yaml');
    expect([code, task, out + err]).toEqual([0, task, expect.any(String)]);
    expect(JSON.parse(w.read('seen')).plan).toBe('plan.yaml');
  }
  const places = w.read('where').trim().split('\n');
  expect(places.map((place) => place.startsWith(process.env.SIGNALBOX_STATE!))).toEqual([true, true]);
});
