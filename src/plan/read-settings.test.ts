// The settings: the example of the contract, and every way to get them wrong.
import { describe, expect, test } from 'vitest';
import { agentKinds } from '../agents/kind.ts';
import { planPath } from '../core/model/ids.ts';
import { emptySettings } from '../core/model/settings.ts';
import { unsupportedKeys } from './check/unsupported.ts';
import { readPlan } from './read-plan.ts';
import { readSettings } from './read-settings.ts';

const read = (text: string) => readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds });
const codes = (text: string) => read(text).diagnostics.map((d) => `${d.line}:${d.column} ${d.code}`);

describe('settings', () => {
  test('the example of the contract', () => {
    const { settings, diagnostics } = read(`agent: claude                       # default agent
agents:
  claude:   { command: claude, args: [], env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" }, model: sonnet }
  reviewer: { kind: claude, model: opus }
  mytool:   { kind: command, command: [mytool, --task, "{task}", --prompt-file, "{promptFile}"] }
review-agent: reviewer
max-parallel: 3
pools: { opus: 1 }
store: sqlite
workspace: my-project
deadlock: { detect: true, victim: youngest }
quota: wait
`);
    expect(diagnostics).toEqual([]);
    expect(settings).toEqual({
      agents: {
        claude: {
          kind: 'claude',
          command: ['claude'],
          args: [],
          env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
          model: 'sonnet',
          line: 3,
        },
        reviewer: { kind: 'claude', command: [], args: [], env: {}, model: 'opus', line: 4 },
        mytool: {
          kind: 'command',
          command: ['mytool', '--task', '{task}', '--prompt-file', '{promptFile}'],
          args: [],
          env: {},
          line: 5,
        },
      },
      defaults: { agent: 'claude' },
      maxParallel: 3,
      pools: { opus: 1 },
      deadlock: { detect: true, victim: 'youngest' },
      reviewAgent: 'reviewer',
      quota: 'wait',
      unsupported: [],
    });
  });

  test('prices are USD for a million tokens, by model', () => {
    const { settings, diagnostics } = read('prices: { m: { input: 1.25, output: 10, cache-write: 2 } }');
    expect(diagnostics).toEqual([]);
    expect(settings!.prices).toEqual({ m: { input: 1.25, output: 10, cached: 1.25, cacheWrite: 2 } });
    expect(read('prices: { m: { input: 2, output: 0, cached: 0 } }').settings!.prices).toEqual({
      m: { input: 2, output: 0, cached: 0, cacheWrite: 2 },
    });
    expect(codes('prices: 3')).toEqual(['1:9 bad-value']);
    expect(codes('prices: { m: 3 }')).toEqual(['1:14 bad-value']);
    expect(codes('prices: { m: { input: much } }')).toEqual(['1:23 bad-value']);
    expect(codes('prices: { m: { inptu: 1 } }')).toEqual(['1:16 unknown-key']);
  });

  test.each([
    ['Advisory', 'did you mean `advisory`? Else: '],
    ['enforce', 'did you mean `enforced`? Else: '],
    ['none', ''],
    ['off', ''],
  ])('locks: %s is no lock of every task', (word, meant) => {
    const { settings, diagnostics } = read(`locks: ${word}`);
    expect(settings).toBeNull();
    expect(diagnostics).toMatchObject([
      {
        ...{ code: 'bad-value', line: 1, column: 8, length: word.length },
        message: `\`locks\` takes enforced, advisory or a list, not \`${word}\``,
        help: `${meant}a lock that every task takes stands in a list: \`locks: [db:test]\``,
      },
    ]);
  });

  test('locks in a list, or with a name that is no word, are those of every task', () => {
    expect(read('locks: [none]').settings!.defaults).toEqual({ locks: ['none'] });
    expect(read('locks: db:test').settings!.defaults).toEqual({ locks: ['db:test'] });
  });

  test('a price without what is read or written would count as 0: it is none', () => {
    expect(codes('prices: { m: { input: 1 }, n: { output: 1 } }')).toEqual(['1:11 bad-value', '1:28 bad-value']);
    expect(read('prices: { gpt-5.5: {} }').diagnostics).toMatchObject([
      {
        message: 'the price of `gpt-5.5` lacks `input` and `output`: it would count as 0',
        help: expect.stringContaining('input: 1.25, output: 10'),
      },
    ]);
  });

  test('budgets of a run and of an attempt', () => {
    const { settings } = read('budget-usd: 5\nagents:\n  claude: {budget-usd: 0.5}\n');
    expect([settings!.budgetUsd, settings!.agents.claude!.budgetUsd]).toEqual([5, 0.5]);
    expect(settings!.defaults).toEqual({});
    expect(codes('agents:\n  claude: {budget-usd: much}')).toEqual(['2:24 bad-value']);
  });

  test('the effort of an agent, and which kinds have one', () => {
    const { settings, diagnostics } = read('agents:\n  deep: {kind: codex, effort: xhigh}\n');
    expect(diagnostics).toEqual([]);
    expect(settings!.agents.deep).toMatchObject({ kind: 'codex', effort: 'xhigh' });
    expect(read('agents:\n  gemini: {effort: high}').diagnostics).toMatchObject([
      {
        message: 'agent `gemini` is of kind gemini, which has no `effort`',
        help: 'kinds with one are claude, codex, opencode',
      },
    ]);
  });

  test('nothing is fine', () => {
    expect(read('')).toEqual({ settings: emptySettings, diagnostics: [] });
    expect(read('# only a comment\n').settings).toEqual(emptySettings);
  });

  test.each([
    ['unknown key', 'max-paralel: 3', ['1:1 unknown-key']],
    ['key of a task only', 'needs: [a]', ['1:1 misplaced-key']],
    ['bad value', 'max-parallel: "3"', ['1:15 bad-value']],
    ['duplicate key', 'agent: a\nagent: b', ['2:1 duplicate-key']],
    ['key of an agent', 'agents:\n  a: {kind: command, comand: x, command: y}', ['2:22 unknown-key']],
    ['unknown kind', 'agents:\n  a: {kind: comand, command: y}', ['2:13 bad-value']],
    ['name that is no kind', 'agents:\n  mytool: {command: y}', ['2:3 bad-value']],
    ['command without one', 'agents:\n  a: {kind: command}', ['2:13 bad-value']],
    ['argument of the wrong type', 'agents:\n  a: {kind: command, command: [x, 1]}', ['2:35 bad-value']],
    ['effort of a kind that has none', 'agents:\n  gemini: {effort: high}', ['2:20 bad-value']],
    ['effort of any program', 'agents:\n  a: {kind: command, command: y, effort: high}', ['2:42 bad-value']],
    ['effort that is no word', 'agents:\n  codex: {effort: [high]}', ['2:19 bad-value']],
    ['effort with a blank', 'agents:\n  codex: {effort: very high}', ['2:19 bad-value']],
    ['effort of an unknown kind: once', 'agents:\n  a: {kind: comand, effort: high}', ['2:13 bad-value']],
    ['agents as a list', 'agents: [a]', ['1:9 bad-value']],
    ['deadlock without keys', 'deadlock: true', ['1:11 bad-value']],
    ['no such victim', 'deadlock: {detect: maybe, victim: oldest}', ['1:20 bad-value', '1:35 bad-value']],
    ['key of deadlock', 'deadlock: {detct: true}', ['1:12 unknown-key']],
    ['outputs without keys', 'outputs: out', ['1:10 bad-value']],
    ['key of outputs', 'outputs: {foldr: out}', ['1:11 unknown-key']],
    ['outputs outside', 'outputs: {folder: ../out, current-plan: /etc/x}', ['1:19 bad-value', '1:41 bad-value']],
    ['a template outside', 'prompt-template: ../p.md', ['1:18 bad-value']],
    ['a template elsewhere', 'prompt-template: /etc/p.md', ['1:18 bad-value']],
    ['a template among the state', 'prompt-template: .signalbox/p.md', ['1:18 bad-value']],
    ['a template without a name', 'prompt-template: [a]', ['1:18 bad-value']],
    ['a list', '- a', ['1:1 bad-yaml']],
    ['syntax', 'a: [', ['1:4 bad-yaml']],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
    expect(read(text).settings).toBeNull();
  });

  test('an agent called __proto__ is an agent', () => {
    const { settings } = read('agents:\n  __proto__: {kind: command, command: x}\n');
    expect(Object.keys(settings!.agents)).toEqual(['__proto__']);
  });
});

test('a kind says itself whether its agents need a command', () => {
  const kind = { takesEffort: false, needsCommand: false };
  const kinds = [
    { ...kind, name: 'tool', needsCommand: true },
    { ...kind, name: 'command' },
  ];
  const text = 'agents: { a: { kind: tool }, b: { kind: command } }';
  const { diagnostics } = readSettings({ text, file: 'signalbox.yaml', kinds });
  expect(diagnostics.map(({ message }) => message)).toEqual(['agent `a` has no `command`']);
});

describe('keys without a capability', () => {
  const unsupported = (plan: string, settingsText = '') => {
    const settings = read(settingsText).settings!;
    const reading = readPlan({ text: plan, file: 'p.md', path: planPath('p.md'), settings });
    expect(reading.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
    return unsupportedKeys(reading.plan!, settings, ({ kind }) => kind === 'command').map(
      ({ key, task, line }) => `${key} ${task ?? '-'} ${line}`,
    );
  };

  test('what this version does is not among them', () => {
    const keys = [
      'run: x',
      'agent: a',
      'model: m',
      'prompt: p',
      'accept: y',
      'retries: 1',
      'timeout: 1s',
      'idle-timeout: 1s',
    ];
    const more = [
      'env: A=1',
      'labels: l',
      'uses: opus',
      'priority: 1',
      'check: x',
      'review: human',
      'on-failure: skip',
      'soft-failure: ask',
      'files: x',
      'reads: y',
      'locks: db:z',
      'budget-usd: 2',
    ];
    const items = [...keys, ...more].map((key) => `  - ${key}\n`).join('');
    expect(
      unsupported(
        `---\nfinish: x\nbaseline: true\nmax-attempts: 3\nbudget-usd: 5\n---\n## P\n- check: x\n- batch: true\n- [ ] a: x\n${items}`,
        'quota: wait\nstore: sqlite\nbudget-usd: 5\nagents: {claude: {budget-usd: 1}}',
      ),
    ).toEqual([]);
  });

  test('of the plan and the settings', () => {
    expect(unsupported('- [ ] a: x', 'notify: {slack: x}\nstore: postgres://x\n')).toEqual(['notify - 1', 'store - 2']);
  });

  test('what is inherited is named once', () => {
    const plan = '---\nagent: claude\n---\n- [ ] a: x\n- [ ] b: x';
    expect(unsupported(plan, 'agents: {claude: {}}')).toEqual(['agent a 4']);
  });

  test('a task of an agent that cannot be driven yet; but not where a command runs, or nobody is known', () => {
    const settings = 'agents:\n  claude: {}\n  tool: {kind: command, command: x}\n';
    expect(unsupported('- [ ] a: x\n  - agent: claude', settings)).toEqual(['agent a 1']);
    expect(
      unsupported(
        '- [ ] a: x\n  - agent: claude\n  - run: x\n- [ ] b: x\n  - agent: tool\n- [ ] c: x\n  - agent: toString',
        settings,
      ),
    ).toEqual([]);
  });
});
