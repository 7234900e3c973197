// What `run` would refuse, `check` and `--dry-run` say: nobody should learn at the start of a long run what the plan lacks.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Workspace } from '../rig.ts';

const settings =
  'agents: { claude: { kind: command, command: [cat] }, gone: { kind: command, command: [no-such-program] } }\n';

const cases: [string, string, string, RegExp][] = [
  [
    'an unknown agent, with the one that was meant',
    settings,
    '- agent: cluade',
    /cluade, which signalbox\.yaml does not have[\s\S]*did you mean claude\?/,
  ],
  ['nothing to run', settings, '- Think hard.', /has neither run: nor an agent/],
  [
    'review by an agent without a reviewer',
    settings,
    '- run: "true"\n  - review: agent',
    /wants review by an agent, and signalbox\.yaml names none/,
  ],
  [
    'escalation without an agent for it',
    settings,
    '- run: "true"\n  - on-failure: escalate',
    /wants escalation by an agent/,
  ],
  [
    'a program that is not there',
    settings,
    '- agent: gone',
    /the program no-such-program of the agent gone is not on the PATH/,
  ],
  ...[
    ['claude', '@anthropic-ai/claude-code'],
    ['codex', '@openai/codex'],
    ['opencode', 'opencode-ai'],
    ['gemini', '@google/gemini-cli'],
  ].map(([agent, name]): [string, string, string, RegExp] => [
    `${agent} that is not installed, with how to install it`,
    `agents: { ${agent}: { env: { PATH: /nowhere } } }\n`,
    `- agent: ${agent}`,
    new RegExp(
      `the program ${agent} of the agent ${agent} is not on the PATH[\\s\\S]*install it: npm install --global ${name}, or`,
    ),
  ]),
  [
    'a reviewer whose program is not there',
    `${settings}review-agent: gone\n`,
    '- run: "true"\n  - review: agent',
    /the program no-such-program of the agent gone is not on the PATH/,
  ],
  [
    'an agent for escalation whose program is not there',
    `${settings}escalation-agent: gone\n`,
    '- run: "true"\n  - on-failure: escalate',
    /the program no-such-program of the agent gone is not on the PATH/,
  ],
  [
    'a reviewer that is unknown',
    `${settings}review-agent: nobody\n`,
    '- run: "true"\n  - review: agent',
    /wants review by the agent nobody/,
  ],
];

describe.each(cases)('%s', (_, yaml, keys, words) => {
  const w = new Workspace({
    'signalbox.yaml': yaml,
    'plan.md': `- [ ] a: Build\n  ${keys}\n- [ ] b: Test → a\n  - run: "true"\n`,
  });

  test('run refuses it', async () => {
    const { code, err } = await w.run('run', 'plan.md');
    expect(code).toBe(7);
    expect(err).toMatch(words);
  });

  test('check says it and stays at 0', async () => {
    const { code, out } = await w.run('check', 'plan.md');
    expect(code).toBe(0);
    expect(out).toContain('plan.md:1: warning: run refuses this plan: ');
    expect(out).toMatch(words);
    expect(out).toContain('(1 warning)');
    const { json } = await w.run('check', 'plan.md', '--json');
    expect(json).toMatchObject({ ok: true, hindrances: [{ task: 'a', line: 1 }] });
  });

  test('a dry run says it and shows everything', async () => {
    const { code, out } = await w.run('run', 'plan.md', '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(words);
    expect(out).toContain('would run 2 tasks in 2 steps');
    const { json } = await w.run('run', 'plan.md', '--dry-run', '--json');
    expect(json.hindrances).toMatchObject([{ task: 'a' }]);
  });
});

test('the same cause is told once, with the number of tasks', async () => {
  const w = new Workspace({ 'plan.md': Array.from({ length: 7 }, (_, i) => `- [ ] ${i}: Do\n`).join('') });
  const { out } = await w.run('check', 'plan.md');
  expect(out.match(/neither run: nor an agent/g)).toHaveLength(1);
  expect(out).toContain('(and 6 more tasks)');
});

test('a group whose review nobody can do, and what is done already', async () => {
  const w = new Workspace({
    'plan.md': '- [ ] g: Group\n  - review: agent\n  - [ ] a: Part\n    - run: "true"\n- [x] d: Done\n',
  });
  const { json } = await w.run('check', 'plan.md', '--json');
  expect(json.hindrances).toHaveLength(1);
  expect(json.hindrances[0].message).toContain('wants review by an agent');
});

test('check says nothing about a plan that run takes', async () => {
  const w = new Workspace({ 'signalbox.yaml': settings, 'plan.md': '- [ ] a: Build\n  - agent: claude\n' });
  const { json, code } = await w.run('check', 'plan.md', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ hindrances: [], unsupported: [], diagnostics: [] });
});

test.each([
  ['under a task', '- [ ] a: Build\n  - run: "true"\n  - retries: 10\n', 'plan.md', '', 3],
  ['in the front matter', '---\nretries: 10\n---\n- [ ] a: Build\n  - run: "true"\n', 'plan.md', '', 2],
  ['in YAML', 'tasks:\n  a: {run: "true", retries: 10}\n', 'plan.yaml', '', 2],
  ['in the settings', '- [ ] a: Build\n  - run: "true"\n', 'plan.md', 'retries: 10\n', 1],
])('retries that are cut are told: %s', async (_, text, file, yaml, line) => {
  const w = new Workspace({ [file]: text, ...(yaml === '' ? {} : { 'signalbox.yaml': yaml }) });
  const { code, json } = await w.run('check', file, '--json');
  expect(code).toBe(0);
  expect(json.diagnostics).toMatchObject([{ code: 'many-retries', severity: 'warning', line }]);
  expect(json.diagnostics[0].message).toContain('10 retries');
  const run = await w.run('run', file);
  expect(run.out + run.err).toContain('10 retries');
});

test.each(['[SEQUENTAL]', '[SEQUENCIAL]', '[sequential]', '[Sequential]'])(
  'a mark with a slip is told: %s',
  async (mark) => {
    const w = new Workspace({
      'plan.md': `## Setup ${mark}\n- [ ] a: Build\n  - run: "true"\n- [ ] b: Test\n  - run: "true"\n`,
    });
    const { code, out } = await w.run('check', 'plan.md');
    expect(code).toBe(0);
    expect(out).toContain('nearly-mark');
    expect(out).toContain('did you mean `[SEQUENTIAL]`?');
  },
);

test.each(['[SEQUENTIAL]', '[security]', '[Sequential](docs.md)'])('and what is none is not: %s', async (mark) => {
  const w = new Workspace({
    'plan.md': `## Setup ${mark}\n- [ ] a: Build\n  - run: "true"\n- [ ] b: Test\n  - run: "true"\n`,
  });
  expect((await w.run('check', 'plan.md')).out).not.toContain('nearly-mark');
});

describe('a run that is refused in a fresh workspace leaves nothing behind', () => {
  const fine = '- [ ] a: Build\n  - run: "true"\n';
  test.each<[string, string, string[], number]>([
    ['a mistake in the plan', '- [ ] a: Build → nobody\n', [], 3],
    ['an unknown agent', '- [ ] a: Build\n  - agent: nobody\n', [], 7],
    ['nothing to run', '- [ ] a: Build\n', [], 7],
    ['a task that is not there', fine, ['--only', 'nobody'], 2],
    ['a need outside of the selection', `${fine}- [ ] b: Test → a\n  - run: "true"\n`, ['--only', 'b'], 2],
    ['trees without a repository', `---\nisolation: worktree\n---\n${fine}`, [], 2],
  ])('%s', async (_, plan, more, expected) => {
    const w = new Workspace({ 'plan.md': plan });
    const { code } = await w.run('run', 'plan.md', ...more);
    expect([code, readdirSync(w.folder)]).toEqual([expected, ['plan.md']]);
  });

  test('a plan that cannot be ticked', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "true"}}\n' });
    const { code } = await w.run('run', 'plan.yaml', '--tick');
    expect([code, readdirSync(w.folder)]).toEqual([2, ['plan.yaml']]);
  });

  test('what is done already, by status.json, hinders nobody', async () => {
    const w = new Workspace({
      'plan.md': '- [ ] a: Build\n- [ ] b: Test\n  - run: "true"\n',
      'docs/plan-outputs/plan/status.json': '{"tasks":[{"id":"a","status":"completed"}]}',
    });
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  test('locks neither', async () => {
    const w = new Workspace({ 'a.ts': '' });
    for (const args of [
      ['try', '../x', '--agent', 'me'],
      ['try', 'a.ts'],
      ['wait', '../x', '--agent', 'me'],
      ['release', '../x', '--agent', 'me'],
    ])
      expect([args, (await w.run('lock', ...args)).code, w.has('.signalbox')]).toEqual([args, 2, false]);
  });
});
