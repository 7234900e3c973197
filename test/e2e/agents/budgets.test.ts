// Budgets, and what reviews by coding agents cost. The agents are scripts that print what the real programs printed: an attempt that is done
// costs $0.002406, and one that has used up its budget $0.000802.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const recorded = (kind: string, name: string) => readFileSync(`test/fixtures/streams/${kind}/${name}.jsonl`, 'utf8');
const cost = 0.002406;
const typed = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);

interface Parts {
  /** Behind the command of the agent `claude`. */
  readonly agent?: string;
  readonly settings?: string;
  /** What the agent does before it prints its stream. */
  readonly script?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const works = 'echo $SIGNALBOX_ATTEMPT > $SIGNALBOX_TASK.txt';

/** Every call of the agent adds its arguments to `calls`. */
function workspace(plan: string, { agent = '', settings = '', script = works, files = {} }: Parts = {}): Workspace {
  const w = new Workspace({
    'signalbox.yaml': `locks: advisory\n${settings}agents:\n  claude: {command: [./fake.sh]${agent}}\n  codex: {command: [./codex.sh], model: gpt-5.5}\n`,
    'plan.yaml': plan,
    'fake.sh': `#!/bin/sh\ntest "$1" = --version && { echo "2.1.325 (Claude Code)"; exit; }\necho "$SIGNALBOX_AGENT $*" >> .signalbox/calls\ncat > .signalbox/told\n${script}\nsed "s/a[.]txt/$SIGNALBOX_TASK.txt/g" stream\n`,
    'codex.sh': `#!/bin/sh\ntest "$1" = --version && { echo "codex-cli 0.166.0"; exit; }\n${works}\ncat codex\n`,
    stream: recorded('claude', 'done'),
    codex: recorded('codex', 'done'),
    ...files,
  });
  for (const name of ['fake.sh', 'codex.sh']) chmodSync(join(w.folder, name), 0o755);
  return w;
}

/** Of each call: who was called, and what it may cost. */
const caps = (w: Workspace) =>
  w
    .read('.signalbox/calls')
    .trim()
    .split('\n')
    .map((line) => [/^(?:review of )?\S+/.exec(line)![0], Number(/--max-budget-usd (\S+)/.exec(line)?.[1])]);

const three = (more: string) =>
  `max-parallel: 1\n${more}tasks:\n  a: {agent: claude}\n  b: {agent: claude}\n  c: {agent: claude}\n`;

describe('the budget of a run', () => {
  it('ends it with 6, saying what was spent, what is left and how to go on; the next run does', async () => {
    const w = workspace(three('budget-usd: 0.004\n'));
    const first = await w.run('run', 'plan.yaml');
    expect(first.code).toBe(6);
    expect(first.out).toContain(
      'because the budget of the run is used up ($0.0048 of $0.0040 spent): 1 of 3 tasks left',
    );
    expect(first.out).toContain('signalbox run plan.yaml  (it may spend $0.0040 again)');
    expect(first.out).toContain('signalbox run plan.yaml --budget-usd AMOUNT');
    expect(caps(w)).toEqual([
      ['a#1', 0.004],
      ['b#1', 0.001594],
    ]);
    expect(await w.status()).toEqual({ a: 'completed', b: 'completed', c: 'pending' });
    expect((await w.run('status')).out).toContain(
      'the budget of the run is used up ($0.0048 of $0.0040 spent); 1 task waits',
    );
    expect((await w.run('status', '--json')).json.heldBack).toMatchObject([
      { kind: 'budget', budgetUsd: 0.004, tasks: 1 },
    ]);
    const why = await w.run('why', 'c', '--json');
    expect(why.json.reasons).toMatchObject([{ kind: 'paused', by: 'signalbox', budget: { of: 'run' } }]);
    expect((await w.run('why', 'c')).out).toContain('The budget of the run is used up ($0.0048 of $0.0040 spent).');
    expect((await w.run('next', '--json')).json.tasks).toMatchObject([{ id: 'c', waitsFor: ['budget-usd'] }]);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });

  it('is told to programs at the end of the stream', async () => {
    const w = workspace(three(''), { settings: 'budget-usd: 1\n' });
    const { code, json } = await w.run('run', 'plan.yaml', '--budget-usd', '0.001', '--json');
    expect(code).toBe(6);
    expect(json).toMatchObject({ outcome: 'paused', exitCode: 6, pausedBy: 'budget', cost: { usd: cost } });
    expect(json.budgets).toMatchObject([{ budgetUsd: 0.001, spentUsd: cost, reservedUsd: 0, tasks: 2 }]);
    expect((await w.run('run', 'plan.yaml', '--budget-usd', '$5')).code).toBe(2);
  });

  it('reserves what attempts may cost: what does not fit beside them does not start', async () => {
    const w = workspace(three('budget-usd: 0.01\ncheck: "true"\n').replace('max-parallel: 1', 'max-parallel: 3'), {
      agent: ', budget-usd: 0.004',
      script: `${works}; touch .signalbox/at-$SIGNALBOX_TASK; until test -e go; do sleep 0.05; done`,
    });
    const run = w.start('run', 'plan.yaml', '--json');
    for (const id of ['a', 'b']) await run.line(({ type, task }) => type === 'attempt-started' && task === id);
    expect((await w.run('status', '--json')).json.heldBack).toEqual([
      { kind: 'budget', budgetUsd: 0.01, spentUsd: 0, reservedUsd: 0.008, mostUsd: 0.004, tasks: 1 },
    ]);
    w.write('go', '');
    const { code } = await run.ended;
    expect(code).toBe(0);
    expect(caps(w).sort()).toEqual([
      ['a#1', 0.004],
      ['b#1', 0.004],
      ['c#1', 0.004],
    ]);
  });

  it('goes on counting when the process of the run was killed', async () => {
    const w = workspace(three('budget-usd: 0.003\n'), {
      script: `${works}; test $SIGNALBOX_TASK = a || until test -e go; do sleep 0.05; done`,
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type, task }) => type === 'attempt-started' && task === 'b');
    run.kill('SIGKILL');
    await run.ended;
    w.write('go', '');
    const { code, lines, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(6);
    expect(typed(lines, 'run-started')).toMatchObject([{ carriesOn: true }]);
    expect(json.budgets).toMatchObject([{ spentUsd: 2 * cost }]);
    expect(await w.status()).toEqual({ a: 'completed', b: 'completed', c: 'pending' });
  });
});

describe('the budget of a task', () => {
  it('is what its attempts may cost together; used up, it fails nothing and the others go on', async () => {
    const plan = 'retries: 0\ntasks:\n  a: {agent: claude, budget-usd: 0.0008}\n  b: {run: "true"}\n';
    const w = workspace(plan, { files: { stream: recorded('claude', 'budget') } });
    const { code, out } = await w.run('run', 'plan.yaml');
    expect(code).toBe(6);
    expect(out).toContain('the budget of a is used up ($0.0008 of $0.0008 spent): 1 of 2 tasks left');
    expect(out).toContain('raise budget-usd of a in the plan, then signalbox run plan.yaml');
    expect(out).toContain('was stopped, because the money for it is used up; no retry was used');
    expect(await w.status()).toEqual({ a: 'pending', b: 'completed' });
    expect((await w.run('run', 'plan.yaml')).code).toBe(6);
    expect((await w.run('why', 'a')).out).toContain('The budget of this task is used up');
    w.write('plan.yaml', plan.replace('0.0008', '0.01'));
    w.write('stream', recorded('claude', 'done'));
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(caps(w)).toEqual([
      ['a#1', 0.0008],
      ['a#2', 0.009198],
    ]);
  });

  it('of an attempt that is used up is a failure of the attempt', async () => {
    const w = workspace('retries: 0\ntasks:\n  a: {agent: claude}\n', {
      agent: ', budget-usd: 0.0008',
      files: { stream: recorded('claude', 'budget') },
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(typed(lines, 'task-failed')).toMatchObject([{ failure: { kind: 'agent', class: 'budget' } }]);
  });
});

describe('an agent that names no cost', () => {
  const plan = 'budget-usd: 0.0005\nmax-parallel: 1\ntasks:\n  a: {agent: codex}\n  b: {agent: codex}\n';
  const prices = 'prices: {gpt-5.5: {input: 1.25, output: 10, cached: 0.13}}\n';

  it('is not counted, and the run says so once', async () => {
    const { code, err } = await workspace(plan).run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(
      err.match(/codex tells no cost, so no budget counts it: in signalbox.yaml, "prices:" has no gpt-5.5/g),
    ).toHaveLength(1);
  });

  it('is not counted either without a model, and the run says what to set', async () => {
    const w = workspace(plan, { settings: prices });
    w.write('signalbox.yaml', w.read('signalbox.yaml').replace('model: gpt-5.5', 'env: {CODEX_HOME: /nowhere}'));
    const { err } = await w.run('run', 'plan.yaml', '--json');
    expect(err).toContain('counts it: in signalbox.yaml, set "model:" of the agent and its price in "prices:"');
  });

  it('is counted by its price, also in its log, though nothing stops it at its budget', async () => {
    const w = workspace(plan, { settings: prices });
    const { code, err, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(6);
    expect(err).toContain('codex cannot be stopped at its budget');
    expect(json.cost.usd).toBeCloseTo((270 * 1.25 + 30 * 0.13 + 60 * 10) / 1e6, 9);
    expect((await w.run('logs', 'a')).out).toContain('Cost: $0.0009');
    expect((await w.run('logs', 'a')).out).toContain('(gpt-5.5)');
  });

  it('has no warning without a budget', async () => {
    const { err } = await workspace(plan.replace('budget-usd: 0.0005\n', '')).run('run', 'plan.yaml', '--json');
    expect(err).not.toContain('tells no cost');
  });
});

describe('an agent that names the cost of some models', () => {
  const plan = 'budget-usd: 0.0005\nmax-parallel: 1\ntasks:\n  a: {agent: open}\n  b: {agent: open}\n';
  const prices = 'prices: {scripted/m1: {input: 1.25, output: 10, cached: 0.13}}\n';
  const open = (settings = '') => {
    // As it is where the program knows no price.
    const stream = recorded('opencode', 'with-model').replace(/"cost":[\d.]+/g, '"cost":0');
    const files = {
      stream,
      'home/opencode/opencode.jsonc': '{"model": "scripted/m1"} // mine\n',
      'open.sh':
        '#!/bin/sh\ntest "$1" = --version && { echo 1.18.33; exit; }\necho > $SIGNALBOX_TASK.txt\ncat stream\n',
    };
    const w = workspace(plan, { settings, files });
    const agent = `  open: {kind: opencode, command: [./open.sh], env: {XDG_CONFIG_HOME: ${join(w.folder, 'home')}}}\n`;
    w.write('signalbox.yaml', w.read('signalbox.yaml') + agent);
    chmodSync(join(w.folder, 'open.sh'), 0o755);
    return w;
  };

  it('is said not to be counted where nobody knows the price of its model', async () => {
    const w = open();
    const { code, err } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(
      err.match(/open cannot be stopped at its budget, and no budget counts .* has no scripted\/m1/g),
    ).toHaveLength(1);
    expect(err).not.toContain('counts when it has ended');
    expect((await w.run('cost', '--by', 'model')).out).toMatch(/scripted\/m1/);
  });

  it('is counted by the prices of the settings, under the name that its stream tells', async () => {
    const w = open(prices);
    const { code, err, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(6);
    expect(err).toContain('open cannot be stopped at its budget: what an attempt costs counts when it has ended');
    expect(err).not.toContain('no budget counts');
    expect(json.cost.usd).toBeCloseTo((270 * 1.25 + 30 * 0.13 + 60 * 10) / 1e6, 9);
  });
});

it('records the version of the program, as it was at the start of the run where its stream names none', async () => {
  const w = workspace('tasks:\n  a: {agent: codex}\n  b: {agent: claude}\n');
  const { lines } = await w.run('run', 'plan.yaml', '--json');
  const versions = typed(lines, 'attempt-ended').map(({ task, evidence }) => [task, evidence.agent.version]);
  expect(Object.fromEntries(versions)).toEqual({ a: '0.166.0', b: '2.1.325' });
  expect((await w.run('logs', 'a')).out).toContain('Program: version 0.166.0');
});

describe('a review by a coding agent', () => {
  const plan = 'tasks:\n  a: {agent: claude, review: agent}\n';
  const settings = 'review-agent: claude\n';
  const verdict = (answer: object) =>
    recorded('claude', 'done').replaceAll('All done.', JSON.stringify(JSON.stringify(answer)).slice(1, -1));
  const approved = verdict({ verdict: 'approved' });
  /** Who reviews prints another stream. */
  const reviewing = (print: string) => `case "$SIGNALBOX_AGENT" in "review of"*) ${print}; exit;; esac\n${works}`;

  it('is read from its last message, and costs its task and the run', async () => {
    const w = workspace(plan, { settings, script: reviewing('cat review'), files: { review: approved } });
    const { code, lines, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(typed(lines, 'review-ended')).toMatchObject([
      { result: 'approved', agent: { by: 'claude', class: 'done', costUsd: cost, session: expect.any(String) } },
    ]);
    expect(json.cost.usd).toBeCloseTo(2 * cost, 9);
    const shown = await w.run('cost', '--by', 'attempt');
    expect(shown.out).toMatch(/review of a#1 .* 1 review/);
    expect(shown.out).toContain('for 1 attempt, 1 review');
    expect((await w.run('cost', '--json')).json.attempts).toMatchObject([
      { attempt: 'a#1' },
      { attempt: 'a#1', review: true },
    ]);
  });

  it('rejects with what it says there, whatever it said before', async () => {
    const rejection = { verdict: 'rejected', severity: 'high', issues: [{ message: 'no tests' }] };
    const early = approved.split('\n').filter((line) => line.includes('"assistant"') && line.includes('verdict'));
    const review = `${early.join('\n')}\n${verdict(rejection)}`;
    const w = workspace(plan, { settings, script: reviewing('cat review'), files: { review } });
    const { lines } = await w.run('run', 'plan.yaml', '--json');
    expect(typed(lines, 'review-ended')).toMatchObject([{ result: 'rejected', issues: [{ message: 'no tests' }] }]);
  });

  it('at a usage limit waits like an attempt, and is repeated at no cost', async () => {
    const limited = recorded('claude', 'usage-limit').replace(/"resetsAt":\d+/g, '"resetsAt":RESET');
    const print = `if test -e seen; then cat review; else touch seen; sed "s/RESET/$(( $(date +%s) + 2 ))/" limited; fi`;
    const w = workspace(plan, { settings, script: reviewing(print), files: { review: approved, limited } });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(lines.map(({ type }) => type).filter((type) => /quota|review-ended|attempt-ended|task-/.test(type))).toEqual(
      ['attempt-ended', 'review-ended', 'quota-paused', 'quota-resumed', 'review-ended', 'task-completed'],
    );
    expect(typed(lines, 'review-ended')).toMatchObject([
      { result: 'interrupted', agent: { class: 'rate-limit', resetsAt: expect.stringMatching(/Z$/) } },
      { result: 'approved' },
    ]);
  });

  it('that cannot be paid is done by the next run', async () => {
    const w = workspace(`budget-usd: 0.001\n${plan}`, {
      settings,
      script: reviewing('cat review'),
      files: { review: approved },
    });
    expect((await w.run('run', 'plan.yaml')).code).toBe(6);
    expect((await w.run('why', 'a')).out).toContain('The budget of the run is used up');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(typed(lines, 'attempt-scheduled')).toEqual([]);
  });
});

describe('an account at its limit', () => {
  it('has a countdown in status, and says how many tasks wait', async () => {
    const limited = recorded('claude', 'usage-limit').replace(/"resetsAt":\d+/g, '"resetsAt":RESET');
    const w = workspace(three(''), {
      script: 'sed "s/RESET/$(( $(date +%s) + 600 ))/" limited; exit 1',
      files: { limited },
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'quota-paused');
    expect((await w.run('status')).out).toMatch(
      /claude login is at its usage limit until (?:[\d-]{10} )?\d\d:\d\d:\d\d, in (10 min( \d s)?|9 min \d+ s); 3 tasks wait/,
    );
    const { json } = await w.run('status', '--json');
    expect(json.heldBack).toEqual([
      { kind: 'quota', account: 'claude login', until: expect.stringMatching(/Z$/), tasks: 3 },
    ]);
    expect((await w.run('next', '--json')).json.tasks[0].waitsFor).toEqual(['claude login']);
    run.kill('SIGTERM');
    expect((await run.ended).code).toBe(143);
  });
});
