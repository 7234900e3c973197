// `doctor` on real workspaces: healthy, without state, and with everything that can be left behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { type Line, Workspace } from '../rig.ts';

const byId = (json: Line): Record<string, Line> =>
  Object.fromEntries(json.checks.map((check: { id: string }) => [check.id, check]));

it('works where there is nothing, and leaves nothing behind', async () => {
  const w = new Workspace();
  for (const flags of [[], ['--fix']]) {
    const { code, json } = await w.run('doctor', '--json', ...flags);
    expect(code).toBe(0);
    expect(json.ok).toBe(true);
    expect(byId(json)).toMatchObject({
      node: { status: 'ok' },
      sqlite: { status: 'ok', message: expect.stringMatching(/^SQLite 3\.\d+/) },
      'file-system': { status: 'ok' },
      sh: { status: 'ok' },
      state: { message: 'no state yet; the first run makes it' },
    });
    expect(readdirSync(w.folder)).toEqual([]);
  }
});

it('tells people line by line', async () => {
  const { code, out } = await new Workspace().run('doctor');
  expect(code).toBe(0);
  expect(out).toMatch(/^✔ Node \d+\.\d+\.\d+\n✔ SQLite /);
});

it('finds the agents of the settings, asks no shell, and waits for none', async () => {
  const w = new Workspace({
    'signalbox.yaml': [
      'agents:',
      '  good: { kind: command, command: [./good, "$(touch hacked)"] }',
      '  mute: { kind: command, command: [./mute] }',
      '  slow: { kind: command, command: [./slow] }',
      '  gone: { kind: command, command: [no-such-program] }',
      '',
    ].join('\n'),
    good: '#!/bin/sh\necho "good $# 1.2.3"\n',
    mute: '#!/bin/sh\nexit 3\n',
    slow: '#!/bin/sh\nsleep 600 & echo $! > "$(dirname "$0")/pid"; wait\n',
  });
  for (const name of ['good', 'mute', 'slow']) chmodSync(join(w.folder, name), 0o755);
  const { code, json } = await w.run('doctor', '--versions', '--json');
  expect(code).toBe(1);
  const found = byId(json);
  expect(found['agent:good']).toMatchObject({ status: 'ok', message: expect.stringContaining('good 1 1.2.3') });
  expect(found['agent:mute']).toMatchObject({ status: 'ok' });
  expect(found['agent:slow']).toMatchObject({ status: 'warning', message: expect.stringContaining('within 2 s') });
  expect(found['agent:gone']).toMatchObject({ status: 'broken', help: expect.stringContaining('install it') });
  expect(w.has('hacked')).toBe(false);
  // The program was killed with what it had started; the system takes a moment to bury it.
  await expect.poll(() => identify(Number(w.read('pid'))), { timeout: 5_000 }).toBeNull();
});

it('runs nothing that the settings name, unless a person asks for versions', async () => {
  const w = new Workspace({
    'signalbox.yaml': [
      'agents:',
      '  mine: { kind: command, command: [./evil] }',
      '  claude: { command: ./evil }',
      '  codex: { kind: codex, command: [./evil] }',
      '  found: { kind: command, command: [found] }',
      '',
    ].join('\n'),
    evil: '#!/bin/sh\necho evil > "$(dirname "$0")/hacked"\n',
    'tools/found': '#!/bin/sh\necho evil > "$(dirname "$0")/../hacked"; pwd > "$(dirname "$0")/where"\n',
  });
  for (const name of ['evil', 'tools/found']) chmodSync(join(w.folder, name), 0o755);
  const PATH = `${join(w.folder, 'tools')}:${process.env.PATH}`;
  const { code, json } = await w.runWith({ PATH }, 'doctor', '--json');
  expect([code, w.has('hacked')]).toEqual([0, false]);
  expect(byId(json)['agent:mine']).toMatchObject({ status: 'ok', message: expect.stringContaining('/evil') });
  await w.runWith({ PATH }, 'doctor', '--versions');
  expect([w.has('hacked'), w.read('tools/where')]).toEqual([true, '/\n']);
});

it('looks for the agents of plans and of the settings, and says how to install them', async () => {
  const w = new Workspace({
    'signalbox.yaml': 'review-agent: gemini\nagents:\n  mine: {kind: command, command: [./mine]}\n',
    'plan.yaml': 'tasks:\n  a: {agent: claude}\n  b: {agent: mine}\n  c: {run: "true"}\n  d: {agent: opencode}\n',
    'later.md': '---\nagent: codex\n---\n\n- [ ] x: X\n',
    mine: '#!/bin/sh\n',
  });
  chmodSync(join(w.folder, 'mine'), 0o755);
  await w.run('run', 'plan.yaml', '--only', 'c');
  await w.run('skip', 'd', '--plan', 'plan.yaml', '--reason', 'not now');
  await w.run('set', 'later.md');
  const { code, json } = await w.runWith({ PATH: '/usr/bin:/bin' }, 'doctor', '--json');
  expect(code).toBe(0);
  const found = byId(json);
  expect(found['agent:claude']).toEqual({
    id: 'agent:claude',
    status: 'warning',
    message: 'agent claude (plan.yaml): there is no program claude',
    help: expect.stringContaining('npm install --global @anthropic-ai/claude-code'),
  });
  expect(found['agent:codex'].message).toContain('agent codex (later.md)');
  expect(found['agent:gemini'].message).toContain('agent gemini (signalbox.yaml)');
  expect(found['agent:mine'].message).toContain('(signalbox.yaml:3)');
  // Nobody needs it any more.
  expect(found['agent:opencode']).toBeUndefined();
});

it('names what stands in the place of the journals', async () => {
  const w = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "true"}}\n' });
  await w.run('run', 'plan.yaml');
  rmSync(join(w.folder, '.signalbox/journals'), { recursive: true });
  execFileSync('mkfifo', [join(w.folder, '.signalbox/journals')]);
  expect(byId((await w.run('doctor', '--json')).json).journals).toMatchObject({
    status: 'broken',
    message: expect.stringContaining('journals is no folder'),
  });
});

it('says what the hooks of an agent do not cover', async () => {
  const w = new Workspace({
    'signalbox.yaml': 'agents:\n  coder: {kind: codex, command: [./tool]}\n  any: {kind: command, command: [./tool]}\n',
    tool: '#!/bin/sh\n',
  });
  chmodSync(join(w.folder, 'tool'), 0o755);
  const hooked = byId((await w.run('doctor', '--json')).json);
  expect(hooked['hooks:coder']).toEqual({
    id: 'hooks:coder',
    status: 'ok',
    message:
      'agent coder: its edits take locks by themselves; not covered: tools of MCP servers, calls inside the `exec` tool of Code Mode, patches in shell commands with a `workdir` of their own, and shell commands until they have ended',
  });
  expect(hooked['hooks:any']).toBeUndefined();
  w.write('signalbox.yaml', `locks: advisory\n${w.read('signalbox.yaml')}`);
  const { json } = await w.run('doctor', '--json');
  expect(byId(json)['hooks:coder'].message).toBe(
    'agent coder: no hooks (locks: advisory), so nothing holds it to its locks',
  );
});

it.each<[string, string, object]>([
  ['runs them', 'exec "$@"', { status: 'ok', message: expect.stringContaining('it runs commands') }],
  ['ends well and runs none', 'true', { status: 'broken', help: expect.stringContaining('container') }],
])('lets Codex run a command: one that %s', async (_, script, expected) => {
  const codex = `#!/bin/sh\ntest "$1" = --version && { echo codex-cli 0.166.0; exit; }\ntest "$3" = sandbox || exit 9\nshift 4\n${script}\n`;
  const commands = async (w: Workspace, env: Record<string, string>, ...args: string[]) =>
    byId((await w.runWith(env, 'doctor', ...args, '--json')).json)['commands:codex'];

  // One of the person, on their PATH, is asked anyway.
  const w = new Workspace({ 'signalbox.yaml': 'agent: codex\n' });
  const tools = new Workspace({ codex });
  chmodSync(join(tools.folder, 'codex'), 0o755);
  expect(await commands(w, { PATH: `${tools.folder}:${process.env.PATH}` })).toMatchObject(expected);

  // One that the settings name is not run, until a person wants it to.
  w.write('codex', codex);
  chmodSync(join(w.folder, 'codex'), 0o755);
  w.write('signalbox.yaml', 'agents:\n  codex: {command: [./codex]}\n');
  expect(await commands(w, {})).toBeUndefined();
  expect(await commands(w, {}, '--versions')).toMatchObject(expected);
});

it('runs no git and no coding agent of the workspace', async () => {
  const evil = '#!/bin/sh\necho evil > "$(dirname "$0")/../hacked"\n';
  const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {agent: claude}\n', 'bin/git': evil, 'bin/claude': evil });
  for (const name of ['git', 'claude']) chmodSync(join(w.folder, 'bin', name), 0o755);
  await w.run('set', 'plan.yaml');
  const PATH = `${join(w.folder, 'bin')}:${process.env.PATH}`;
  const { json } = await w.runWith({ PATH }, 'doctor', '--json');
  expect(w.has('hacked')).toBe(false);
  expect(byId(json).git).toMatchObject({ status: 'ok', message: expect.stringMatching(/^git version .*\(\/.*git\)$/) });
  expect(byId(json).git.message).not.toContain(w.folder);
  expect(byId(json)['agent:claude']).toMatchObject({ status: 'ok', message: expect.stringContaining('/bin/claude') });
});

it('says when git tracks the state, and how to end that', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: true\n' });
  const git = (...args: string[]) => execFileSync('git', ['-C', w.folder, ...args]);
  git('init', '-q');
  await w.run('run', 'plan.md');
  expect(byId((await w.run('doctor', '--json')).json).gitignore).toMatchObject({ status: 'ok' });
  git('add', '--force', '.signalbox/state.db', '.signalbox/.gitignore');
  const { json } = await w.run('doctor', '--json');
  expect(byId(json).gitignore).toEqual({
    id: 'gitignore',
    status: 'warning',
    message: 'git tracks the state (2 files, .signalbox/.gitignore is one): whoever clones the repository gets it',
    help: 'untrack it, and commit that: git rm -r --cached .signalbox',
  });
  git('rm', '-q', '-r', '--cached', '.signalbox');
  expect(byId((await w.run('doctor', '--json')).json).gitignore).toMatchObject({ status: 'ok' });
});

it('finds leftovers, and --fix puts right what is safe', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: true\n' });
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  const state = join(w.folder, '.signalbox');
  chmodSync(state, 0o755);
  chmodSync(join(state, 'state.db'), 0o644);
  rmSync(join(state, '.gitignore'));
  w.write('.signalbox/state.db.broken-20260101T000000Z', 'x');
  const journals = () => readdirSync(join(state, 'journals'));
  expect(journals()).toEqual([]);
  // As a runner that was killed leaves it.
  w.write('.signalbox/journals/r1.journal', '');

  const before = await w.run('doctor', '--json');
  expect(before.code).toBe(0);
  const wrong = ['state', 'database-mode', 'gitignore', 'journals', 'kept-aside'];
  expect(before.json.checks.filter(({ status }: Line) => status === 'warning').map(({ id }: Line) => id)).toEqual(
    expect.arrayContaining(wrong),
  );
  expect(byId(before.json).database.message).toMatch(/^the database is whole \(\d+ events\)$/);
  expect(journals()).toHaveLength(1);

  const { json } = await w.run('doctor', '--fix', '--json');
  expect(json.checks.filter(({ fixed }: Line) => fixed).map(({ id }: Line) => id)).toEqual(
    wrong.slice(0, 3).toSorted(byOrder).concat('journals'),
  );
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(statSync(join(state, 'state.db')).mode & 0o777).toBe(0o600);
  expect(w.read('.signalbox/.gitignore')).toBe('*\n');
  expect(journals()).toEqual([]);
  // What a person may still want is not touched.
  expect(w.has('.signalbox/state.db.broken-20260101T000000Z')).toBe(true);
  expect(await w.status('plan.md')).toEqual({ a: 'completed' });
});

it('leaves the journal of what still runs alone, and names it when its runner is dead', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `touch up; while [ ! -e go ]; do sleep 0.05; done`\n' });
  const run = w.start('run', 'plan.md', '--json');
  await run.line(({ type }) => type === 'attempt-started');
  const journals = () => readdirSync(join(w.folder, '.signalbox/journals'));
  const alive = await w.run('doctor', '--fix', '--json');
  expect(byId(alive.json)).toMatchObject({ attempts: { status: 'ok' }, journals: { status: 'ok' } });
  expect(journals()).toHaveLength(1);

  run.kill('SIGKILL');
  await run.ended;
  const dead = await w.run('doctor', '--fix', '--json');
  expect(byId(dead.json).attempts).toMatchObject({ status: 'warning', message: expect.stringContaining('a#1') });
  expect(journals()).toHaveLength(1);
  w.write('go', '');
  expect((await w.run('run', 'plan.md')).code).toBe(0);
});

it('has nothing to warn of behind a run that ended by itself or was stopped', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `touch up; while [ ! -e go ]; do sleep 0.05; done`\n' });
  const run = w.start('run', 'plan.md', '--json');
  await run.line(({ type }) => type === 'attempt-started');
  expect((await w.run('stop')).code).toBe(0);
  expect((await run.ended).code).toBe(143);
  const left = async () => byId((await w.run('doctor', '--json')).json).journals;
  expect(await left()).toEqual({ id: 'journals', status: 'ok', message: 'no journals of ended runs' });
  w.write('go', '');
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  expect(await left()).toMatchObject({ status: 'ok' });
});

it('a database that is no database is broken, exit 1, and stays where it is', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: true\n' });
  await w.run('run', 'plan.md');
  w.write('.signalbox/state.db', 'x'.repeat(8192));
  for (const suffix of ['-wal', '-shm']) rmSync(join(w.folder, `.signalbox/state.db${suffix}`), { force: true });
  const { code, json } = await w.run('doctor', '--fix', '--json');
  expect(code).toBe(1);
  const help = expect.stringContaining('signalbox validate --fix keeps the database aside');
  expect(byId(json).database).toMatchObject({ status: 'broken', help });
  expect(byId(json).journals).toBeUndefined();
  expect(w.read('.signalbox/state.db')).toBe('x'.repeat(8192));
});

it('mistakes in the settings are told with their lines, exit 3', async () => {
  const { code, json } = await new Workspace({ 'signalbox.yaml': 'agnet: x\n' }).run('doctor', '--json');
  expect(code).toBe(3);
  expect(json.diagnostics[0]).toMatchObject({ line: 1, code: 'unknown-key' });
});

const order = ['state', 'gitignore', 'database-mode'];
const byOrder = (a: string, b: string) => order.indexOf(a) - order.indexOf(b);

it('names agents of the settings that nobody describes, with the nearest that somebody does', async () => {
  const folder = new Workspace({
    'signalbox.yaml':
      "agent: claud\nreview-agent: reviewr\nescalation-agent: nobody\nagents:\n  reviewer: { kind: command, command: ['true'] }\n",
  });
  const found = byId((await folder.run('doctor', '--json')).json);
  expect(found['agent:claud']).toMatchObject({
    status: 'broken',
    message: 'agent in signalbox.yaml: there is no agent claud',
    help: 'did you mean claude?',
  });
  expect(found['agent:reviewr'].help).toBe('did you mean reviewer?');
  expect(found['agent:nobody'].help).toMatch(/^name one of reviewer, claude, .* or add it to agents:$/);
});
