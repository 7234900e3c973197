// Coding agents from their start to what becomes of their task. The agent is a script that prints what the real program printed;
// `npm run test:agents` drives the real ones.
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folders } from '../../rigs/left-behind.ts';
import { type Line, Workspace } from '../rig.ts';

const recorded = (kind: string, name: string) => readFileSync(`test/fixtures/streams/${kind}/${name}.jsonl`, 'utf8');

/** @param script what it does before it prints its stream; `$1` is the number of the attempt. */
function claude(stream: string, { script = '', settings = '', keys = '' } = {}): Workspace {
  const w = new Workspace({
    'signalbox.yaml': `retries: 0\nlocks: advisory\n${settings}agents:\n  claude: {command: [./fake.sh]}\n`,
    'plan.yaml': `tasks:\n  a: {title: Write the file, agent: claude${keys}}\n`,
    'fake.sh': `#!/bin/sh\ntest "$1" = --version && { echo "2.1.325 (Claude Code)"; exit; }\ncat > .signalbox/told\nset -- "\${SIGNALBOX_ATTEMPT#*#}"\n${script}\nsed "s/a[.]txt/$SIGNALBOX_TASK.txt/g" stream\n`,
    stream,
  });
  chmodSync(join(w.folder, 'fake.sh'), 0o755);
  return w;
}
const typed = <T extends string>(lines: readonly Line[], type: T) => lines.filter((line) => line.type === type);

describe('a coding agent', () => {
  it('completes its task, and what it said, used and cost is recorded', async () => {
    const w = claude(recorded('claude', 'done'), { script: 'echo hi > a.txt' });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(typed(lines, 'attempt-ended')).toMatchObject([
      {
        evidence: {
          changed: true,
          agent: { by: 'claude', class: 'done', said: 'All done.', costUsd: expect.any(Number) },
        },
      },
    ]);
    expect((await w.run('cost')).out).toContain('for 1 attempt');
  });

  it('is named at the start with its version, and one that was not tried with a warning', async () => {
    const w = claude(recorded('claude', 'done'), { script: 'echo hi > a.txt' });
    const { out, err } = await w.run('run', 'plan.yaml');
    expect(out + err).toMatch(/agent claude: Claude Code 2\.1\.325 \(.*\) for 1 task/);
    expect(out + err).not.toContain('was tried with');
    w.write('fake.sh', w.read('fake.sh').replace('2.1.325', '9.9.9'));
    await w.run('retry', 'a', '--force');
    const again = await w.run('run', 'plan.yaml');
    expect(again.out + again.err).toContain('Claude Code was tried with 2.1.325');
  });

  it('that reviews or debugs is named too, and what run warns of, check and a dry run say', async () => {
    const w = claude(recorded('claude', 'done'));
    const bin = join(w.folder, '..', `${basename(w.folder)}-bin`);
    folders.push(bin);
    mkdirSync(bin);
    writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho codex-cli 9.9.9\n', { mode: 0o755 });
    w.write('signalbox.yaml', 'review-agent: codex\nescalation-agent: codex\n');
    const keys = 'run: "true", review: agent, on-failure: escalate';
    w.write('plan.yaml', `tasks:\n  a: {${keys}}\n  b: {${keys}, needs: [a]}\n  c: {agent: codex}\n`);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const warnings = ['Codex was tried with', 'several agents will share the login of Codex (codex login)'];
    for (const args of [['check'], ['run', '--dry-run']]) {
      const { code, out } = await w.runWith(env, ...args, 'plan.yaml');
      expect(code, out).toBe(0);
      for (const words of warnings) expect(out.split(words), out).toHaveLength(2);
      const { json } = await w.runWith(env, ...args, 'plan.yaml', '--json');
      expect(json.notes).toEqual(warnings.map((words) => expect.stringContaining(words)));
    }
    const { out } = await w.runWith(env, 'run', 'plan.yaml', '--only', 'a,b');
    expect(out).toMatch(/agent codex: Codex 9\.9\.9 \(.*\) for 2 reviews and debugging 2 tasks in case of failure/);
    expect(out.split(warnings[0]!)).toHaveLength(2);
    expect(out).not.toContain('share the login');
  });

  it('that works with plugins of the person is told so, once', async () => {
    const [init = '', ...rest] = recorded('claude', 'done').split('\n');
    const more = { ...JSON.parse(init), plugins: [{ name: 'theirs', path: '/p' }], mcp_servers: [{ name: 'db' }] };
    const stream = [JSON.stringify(more), ...rest].join('\n');
    const w = claude(stream, { script: 'echo $SIGNALBOX_TASK > $SIGNALBOX_TASK.txt' });
    w.write('plan.yaml', 'check: "true"\ntasks:\n  a: {agent: claude}\n  b: {agent: claude}\n');
    const { code, out } = await w.run('run', 'plan.yaml');
    expect(code, out).toBe(0);
    expect(out.match(/claude works with what Signalbox did not give it: plugin theirs, MCP server db/g)).toHaveLength(
      1,
    );
  });

  it('that says it waits is warned about by run and logs, and judged as if it had not', async () => {
    const words = 'The tests run. I will be notified when they complete.';
    const stream = recorded('claude', 'done').replaceAll('All done.', words);
    const w = claude(stream, { script: 'echo hi > a.txt' });
    const { code, out } = await w.run('run', 'plan.yaml');
    const warning =
      'its last message says that it waits, and nothing calls it back: "I will be notified when they complete."';
    expect(code).toBe(0);
    expect(out).toMatch(/⚠ +a +Write the file +its last message/);
    expect(out).toContain(warning);
    expect((await w.run('logs', 'a')).out).toContain(`Warning: ${warning}`);
    const { lines } = await w.run('events', '--json');
    expect(typed(lines, 'attempt-ended')[0]).toMatchObject({
      evidence: { agent: { class: 'done', waits: 'I will be notified when they complete.' } },
    });
  });

  it('that prints what is no part of its stream is warned about once, with the beginning of it', async () => {
    const stream = `Loaded cached credentials.\nYOLO mode\n${recorded('claude', 'done')}`;
    const w = claude(stream, { script: 'echo hi > a.txt' });
    const { code, out } = await w.run('run', 'plan.yaml');
    expect(code, out).toBe(0);
    const warning =
      /2 lines of its output are too long or no JSON, and were passed over; the first begins: Loaded cached credentials\./g;
    expect(out.match(warning)).toHaveLength(1);
  });

  it('is warned about when several share one login, and not when they have a key', async () => {
    const w = claude(recorded('claude', 'done'), { script: 'echo $SIGNALBOX_TASK > $SIGNALBOX_TASK.txt' });
    w.write('plan.yaml', 'tasks:\n  a: {agent: claude}\n  b: {agent: claude, needs: [a]}\n');
    expect((await w.run('check', 'plan.yaml')).out).not.toContain('share the login');
    w.write('plan.yaml', 'tasks:\n  a: {agent: claude}\n  b: {agent: claude}\n');
    expect((await w.run('check', 'plan.yaml')).out).toContain('share the login');
    const plain = await w.run('run', 'plan.yaml');
    expect(plain.code).toBe(0);
    expect((plain.out + plain.err).match(/will share the login of Claude Code/g)).toHaveLength(1);
    await w.run('retry', 'a', 'b', '--force');
    const keyed = await w.runWith({ ANTHROPIC_API_KEY: 'k' }, 'run', 'plan.yaml');
    expect(keyed.out + keyed.err).not.toContain('share the login');
  });

  it.each([
    ['max-turns', { kind: 'agent', class: 'max-turns' }],
    ['budget', { kind: 'agent', class: 'budget' }],
    ['overload', { kind: 'agent', class: 'overload' }],
    ['terminated', { kind: 'agent', class: 'no-result' }],
    ['nothing', { kind: 'nothing-done' }],
  ])('that ends with %s has failed, whatever it exits with', async (name, failure) => {
    const { code, lines } = await claude(recorded('claude', name)).run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(typed(lines, 'task-failed')).toMatchObject([{ failure }]);
  });

  it.each(['authentication', 'billing'])('that ends with %s is not tried again', async (name) => {
    const w = claude(recorded('claude', name));
    w.write('signalbox.yaml', w.read('signalbox.yaml').replace('retries: 0', 'retries: 3'));
    const { lines } = await w.run('run', 'plan.yaml', '--json');
    expect(typed(lines, 'attempt-ended')).toHaveLength(1);
    expect(typed(lines, 'task-failed')).toMatchObject([{ failure: { kind: 'agent', class: name } }]);
  });

  it('gets the variables of its kind and of no other, and none of ours', async () => {
    const w = claude(recorded('claude', 'done'), { script: 'env > a.txt' });
    const env = { ANTHROPIC_API_KEY: 'k1', OPENAI_API_KEY: 'k2', SECRET: 'k3', CLAUDECODE: '1' };
    await w.runWith(env, 'run', 'plan.yaml');
    const seen = w.read('a.txt');
    expect(seen).toContain('ANTHROPIC_API_KEY=k1\n');
    for (const other of ['OPENAI_API_KEY', 'SECRET', 'CLAUDECODE=']) expect(seen).not.toContain(other);
  });
});

describe('a limit of the account', () => {
  /** Limited at its first attempt, for so many seconds. */
  const limited = (seconds: number, settings = '') => {
    const soon = recorded('claude', 'usage-limit').replace(/"resetsAt":\d+/g, '"resetsAt":RESET');
    const script = `if test $1 = 1; then sed "s/RESET/$(( $(date +%s) + ${seconds} ))/" limited; exit 1; fi; echo hi > a.txt`;
    const w = claude(recorded('claude', 'done'), { script, settings });
    w.write('limited', soon);
    return w;
  };

  it('is waited for, costs no attempt, and the task is completed afterwards', async () => {
    const w = limited(2);
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(lines.map(({ type }) => type).filter((type) => /quota|retry|task-/.test(type))).toEqual([
      'quota-paused',
      'retry-scheduled',
      'quota-resumed',
      'task-completed',
    ]);
    expect(typed(lines, 'retry-scheduled')).toMatchObject([{ because: 'quota' }]);
  });

  it('ends the run with 6 where that is asked for, also one that begins before the account is open again', async () => {
    const w = limited(600, 'quota: stop\n');
    expect((await w.run('run', 'plan.yaml')).code).toBe(6);
    const { code, out } = await w.run('run', 'plan.yaml');
    expect(code, out).toBe(6);
    expect(out).toMatch(/\n‖ {2}claude \S+ is at its usage limit until .*; 1 task waits\n/);
    expect(out).toContain('an account has reached its usage limit');
  });

  it('that ended a run with 6 is waited for by one that waits', async () => {
    const w = limited(3, 'quota: stop\n');
    expect((await w.run('run', 'plan.yaml')).code).toBe(6);
    w.write('signalbox.yaml', w.read('signalbox.yaml').replace('quota: stop\n', ''));
    const next = await w.run('run', 'plan.yaml', '--json');
    expect(next.code).toBe(0);
    expect(next.lines.map(({ type }) => type)).toContain('quota-resumed');
  });

  it('is the reason that why gives', async () => {
    const w = limited(600);
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'quota-paused');
    const { reasons } = (await w.run('why', 'a', '--json')).lines[0] as unknown as { reasons: { kind: string }[] };
    expect(reasons).toMatchObject([{ kind: 'quota', account: expect.stringContaining('claude') }]);
    expect((await w.run('why', 'a')).out).toMatch(
      /It waits: claude login is at its usage limit until .*, in (9|10) min/,
    );
    run.kill('SIGTERM');
    expect((await run.ended).code).toBe(143);
  });
});

it('the home of an agent stays until its task is completed', async () => {
  const codex = (name: string) => readFileSync(`test/fixtures/streams/codex/${name}.jsonl`, 'utf8');
  const w = new Workspace({
    // The recorded calls reached no hooks.
    'signalbox.yaml': 'locks: advisory\nagents:\n  codex: {command: [./codex.sh]}\n',
    'plan.yaml': 'retries: 0\ntasks:\n  a: {agent: codex, files: a.txt}\n  b: {agent: codex, files: b.txt}\n',
    'codex.sh':
      '#!/bin/sh\ntest "$1" = --version && exit\necho x > "$CODEX_HOME/session"\ntest $SIGNALBOX_TASK = b && ! test -e ok && exit 1\necho $SIGNALBOX_TASK > $SIGNALBOX_TASK.txt\nsed "s/a[.]txt/$SIGNALBOX_TASK.txt/g" stream\n',
    stream: codex('done'),
  });
  chmodSync(join(w.folder, 'codex.sh'), 0o755);
  const homes = () =>
    globSync('.signalbox/attempts/*/homes/*', { cwd: w.folder }).map((name) => /codex-\w+/.exec(name)![0]);
  expect((await w.run('run', 'plan.yaml')).code).toBe(1);
  expect(homes()).toEqual(['codex-b']);
  w.write('ok', '');
  await w.run('retry', 'b');
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  expect(homes()).toEqual([]);
});

describe('prompt', () => {
  it('shows what an agent would be told, before any run, and is what it is told', async () => {
    const w = claude(recorded('claude', 'done'), {
      script: 'echo hi > a.txt',
      keys: ', check: "true", files: [a.txt]',
    });
    const { out } = await w.run('prompt', 'a', '--plan', 'plan.yaml');
    expect(out).toContain('# Write the file');
    expect(out).toContain('- `true`');
    expect(out).toContain('You hold these until you end: a.txt.');
    await w.run('run', 'plan.yaml');
    expect(w.read('.signalbox/told')).toBe(out);
  });

  it('is refused for a command and a group', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] g: Group\n  - [ ] a: One\n    - run: make\n' });
    for (const id of ['a', 'g']) expect((await w.run('prompt', id, '--plan', 'plan.md')).code).toBe(2);
  });
});
