// Every tool with the official client and the real server, and what it leaves in the log.
import { afterEach, describe, expect, it } from 'vitest';
import { closeSessions, connect } from '../../rigs/mcp-rig.ts';
import { Workspace } from '../rig.ts';

afterEach(closeSessions);

const plan = `# Two
- [ ] api: Write the router
  - agent: none
  - check: \`test -e router\`
  - files: src/api.ts
- [ ] web: Write the page → api
  - agent: none
`;
const settings = 'agents:\n  none:\n    kind: command\n    command: ["true"]\n';
const workspace = () => new Workspace({ 'plan.md': plan, 'signalbox.yaml': settings });

describe('a guest', () => {
  it('reads the plan, works on a task under its own name, and hands it in when its checks are green', async () => {
    const w = workspace();
    await w.run('set', 'plan.md');
    const { call } = await connect(w);
    expect(await call('plan_status')).toMatchObject({ plan: 'plan.md', running: false, summary: { pending: 2 } });
    expect((await call('next_tasks', { count: 1 })).tasks).toMatchObject([{ id: 'api' }]);
    expect(await call('why', { task: 'web' })).toMatchObject({
      status: 'pending',
      reasons: [{ kind: 'need', task: 'api' }],
    });
    expect((await call('task_info', { task: 'api' })).text).toContain('Write the router');
    const started = await call('start_task', { task: 'api', request: 'k1' });
    expect(started).toMatchObject({ ok: true, task: 'api' });
    expect(started.events[0].by).toMatch(/^claude-\d+$/);
    expect(await call('complete_task', { task: 'api', request: 'k2' })).toMatchObject({
      ok: false,
      advice: expect.stringContaining('not green'),
    });
    w.write('router', '');
    expect(await call('write_findings', { task: 'api', text: 'It listens on 8080.' })).toMatchObject({ task: 'api' });
    expect(await call('complete_task', { task: 'api', notes: 'done', request: 'k2' })).toMatchObject({ ok: true });
    expect(await call('read_findings', { task: 'api' })).toMatchObject({ text: 'It listens on 8080.' });
    expect(await call('run_status')).toMatchObject({ running: false, summary: { completed: 1 } });
  });

  it('starts and completes once, however often it asks with the same key', async () => {
    const w = workspace();
    w.write('router', '');
    const { call } = await connect(w);
    const starts = await Promise.all(
      [1, 2, 3].map(() => call('start_task', { task: 'api', request: 'k', plan: 'plan.md' })),
    );
    for (const one of starts) expect(one).toMatchObject({ ok: true, task: 'api' });
    const ends = await Promise.all(
      [1, 2].map(() => call('complete_task', { task: 'api', request: 'e', plan: 'plan.md' })),
    );
    for (const one of ends) expect(one).toMatchObject({ ok: true });
    // Another process, as after a crash of the first.
    const again = await connect(w);
    expect(await again.call('complete_task', { task: 'api', request: 'e', plan: 'plan.md' })).toMatchObject({
      ok: true,
    });
    const { lines } = await w.run('events', 'plan.md', '--json');
    expect(lines.filter(({ type }) => type === 'task-started')).toHaveLength(1);
    expect(lines.filter(({ type }) => type === 'task-handed-in')).toHaveLength(1);
  });

  it('fails a task with what went wrong, and asks a person', async () => {
    const w = workspace();
    await w.run('set', 'plan.md');
    const { call } = await connect(w);
    await call('start_task', { task: 'api' });
    expect(await call('fail_task', { task: 'api', error: 'the schema has no users' })).toMatchObject({ ok: true });
    await call('start_task', { task: 'api' });
    expect(await call('report_blocked', { task: 'api', question: 'Which schema?' })).not.toHaveProperty('error');
    const { decisions } = await call('list_decisions');
    expect(decisions).toMatchObject([{ kind: 'question', task: 'api' }]);
    await expect(call('answer_decision', { decision: decisions[0].id, choice: 'resume' })).rejects.toThrow('not found');
  });

  it('runs a plan in a process of its own, and is told how it ended', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `touch done`\n' });
    const { call } = await connect(w);
    expect(await call('run_plan', { plan: 'plan.md' })).toMatchObject({ plan: 'plan.md', run: expect.any(String) });
    await w.run('attach', 'plan.md');
    expect(await call('run_status', { plan: 'plan.md' })).toMatchObject({ running: false, outcome: 'complete' });
    expect(w.has('done')).toBe(true);
  });

  it('answers decisions only where the server was registered so', async () => {
    const w = new Workspace({
      'plan.md': '- [ ] a: A\n  - run: `false`\n  - retries: 0\n- [ ] b: B → a\n  - run: `true`\n',
    });
    await w.run('run', 'plan.md', '--yes');
    const { call } = await connect(w, { args: ['--decide'] });
    const { decisions } = await call('list_decisions', { plan: 'plan.md' });
    expect(await call('answer_decision', { decision: decisions[0].id, choice: 'skip-all' })).not.toHaveProperty(
      'error',
    );
    const { lines } = await w.run('decide', '--history', '--json', '--plan', 'plan.md');
    expect(JSON.stringify(lines)).toMatch(/"by":"claude-\d+"/);
  });

  it.each([
    [{ args: ['--agent', 'ann'] }, 'ann'],
    [{ env: { SIGNALBOX_AGENT: 'bob' } }, 'bob'],
    [{ client: 'codex-mcp-client' }, /^codex-\d+$/],
    [{ client: 'Some Editor / 3' }, /^some-editor-3-\d+$/],
    [{ client: '\u001b[31m' }, /^31m-\d+$/],
  ])('has a name: %j', async (how, name) => {
    const { call } = await connect(workspace(), how);
    const { owner } = await call('lock_acquire', { resources: ['x'] });
    expect(owner).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
  });
});

describe('wrong input', () => {
  it.each<[string, object, RegExp]>([
    ['lock_acquire', {}, /resources/],
    ['lock_acquire', { resources: [] }, /resources/],
    ['lock_acquire', { resources: ['a'], timeout: 600 }, /timeout|45/],
    ['lock_acquire', { resources: ['/etc/passwd'] }, /outside/],
    ['start_task', { task: 'nope' }, /no task "nope"/],
    ['start_task', { task: 'api', force: true }, /force|additional/],
    ['complete_task', { task: '--force' }, /no task "--force"/],
    ['fail_task', { task: 'api' }, /error/],
    ['plan_status', { plan: '../../etc/passwd' }, /passwd/],
    ['no_such_tool', {}, /no_such_tool/],
  ])('%s %j is an error that says why', async (tool, given, why) => {
    const w = workspace();
    await w.run('set', 'plan.md');
    const { call } = await connect(w);
    const said = await call(tool, { ...given }).catch((error: Error) => ({ error: error.message }));
    expect(said.error).toMatch(why);
  });

  it('of the settings is told with the file and the line', async () => {
    const w = new Workspace({ 'plan.md': plan, 'signalbox.yaml': 'max_paralel: 2\n' });
    const { call } = await connect(w);
    const { error, diagnostics } = await call('plan_status', { plan: 'plan.md' });
    expect(error).toContain('signalbox.yaml has mistakes');
    expect(diagnostics).toMatchObject([{ file: 'signalbox.yaml', line: 1 }]);
  });
});

it('has annotations on every tool, and resources to read', async () => {
  const w = workspace();
  await w.run('set', 'plan.md');
  const { client, call } = await connect(w);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    `complete_task fail_task list_decisions lock_acquire lock_release lock_status next_tasks plan_status read_findings
    report_blocked run_plan run_status start_task task_info why write_findings`.split(/\s+/),
  );
  for (const { annotations } of tools)
    expect(Object.keys(annotations!).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  await call('write_findings', { task: 'api', text: 'known' });
  const texts = async (uri: string) => (await client.readResource({ uri })).contents[0];
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'signalbox://plan/plan.md',
    'signalbox://status/plan.md',
  ]);
  expect(await texts('signalbox://plan/plan.md')).toMatchObject({ text: plan });
  expect(await texts('signalbox://status/plan.md')).toMatchObject({ text: expect.stringContaining('"totalTasks":2') });
  expect(await texts('signalbox://findings/api')).toMatchObject({ text: 'known' });
  await expect(texts('signalbox://plan/signalbox.yaml')).rejects.toThrow('no plan');
  await expect(texts('signalbox://plan/../../etc/passwd')).rejects.toThrow();
  await expect(texts('signalbox://findings/nope')).rejects.toThrow('nope');
});
