// Commands that look, while a run goes on and when none does, and two plans that share one workspace.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const held = (name: string) =>
  `touch ${name}.up; echo ${name} begins; until test -e ${name}.go; do sleep 0.02; done; echo ${name} ends`;

it('events --follow tells what happens elsewhere, in order and without gaps', async () => {
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n` });
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('a.up');
  const follow = w.start('events', '--follow', '--json');
  await follow.line(({ type }) => type === 'attempt-scheduled');
  w.write('a.go', '');
  await follow.line(({ type }) => type === 'run-ended');
  follow.kill('SIGINT');
  const { lines } = await follow.ended;
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i + 1));
  const { lines: told } = await run.ended;
  expect(told.slice(0, -1).map(({ seq, type }) => [seq, type])).toEqual(lines.map(({ seq, type }) => [seq, type]));
});

it('logs -f goes on until the attempt has ended', async () => {
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n` });
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('a.up');
  const logs = w.start('logs', 'a', '-f', '--json');
  await logs.line(({ text }) => text?.includes('begins'));
  w.write('a.go', '');
  const { code, lines } = await logs.ended;
  expect(code).toBe(0);
  expect(lines.map(({ text }) => text).join('')).toBe('a begins\na ends\n');
  expect((await run.ended).code).toBe(0);
});

it('logs shows an earlier attempt when asked', async () => {
  const w = new Workspace({
    'plan.yaml': 'tasks:\n  a: {run: "echo $SIGNALBOX_ATTEMPT; test -e warm || { touch warm; exit 1; }"}\n',
  });
  await w.run('run', 'plan.yaml');
  expect((await w.run('logs', 'a')).out).toBe('a#2\n');
  expect((await w.run('logs', 'a', '--attempt', '1')).out).toBe('a#1\n');
  expect((await w.run('logs', 'a', '--attempt', '9')).code).toBe(2);
});

it('status, why and next answer while a run goes on', async () => {
  const w = new Workspace({
    'plan.yaml': `max-parallel: 1\ntasks:\n  a: {run: "${held('a')}"}\n  b: {run: "true"}\n  c: {run: "true", needs: [a]}\n`,
  });
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('a.up');
  await run.line(({ type }) => type === 'attempt-started');
  const status = await w.run('status', '--json');
  expect(status.json).toMatchObject({ running: true, outcome: null, summary: { in_progress: 1, pending: 2 } });
  const why = async (id: string) => (await w.run('why', id, '--json')).json.reasons;
  expect(await why('a')).toMatchObject([{ kind: 'running', attempt: 'a#1' }]);
  expect(await why('b')).toEqual([{ kind: 'slot', pool: 'plan', limit: 1, running: 1 }]);
  expect(await why('c')).toMatchObject([{ kind: 'need', task: 'a', status: 'in_progress' }]);
  expect((await w.run('next', '--json')).json.tasks.map(({ id }: { id: string }) => id)).toEqual(['b']);
  w.write('a.go', '');
  expect((await run.ended).code).toBe(0);
});

describe('two plans in one workspace', () => {
  it('share its limit and its pools, and run side by side', async () => {
    const w = new Workspace({
      'signalbox.yaml': 'max-parallel: 4\npools: {db: 1}\n',
      'one.yaml': `tasks:\n  a: {run: "${held('a')}", uses: [db]}\n`,
      'two.yaml': 'tasks:\n  b: {run: "touch b.ran", uses: [db]}\n  c: {run: "touch c.ran"}\n',
    });
    const one = w.start('run', 'one.yaml', '--json');
    await w.appears('a.up');
    const two = w.start('run', 'two.yaml', '--json');
    await w.appears('c.ran');
    await two.line(({ type, task }) => type === 'task-completed' && task === 'c');
    expect(w.has('b.ran')).toBe(false);
    expect((await w.run('why', 'b', '--plan', 'two.yaml', '--json')).json.reasons).toEqual([
      { kind: 'slot', pool: 'db', limit: 1, running: 1 },
    ]);
    w.write('a.go', '');
    expect((await one.ended).code).toBe(0);
    expect((await two.ended).code).toBe(0);
  });

  it('do not wait for ever for a slot that a dead runner left behind', async () => {
    const w = new Workspace({
      'one.yaml': `pools: {db: 1}\ntasks:\n  a: {run: "${held('a')}", uses: [db]}\n`,
      'two.yaml': 'pools: {db: 1}\ntasks:\n  b: {run: "true", uses: [db]}\n',
    });
    const one = w.start('run', 'one.yaml', '--json');
    await w.appears('a.up');
    one.kill('SIGKILL');
    await one.ended;
    const two = w.start('run', 'two.yaml', '--json');
    await two.line(({ type }) => type === 'run-started');
    w.write('a.go', '');
    expect((await two.ended).code).toBe(0);
    expect((await w.status('one.yaml')).a).toBe('completed');
  });

  it('must be told apart, until one is set', async () => {
    const w = new Workspace({ 'one.yaml': 'tasks: {a: {run: "true"}}', 'two.yaml': 'tasks: {b: {run: "true"}}' });
    await w.run('run', 'one.yaml');
    await w.run('run', 'two.yaml');
    const unsure = await w.run('status');
    expect(unsure.code).toBe(2);
    expect(unsure.err).toMatch(/signalbox set/);
    expect((await w.run('set', 'two.yaml')).code).toBe(0);
    expect((await w.run('status', '--json')).json.plan).toBe('two.yaml');
    expect((await w.run('plans', '--json')).json).toMatchObject({
      current: 'two.yaml',
      plans: [{ plan: 'one.yaml' }, { plan: 'two.yaml' }],
    });
  });
});

it('logs takes the name of an attempt as messages print it', async () => {
  const w = new Workspace({
    'plan.md': '- [ ] a: Speak\n  - run: `echo $SIGNALBOX_ATTEMPT; test $SIGNALBOX_ATTEMPT = "a#2"`\n',
  });
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  const said = async (...args: string[]) => (await w.run('logs', ...args)).out;
  expect([await said('a#1'), await said('a#2'), await said('a')]).toEqual(['a#1\n', 'a#2\n', 'a#2\n']);
  expect(await w.run('logs', 'a#9')).toMatchObject({ code: 2, err: expect.stringContaining('a has no attempt 9') });
  expect(await w.run('logs', 'a#1', '--attempt', '2')).toMatchObject({
    code: 2,
    err: expect.stringContaining('two attempts are named: 1 and 2'),
  });
  expect((await w.run('prompt', 'a')).err).toContain('a has no prompt, because it runs a command: echo');
});
