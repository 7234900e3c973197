// What commands show when something is odd: two plans, a broken database, attempts that wait, optional failures, dead runners.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killForGood, Workspace } from '../rig.ts';

const simple = '- [ ] one: One\n  - run: `true`\n- [ ] two: Two\n  - run: `true`\n';

it('validate --deep finds nothing wrong with two plans, in whatever order they came', async () => {
  // Enough events for a snapshot, which has the plans in another order than the log.
  const many = Array.from({ length: 20 }, (_, i) => `- [ ] t${i}: Task ${i}\n  - run: \`true\`\n`).join('');
  const w = new Workspace({ 'z.md': many, 'a.md': many });
  expect((await w.run('run', 'z.md')).code).toBe(0);
  expect((await w.run('run', 'a.md')).code).toBe(0);
  const { code, out } = await w.run('validate', '--deep');
  expect([code, out]).toEqual([0, expect.stringContaining('OK')]);
});

const pipe = (file: string) => void execFileSync('mkfifo', [file]);

function breakDatabase(w: Workspace): void {
  for (const name of ['state.db', 'state.db-wal', 'state.db-shm'])
    if (w.has(`.signalbox/${name}`)) w.write(`.signalbox/${name}`, `this is no database ${'x'.repeat(5_000)}`);
}

describe('a broken database beside a whole status.json', () => {
  async function broken(): Promise<Workspace> {
    const w = new Workspace({ 'plan.md': simple.replace('true', 'exit 1').replace('\n', '\n  - retries: 0\n') });
    expect((await w.run('run', 'plan.md')).code).toBe(1);
    breakDatabase(w);
    return w;
  }

  it.each([
    ['status', ['status', 'plan.md', '--json']],
    ['progress', ['progress', 'plan.md', '--json']],
    ['next', ['next', '--plan', 'plan.md', '--json']],
    ['why', ['why', 'one', '--plan', 'plan.md', '--json']],
    ['decide', ['decide', '--plan', 'plan.md', '--json']],
    ['exhausted', ['exhausted', 'plan.md', '--json']],
    ['graph', ['graph', 'plan.md', '--json']],
    ['sync-check', ['sync-check', 'plan.md', '--json']],
    ['plans', ['plans', '--json']],
    ['retryable', ['retryable', 'plan.md', '--json']],
    ['detect-stuck', ['detect-stuck', 'plan.md', '--json']],
    ['run --dry-run', ['run', 'plan.md', '--dry-run', '--json']],
  ])('%s shows what the file says, and says so', async (_, command) => {
    const w = await broken();
    const before = readFileSync(`${w.folder}/.signalbox/state.db`);
    const { code, err } = await w.run(...command);
    expect([code, err]).toEqual([0, expect.stringContaining('broken')]);
    expect(err).toContain('status.json');
    expect(readFileSync(`${w.folder}/.signalbox/state.db`).equals(before)).toBe(true);
  });

  it.each([
    ['events', ['events', 'plan.md']],
    ['events --follow', ['events', 'plan.md', '--follow']],
    ['decide --history', ['decide', '--history', '--plan', 'plan.md']],
    ['lock list', ['lock', 'list']],
    ['lock check', ['lock', 'check', 'x.txt']],
    ['graph --waits', ['graph', '--waits']],
  ])('%s has nothing to show, and says so with the way out', async (_, command) => {
    const w = await broken();
    const { code, out, err } = await w.run(...command);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be known without the database')]);
    expect([out, err]).toEqual(['', expect.stringMatching(/is broken[\s\S]*signalbox status/)]);
    const { json } = await w.run(...command, '--json');
    expect(json.message).toContain('cannot be known without the database');
  });

  it('logs shows what attempts printed: it is in files of its own', async () => {
    const w = new Workspace({
      'plan.md':
        '- [ ] one: One\n  - run: `test -f again && echo two; echo one; touch again; exit 1`\n  - retries: 1\n  - backoff: 10ms\n',
    });
    expect((await w.run('run', 'plan.md')).code).toBe(1);
    breakDatabase(w);
    const last = await w.run('logs', 'one', '--plan', 'plan.md');
    expect([last.code, last.out, last.err]).toEqual([0, 'two\none\n', expect.stringContaining('broken')]);
    expect((await w.run('logs', 'one', '--plan', 'plan.md', '--follow')).out).toBe('two\none\n');
    expect((await w.run('logs', 'one', '--plan', 'plan.md', '--attempt', '1')).out).toBe('one\n');
    expect(await w.run('logs', 'one', '--plan', 'plan.md', '--attempt', '3')).toMatchObject({ code: 2, out: '' });
  });

  it('read-findings shows the findings, and status that nothing was done yet', async () => {
    const w = new Workspace({ 'plan.md': simple, words: 'text\n' });
    await w.run('set', 'plan.md');
    await w.run('write-findings', 'one', '--plan', 'plan.md', '--file', 'words');
    breakDatabase(w);
    expect(await w.run('read-findings', 'one', '--plan', 'plan.md')).toMatchObject({ code: 0, out: 'text\n' });
    expect(await w.status('plan.md')).toEqual({ one: 'pending', two: 'pending' });
  });

  it('status --watch shows what the file says, and the log as soon as there is one again', async () => {
    const w = await broken();
    const watching = w.start('status', 'plan.md', '--watch', '--json');
    await watching.line((line) => line.tasks?.[0].status === 'failed');
    expect((await w.run('retry', 'one', '--plan', 'plan.md')).code).toBe(0);
    await watching.line((line) => line.tasks?.[0].status === 'pending');
    watching.kill('SIGTERM');
    expect((await watching.ended).err).toMatch(/is broken.*status\.json/);
  });

  it('has the statuses of the file', async () => {
    const w = await broken();
    expect(await w.status('plan.md')).toEqual({ one: 'failed', two: 'completed' });
    expect((await w.run('plans', '--json')).json.plans).toMatchObject([{ plan: 'plan.md', summary: { failed: 1 } }]);
  });
});

describe.each([
  ['a folder', 'state.db', (file: string) => mkdirSync(file)],
  ['a pipe', 'state.db', pipe],
  ['a pipe', 'state.db-wal', pipe],
  ['a pipe', 'state.db-shm', pipe],
  ['a pipe', '.', pipe],
  ['a link to nowhere', '.', (file: string) => symlinkSync('/nowhere', file)],
  ['a link to itself', '.', (file: string) => symlinkSync(file, file)],
  ['no database', 'state.db', (file: string) => writeFileSync(file, 'x'.repeat(5_000))],
])('%s in the place of %s', (_, name, put) => {
  async function odd(): Promise<Workspace> {
    const w = new Workspace({ 'plan.md': simple });
    expect((await w.run('run', 'plan.md', '--only', 'one')).code).toBe(0);
    const file = join(w.folder, '.signalbox', name);
    rmSync(file, { recursive: true, force: true });
    put(file);
    return w;
  }

  it('commands that look show what the files say, and what is wrong', async () => {
    const w = await odd();
    for (const command of [
      'status plan.md',
      'plans',
      'next --plan plan.md',
      'why two --plan plan.md',
      'sync-check plan.md',
    ]) {
      const { code, err } = await w.run(...command.split(' '));
      expect([command, code, err]).toEqual([command, 0, expect.stringMatching(/\.signalbox.*status\.json/)]);
    }
    expect(await w.status('plan.md')).toEqual({ one: 'completed', two: 'pending' });
    expect(await w.run('trust')).toMatchObject({ code: 0, out: expect.stringContaining('.signalbox') });
    expect((await w.run('trust', '--json')).json.state).toBe('unreadable');
    const { code, json } = await w.run('validate', '--json');
    expect([code, json.problems]).toMatchObject([
      1,
      [{ about: 'database', message: expect.stringContaining('.signalbox') }],
    ]);
    for (const command of ['events plan.md', 'lock list', 'cost --plan plan.md'])
      expect([command, (await w.run(...command.split(' '))).code]).toEqual([command, 2]);
    expect([0, 2]).toContain((await w.run('logs', 'one', '--plan', 'plan.md')).code);
    expect([0, 2]).toContain((await w.run('saved', 'list')).code);
  });

  it('without a status.json, that nothing can be known is no outage either', async () => {
    const w = await odd();
    rmSync(join(w.folder, 'docs'), { recursive: true });
    const { code, err } = await w.run('status', 'plan.md');
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be known')]);
  });
});

it('saved work that cannot be read is named, and is no outage', async () => {
  const w = new Workspace({ 'plan.md': simple });
  await w.run('set', 'plan.md');
  pipe(join(w.folder, '.signalbox', 'saved'));
  for (const args of [['list'], ['show', 'one-1']]) {
    const { code, err } = await w.run('saved', ...args);
    expect([args, code, err]).toEqual([args, 2, expect.stringContaining('.signalbox/saved')]);
  }
});

describe('an attempt that waits for a lock', () => {
  const plan = `---
order: explicit
---
- [ ] a: Hold it
  - run: \`signalbox lock try x.txt && touch held && until test -f go; do sleep 0.02; done\`
- [ ] b: Want it
  - run: \`until test -f held; do sleep 0.02; done; signalbox lock wait x.txt\`
`;

  it('is not shown as running: status says for what it waits, and who has it', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const run = w.start('run', 'plan.md', '--json');
    await run.line((line) => line.type === 'lock-waiting');
    const { json } = await w.run('status', 'plan.md', '--json');
    const b = json.tasks.find((task: { id: string }) => task.id === 'b');
    expect(b).toMatchObject({ status: 'in_progress', waitsFor: [{ resource: 'x.txt', holder: 'a#1' }] });
    const { out } = await w.run('status', 'plan.md');
    for (const command of ['status', 'progress'])
      expect([command, (await w.run(command, 'plan.md')).out]).toEqual([
        command,
        expect.stringContaining('1 running · 1 waits for a lock'),
      ]);
    expect(out).toMatch(/b {2}Want it {2}waits for x\.txt \(a#1 has it\)/);
    w.write('go', '');
    expect((await run.ended).code).toBe(0);
    expect((await w.run('status', 'plan.md', '--json')).out).not.toContain('waitsFor');
  });
});

it('an optional failure has one sign everywhere', async () => {
  const w = new Workspace({
    'plan.md': '---\nretries: 0\n---\n- [ ]* one: One\n  - run: `exit 1`\n- [ ] two: Two\n  - run: `true`\n',
  });
  const texts = [
    await w.run('run', 'plan.md'),
    await w.run('status', 'plan.md'),
    await w.run('why', 'one', '--plan', 'plan.md'),
    await w.run('exhausted', 'plan.md'),
    await w.run('run', 'plan.md'),
  ].map(({ out }) => out);
  for (const out of texts) expect([out.includes('⚠'), out.includes('✖'), out]).toEqual([true, false, out]);
});

it('a run that takes over from a killed one says so, to people and to programs', async () => {
  const plan = '---\norder: explicit\n---\n- [ ] a: Wait\n  - run: `until test -f go; do sleep 0.02; done`\n';
  for (const json of [false, true]) {
    const w = new Workspace({ 'plan.md': plan });
    const first = w.start('run', 'plan.md', '--json');
    await first.line((line) => line.type === 'attempt-started');
    await killForGood(first.pid);
    w.write('go', '');
    const { code, out, err } = await w.run('run', 'plan.md', ...(json ? ['--json'] : []));
    expect(code).toBe(0);
    expect(json ? err : out).toContain(`process ${first.pid}, which ran this plan, died; this run takes over a#1`);
  }
});

it('after --refresh-after the total is that of the run, not of the last process', async () => {
  const tasks =
    '- [ ] a: First\n  - run: `true`\n- [ ] b: Last → a\n  - run: `until test -f go; do sleep 0.02; done`\n';
  const w = new Workspace({ 'plan.md': `---\norder: explicit\nmax-attempts: 2\n---\n${tasks}` });
  const run = w.start('run', 'plan.md', '--refresh-after', '1', '--json');
  await run.line(({ type }) => type === 'run-took-over');
  w.write('go', '');
  const { code, lines } = await run.ended;
  expect(code).toBe(0);
  const starts = lines.filter(({ type }) => type === 'run-started');
  expect(starts.length).toBeGreaterThan(1);
  const last = lines.at(-1);
  expect(last.durationMs).toBe(Date.parse(last.at) - Date.parse(starts[0].at));
});
