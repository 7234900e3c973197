// What a run amounts to, through the real command: the truth, its exit code, and the way out.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const chain =
  'retries: 0\ntasks:\n  a: {run: "false"}\n  b: {run: "true", needs: [a]}\n  c: {run: "true", needs: [b]}\n  d: {run: "true"}\n';

describe('a failure in a chain', () => {
  it('lets independent work run and is stuck with the root cause, never complete', async () => {
    const w = new Workspace({ 'plan.yaml': chain });
    const { code, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(5);
    expect(json).toMatchObject({ type: 'outcome', outcome: 'stuck', exitCode: 5 });
    expect(json.blocked).toEqual([
      { task: 'b', causes: [{ task: 'a', status: 'failed' }] },
      { task: 'c', causes: [{ task: 'a', status: 'failed' }] },
    ]);
    expect(await w.status()).toEqual({ a: 'failed', b: 'blocked', c: 'blocked', d: 'completed' });
  });

  it('starts nothing when it is run again and nothing changed', async () => {
    const w = new Workspace({ 'plan.yaml': chain });
    await w.run('run', 'plan.yaml');
    const again = await w.run('run', 'plan.yaml', '--json');
    expect(again.code).toBe(5);
    expect(again.lines.map(({ type }) => type)).toEqual(['run-started', 'plan-stuck', 'run-ended', 'outcome']);
  });

  it('goes on after a retry that works', async () => {
    const w = new Workspace({ 'plan.yaml': chain.replace('run: "false"', 'run: "test -e fixed"') });
    expect((await w.run('run', 'plan.yaml')).code).toBe(5);
    w.write('fixed', '');
    expect((await w.run('retry', 'a')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(new Set(Object.values(await w.status()))).toEqual(new Set(['completed']));
  });

  it('names the same root cause down a chain of 1,000', async () => {
    const lines = Array.from(
      { length: 1000 },
      (_, i) => `  t${i}: {run: "false"${i > 0 ? `, needs: [t${i - 1}]` : ''}}`,
    );
    const w = new Workspace({ 'plan.yaml': `retries: 0\ntasks:\n${lines.join('\n')}\n` });
    const { code, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(5);
    expect(json.blocked).toHaveLength(999);
    expect(json.blocked.at(-1)).toEqual({ task: 't999', causes: [{ task: 't0', status: 'failed' }] });
  });

  it('stays blocked while one of two causes is not repaired', async () => {
    const plan =
      'retries: 0\ntasks:\n  a: {run: "test -e a.ok"}\n  b: {run: "test -e b.ok"}\n  c: {run: "true", needs: [a, b]}\n';
    const w = new Workspace({ 'plan.yaml': plan });
    await w.run('run', 'plan.yaml');
    w.write('a.ok', '');
    await w.run('retry', 'a');
    const { code, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(5);
    expect(json.blocked).toEqual([{ task: 'c', causes: [{ task: 'b', status: 'failed' }] }]);
  });

  it('is the same for a suspended task', async () => {
    const w = new Workspace({
      'plan.yaml': 'tasks:\n  a: {run: "true"}\n  b: {run: "true", needs: [a]}\n  d: {run: "true"}\n',
    });
    expect((await w.run('suspend', 'a', '--plan', 'plan.yaml', '--reason', 'later')).code).toBe(0);
    const { code, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(5);
    expect(json.blocked).toEqual([
      { task: 'a', causes: [{ task: 'a', status: 'suspended' }] },
      { task: 'b', causes: [{ task: 'a', status: 'suspended' }] },
    ]);
    expect((await w.run('resume', 'a')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });
});

it('fails with exit 1 when a leaf fails and all else completes', async () => {
  const w = new Workspace({
    'plan.yaml': 'retries: 0\ntasks:\n  a: {run: "true"}\n  b: {run: "exit 3", needs: [a]}\n',
  });
  const { code, json } = await w.run('run', 'plan.yaml', '--json');
  expect(code).toBe(1);
  expect(json).toMatchObject({ outcome: 'failed', blocked: [], summary: { completed: 1, failed: 1, totalTasks: 2 } });
});

it('retries with backoff, then completes', async () => {
  const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "test -e warm || { touch warm; exit 1; }"}\n' });
  const { code, lines } = await w.run('run', 'plan.yaml', '--json');
  expect(code).toBe(0);
  const retry = lines.find(({ type }) => type === 'retry-scheduled');
  expect(retry).toMatchObject({ task: 'a', attempt: 'a#1', because: 'failed', failure: { kind: 'exit', code: 1 } });
  const delay = Date.parse(retry.notBefore) - Date.parse(retry.at);
  expect(delay).toBeGreaterThanOrEqual(800);
  expect(delay).toBeLessThanOrEqual(1200);
});

it('warns about an optional failure and a preference for it, and is complete', async () => {
  const plan =
    '# P\n- [ ]* nice: Nice to have\n  - run: `false`\n  - retries: 0\n- [ ] main: The thing ~> nice\n  - run: `true`\n';
  const w = new Workspace({ 'plan.md': plan });
  const { code, lines } = await w.run('run', 'plan.md', '--json');
  expect(code).toBe(0);
  expect(lines.find(({ type, task }) => type === 'attempt-scheduled' && task === 'main').warnings).toEqual([
    { task: 'nice', status: 'failed' },
  ]);
});

describe('limits', () => {
  it('of 0 admit nobody: stuck, with the limit as the reason, not a hang', async () => {
    const w = new Workspace({
      'plan.yaml': 'pools: {gpu: 0}\ntasks:\n  a: {run: "true", uses: [gpu]}\n  b: {run: "true", needs: [a]}\n',
    });
    const { code, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(5);
    expect(json.blocked).toEqual([
      { task: 'a', causes: [{ task: 'a', status: 'pending', limit: 'gpu' }] },
      { task: 'b', causes: [{ task: 'a', status: 'pending', limit: 'gpu' }] },
    ]);
    const why = await w.run('why', 'a', '--json');
    expect(why.json.reasons).toContainEqual({ kind: 'slot', pool: 'gpu', limit: 0, running: 0 });
  });

  it('of one model never delay a task of another', async () => {
    // The second opus task waits for the first, which waits for the haiku task: it ends only if a full pool does not hold that back.
    const plan =
      'max-parallel: 3\ntasks:\n  o1: {model: opus, run: "until test -e go; do sleep 0.02; done"}\n  o2: {model: opus, run: "true"}\n  h: {model: haiku, run: "touch go"}\n';
    const w = new Workspace({ 'plan.yaml': plan });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    const scheduled = lines.filter(({ type }) => type === 'attempt-scheduled').map(({ task }) => task);
    expect(scheduled).toEqual(['o1', 'h', 'o2']);
  });

  it('on attempts pause the run with exit 6', async () => {
    const w = new Workspace({
      'plan.yaml': 'max-attempts: 2\ntasks:\n  a: {run: "true"}\n  b: {run: "true"}\n  c: {run: "true"}\n',
    });
    const { code, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(6);
    expect(json).toMatchObject({ outcome: 'paused', summary: { completed: 2, pending: 1 } });
  });
});

it('starts after ticked tasks, and a skipped one does not block the next phase', async () => {
  const plan =
    '# P\n## Phase 1: One\n- [x] 1.1 Done\n  - run: `touch never`\n- [-] 1.2 Not needed\n  - run: `touch never`\n## Phase 2: Two\n- [ ] 2.1 Now\n  - run: `true`\n';
  const w = new Workspace({ 'plan.md': plan });
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  expect(await w.status()).toEqual({ '1.1': 'completed', '1.2': 'skipped', '2.1': 'completed' });
  expect(w.has('never')).toBe(false);
});

describe('what cannot be run is refused before anything starts', () => {
  it.each([
    [
      'trees without a repository',
      'isolation: worktree\ntasks:\n  a: {run: "touch ran"}\n',
      2,
      /no git repository.*isolation: shared/s,
    ],
    ['a task that nobody can perform', 'tasks:\n  a: {title: Think}\n', 7, /neither run/],
    ['an agent that the settings do not have', 'tasks:\n  a: {title: Think, agent: nobody}\n', 7, /nobody/],
    ['a plan with mistakes', 'tasks:\n  a: {run: "touch ran", needs: [b]}\n', 3, /plan\.yaml:2/],
  ])('%s', async (_, plan, exitCode, words) => {
    const w = new Workspace({ 'plan.yaml': plan });
    const { code, err, out } = await w.run('run', 'plan.yaml');
    expect(code).toBe(exitCode);
    expect(out + err).toMatch(words);
    expect(w.has('ran')).toBe(false);
  });

  it('a plan that is not there leaves nothing behind', async () => {
    const w = new Workspace();
    expect((await w.run('run', 'nope.md')).code).toBe(2);
    expect(w.has('.signalbox')).toBe(false);
  });
});

it('looks without creating anything', async () => {
  const w = new Workspace({ 'plan.yaml': chain });
  for (const args of [
    ['check', 'plan.yaml'],
    ['status', 'plan.yaml'],
    ['next', '--plan', 'plan.yaml'],
    ['why', 'c', '--plan', 'plan.yaml'],
    ['plans'],
    ['run', 'plan.yaml', '--dry-run'],
  ]) {
    expect((await w.run(...args)).code, args.join(' ')).toBe(0);
  }
  expect(w.has('.signalbox')).toBe(false);
  expect((await w.run('why', 'cc', '--plan', 'plan.yaml')).code).toBe(2);
});

it('takes an edited plan by id, and refuses to rewrite what has run until it is told to', async () => {
  const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n  old: {run: "true", needs: [a], uses: []}\n' });
  await w.run('skip', 'old', '--plan', 'plan.yaml');
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  w.write('plan.yaml', 'tasks:\n  a: {run: "true"}\n  b: {run: "touch b", needs: [a]}\n');
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  expect(await w.status()).toEqual({ a: 'completed', b: 'completed', old: 'skipped' });
  w.write('plan.yaml', 'tasks:\n  a: {run: "echo changed"}\n  b: {run: "touch b", needs: [a]}\n');
  const refused = await w.run('run', 'plan.yaml');
  expect(refused.code).toBe(3);
  expect(refused.err).toMatch(/a was changed/);
  expect(refused.err).toMatch(/reload/);
  expect((await w.run('reload')).code).toBe(0);
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
});

it('a dry run shows the file as it is now, with what a run would refuse, and keeps nothing', async () => {
  const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n  b: {run: "true", needs: [a]}\n' });
  await w.run('run', 'plan.yaml');
  w.write(
    'plan.yaml',
    'tasks:\n  a: {run: "true"}\n  b: {run: "true", needs: [a]}\n  c: {run: "true", needs: [b]}\n  d: {run: "true", needs: [c]}\n',
  );
  const { json } = await w.run('run', 'plan.yaml', '--dry-run', '--json');
  const ids = json.waves.map(({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id));
  expect(ids).toEqual([['c'], ['d']]);
  expect(Object.keys(await w.status())).toEqual(['a', 'b']);
  w.write('signalbox.yaml', 'notify: {slack: x}\n');
  expect((await w.run('run', 'plan.yaml', '--dry-run')).code).toBe(3);
});
