// What can be done from inside an attempt, with the real program: an agent, a reviewer and whatever they start may look, lock, write the
// findings of their own task and suspend it with a question. A command of the plan may steer its own plan too. Nobody of them decides anything.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { type Line, type Started, Workspace } from '../rig.ts';

const ofType = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);

const settings = `review-agent: judge
agents:
  author: {kind: command, command: [sh, author.sh, "{promptFile}"]}
  judge: {kind: command, command: [sh, judge.sh]}
`;
/** Tells its environment, and then waits to be let go. */
const waits = (name: string) => `env > ${name}.part; mv ${name}.part ${name}; while [ ! -e go ]; do sleep 0.05; done`;

const plan = `---
retries: 0
---
# Shop
- [ ] human: Wait for a person
  - run: \`echo x > human.txt\`
  - review: human
- [ ] bad: Fail
  - run: \`exit 3\`
- [ ] after: Need it → bad
  - run: \`true\`
- [ ] one: Be an agent
  - agent: author
- [ ] two: Be a command
  - run: \`${waits('command.env')}\`
- [ ] three: Be a check
  - run: \`true\`
  - check: \`${waits('check.env')}\`
- [ ] four: Be a reviewer
  - run: \`echo y > four.txt\`
  - review: agent
- [ ] rest: Be left alone → one
  - run: \`true\`
`;

/** Everything that is there when something is tried: each of these waits, a person is asked twice, somebody holds a lock. */
class Shop {
  readonly w = new Workspace({
    'signalbox.yaml': settings,
    'plan.md': plan,
    'other.md': '- [ ] x: Something else\n  - run: `true`\n',
    'author.sh': waits('agent.env'),
    'judge.sh': `${waits('review.env')}; echo '{"verdict":"approved"}'`,
    'src/a.ts': 'x\n',
  });
  run!: Started;
  readonly env: Record<string, Record<string, string>> = {};

  /** @param by the folder that the workspace is reached by. */
  async begin(by = this.w.folder): Promise<this> {
    this.run = this.w.startIn('/', {}, 'run', join(by, 'plan.md'), '--json', '--max-parallel', '9');
    for (const who of ['agent', 'command', 'check', 'review']) {
      await this.w.appears(`${who}.env`);
      const all = this.w.read(`${who}.env`).split('\n');
      const own = all.filter((line) => line.startsWith('SIGNALBOX_')).map((line) => line.split(/=(.*)/s) as string[]);
      this.env[who] = Object.fromEntries(own.map(([name, value]) => [name!, value!]));
    }
    await this.run.line(({ type, kind }) => type === 'decision-opened' && kind === 'failure');
    // They are recorded a little later than they happen.
    for (const begun of ['one', 'two'])
      await this.run.line(({ type, task }) => type === 'attempt-started' && task === begun);
    for (const begun of ['three', 'four'])
      await this.run.line(({ type, task }) => type === 'job-started' && task === begun);
    await this.w.run('lock', 'try', 'src/a.ts', '--agent', 'ann');
    return this;
  }

  as(who: string, ...args: string[]) {
    return this.w.runWith(this.env[who]!, ...args);
  }

  async events(): Promise<Line[]> {
    return (await this.w.run('events', 'plan.md', '--json')).lines;
  }

  async end(): Promise<Line[]> {
    this.w.write('go', '');
    await this.run.ended;
    return this.events();
  }
}

/** What is typed for every command there is, and whether who looks after nobody but himself may do it. */
const typed: Record<string, readonly (readonly [readonly string[], 'yes' | 'no'])[]> = {
  run: [
    [['plan.md'], 'no'],
    [['other.md'], 'no'],
    [['plan.md', '--dry-run'], 'yes'],
    [['plan.md', '--retry', 'bad'], 'no'],
    [['plan.md', '--take-over'], 'no'],
    [['other.md', '--approve'], 'no'],
    [['other.md', '--fresh'], 'no'],
  ],
  init: [
    [['--dry-run'], 'yes'],
    [['--yes'], 'no'],
    [['--undo', '--dry-run'], 'yes'],
    [['--undo', '--yes'], 'no'],
  ],
  attach: [[['other.md'], 'yes']],
  plan: [[['something else'], 'no']],
  check: [[['plan.md'], 'yes']],
  fmt: [
    [['plan.md'], 'yes'],
    [['plan.md', '--write'], 'no'],
  ],
  import: [
    [['speckit', 'plan.md'], 'yes'],
    [['speckit', 'plan.md', '--out', 'new.md'], 'no'],
  ],
  explain: [[['5'], 'yes']],
  status: [[[], 'yes']],
  progress: [[[], 'yes']],
  next: [[[], 'yes']],
  why: [[['bad'], 'yes']],
  prompt: [[['bad'], 'yes']],
  hook: [[['claude'], 'yes']],
  cost: [[[], 'yes']],
  plans: [[[], 'yes']],
  retryable: [[[], 'yes']],
  exhausted: [[[], 'yes']],
  graph: [[[], 'yes']],
  events: [[[], 'yes']],
  logs: [[['bad'], 'yes']],
  verify: [[[], 'yes']],
  decide: [
    [[], 'yes'],
    [['bad'], 'yes'],
    [['--history'], 'yes'],
    [['bad', 'retry'], 'no'],
    [['bad', 'skip-all'], 'no'],
    [['bad', 'restructure', '--drop-need', 'after:bad', '--dry-run'], 'yes'],
    [['bad', 'restructure', '--drop-need', 'after:bad'], 'no'],
  ],
  approve: [
    [['human'], 'no'],
    [['other.md'], 'no'],
  ],
  reject: [[['human', '--reason', 'x'], 'no']],
  'lock try': [
    [['db:own'], 'yes'],
    [['db:else', '--agent', 'bob'], 'no'],
  ],
  'lock wait': [
    [['db:own'], 'yes'],
    [['db:else', '--agent', 'bob'], 'no'],
  ],
  'lock release': [
    [['db:own'], 'yes'],
    [['src/a.ts', '--agent', 'ann'], 'no'],
    [['src/a.ts', '--force', '--reason', 'x'], 'no'],
  ],
  'lock release-all': [
    [[], 'yes'],
    [['--agent', 'ann'], 'no'],
  ],
  'lock check': [[['db:own'], 'yes']],
  'lock list': [[[], 'yes']],
  retry: [
    [['bad'], 'no'],
    [['two', '--force', '--reason', 'x'], 'no'],
  ],
  skip: [[['rest'], 'no']],
  suspend: [
    [['rest'], 'no'],
    [['rest', '--question', 'May I?'], 'no'],
    [['--plan', 'other.md', 'x', '--question', 'May I?'], 'no'],
  ],
  resume: [
    [[], 'no'],
    [['rest'], 'no'],
    [['rest', '--note', 'yes'], 'no'],
  ],
  pause: [[[], 'no']],
  stop: [[[], 'no']],
  reset: [[['--yes'], 'no']],
  reload: [[[], 'no']],
  'mark-started': [[['rest', '--force'], 'no']],
  'mark-complete': [
    [['rest', '--force'], 'no'],
    [['rest', '--no-checks'], 'no'],
    [['rest'], 'no'],
  ],
  'mark-failed': [
    [['rest', '--error', 'x', '--force'], 'no'],
    [['one', '--error', 'x'], 'no'],
  ],
  'mark-skipped': [[['rest', '--force'], 'no']],
  'write-findings': [
    [['rest', '--file', 'src/a.ts'], 'no'],
    [['one', '--plan', 'other.md', '--file', 'src/a.ts'], 'no'],
  ],
  'read-findings': [[['rest'], 'yes']],
  'start-run': [[[], 'no']],
  'complete-run': [[[], 'no']],
  'detect-stuck': [
    [[], 'yes'],
    [['--mark'], 'no'],
  ],
  set: [[['other.md'], 'no']],
  validate: [
    [[], 'yes'],
    [['--fix'], 'no'],
  ],
  'sync-check': [[[], 'yes']],
  land: [
    [['--dry-run'], 'yes'],
    [[], 'no'],
  ],
  diff: [[['a'], 'yes']],
  clean: [
    [[], 'yes'],
    [['--yes'], 'no'],
  ],
  saved: [[[], 'yes']],
  'saved list': [[[], 'yes']],
  'saved show': [[['nothing'], 'yes']],
  'saved restore': [[['nothing'], 'no']],
  trust: [
    [[], 'yes'],
    [['--state'], 'no'],
    [['--git'], 'no'],
    [['--git', '--revoke'], 'no'],
  ],
  doctor: [
    [[], 'yes'],
    [['--fix'], 'no'],
  ],
  completion: [[['bash'], 'yes']],
  // What it is asked is refused by its tools: test/agents/server.test.ts.
  mcp: [[[], 'yes']],
};

const rule = /may look, lock, write findings and suspend (?:its own|their) task with a question/;

describe('inside an attempt of an agent', () => {
  const shop = new Shop();
  beforeAll(() => shop.begin(), 60_000);
  afterAll(() => shop.end(), 60_000);

  it('every command there is has its answer here', () => {
    expect(Object.keys(typed).sort()).toEqual(commandTable.map(({ name }) => name).sort());
  });

  it.each(['agent', 'review'])(
    'nothing changes but locks and findings, whatever the %s types',
    async (who) => {
      const before = await shop.events();
      const seen: string[] = [];
      for (const { name } of commandTable) {
        for (const [args, may] of typed[name]!) {
          const { code, err } = await shop.as(who, ...name.split(' '), ...args);
          const isRefused = code === 2 && rule.test(err);
          if (isRefused !== (may === 'no')) seen.push(`${name} ${args.join(' ')}: ${code} ${err}`);
        }
      }
      expect(seen).toEqual([]);
      const own = who === 'agent' ? 'one' : 'four';
      expect((await shop.as(who, 'write-findings', own, '--file', 'src/a.ts')).code).toBe(0);
      const added = (await shop.events()).slice(before.length).map(({ type }) => type);
      expect([...new Set(added)].filter((type) => !type.startsWith('lock-'))).toEqual([]);
      expect((await shop.w.run('lock', 'check', 'src/a.ts')).code).toBe(1);
      expect(shop.w.has('new.md')).toBe(false);
    },
    120_000,
  );

  it('a program that it starts in another workspace stands on its own', async () => {
    const elsewhere = new Workspace({ 'plan.md': '- [ ] a: Do\n  - run: `true`\n' });
    expect((await elsewhere.runWith(shop.env.agent!, 'run', 'plan.md')).code).toBe(0);
  });

  it.each([
    ['no token', { SIGNALBOX_TOKEN: '' }],
    ['a token that was never given out', { SIGNALBOX_TOKEN: 'TOKEN:999' }],
    ['the token of another database', { SIGNALBOX_TOKEN: 'someone:1' }],
    ['the token of an attempt that has ended', { SIGNALBOX_TOKEN: 'TOKEN:1' }],
  ])('who says to be an attempt with %s is nobody, not a person', async (_, more) => {
    const store = shop.env.agent!.SIGNALBOX_TOKEN!.split(':')[0]!;
    const marker = more.SIGNALBOX_TOKEN.replace('TOKEN', store);
    const env = { ...shop.env.agent!, SIGNALBOX_TOKEN: marker };
    for (const args of [
      ['skip', 'rest'],
      ['approve', 'human'],
      ['write-findings', 'rest', '--file', 'src/a.ts'],
      ['suspend', '--question', 'x'],
    ]) {
      const { code, err } = await shop.w.runWith(env, ...args);
      expect([code, err]).toEqual([2, expect.stringMatching(/has ended|is not known here/)]);
    }
    expect((await shop.w.runWith(env, 'status', 'plan.md')).code).toBe(0);
  });

  it('a reviewer without a token is nobody either', async () => {
    const { code, err } = await shop.w.runWith({ ...shop.env.review!, SIGNALBOX_TOKEN: '' }, 'skip', 'rest');
    expect([code, err]).toEqual([2, expect.stringContaining('review of four#1 is not known here')]);
  });
});

describe('where the workspace is reached by a link', () => {
  const link = (shop: Shop) => {
    const folder = join(new Workspace().folder, 'link');
    symlinkSync(shop.w.folder, folder);
    return folder;
  };
  const below = (folder: string) => {
    mkdirSync(join(folder, 'sub'));
    return join(folder, 'sub');
  };

  it.each([
    ['the run', (shop: Shop) => link(shop), (shop: Shop) => shop.w.folder],
    ['the run, below its root,', (shop: Shop) => link(shop), (shop: Shop) => below(shop.w.folder)],
    ['what the agent types', (shop: Shop) => shop.w.folder, (shop: Shop) => link(shop)],
  ])(
    'by %s, an agent is an agent',
    async (_, ofRun, ofAgent) => {
      const shop = new Shop();
      await shop.begin(ofRun(shop));
      const cwd = ofAgent(shop);
      const types = async (...args: string[]) => {
        const { code, err } = await shop.w.startIn(cwd, shop.env.agent!, ...args).ended;
        return [args[0], code, err];
      };
      const named = ['--plan', join(cwd === join(shop.w.folder, 'sub') ? shop.w.folder : cwd, 'plan.md')];
      for (const args of [['skip', 'rest'], ['approve', 'human'], ['pause']]) {
        expect(await types(...args)).toEqual([args[0], 2, expect.stringMatching(rule)]);
        expect(await types(...args, ...named)).toEqual([args[0], 2, expect.stringMatching(rule)]);
      }
      expect(await types('lock', 'try', 'db:own')).toEqual(['lock', 0, '']);
      // It ends its own attempt, and may be ended with it before it exits.
      await types('suspend', '--question', 'May I?', ...named);
      const events = await shop.end();
      expect(ofType(events, 'lock-acquired').at(-1)).toMatchObject({ attempt: 'one#1', resource: 'db:own' });
      expect(ofType(events, 'task-suspended')).toMatchObject([{ task: 'one', by: 'one#1' }]);
    },
    60_000,
  );
});

describe('inside a command that the plan names', () => {
  it.each(['command', 'check'])(
    'the %s steers its own plan, and decides nothing',
    async (who) => {
      const shop = await new Shop().begin();
      for (const args of [
        ['approve', 'human'],
        ['reject', 'human', '--reason', 'x'],
        ['decide', 'bad', 'retry'],
        ['mark-complete', 'rest', '--force'],
        ['retry', 'bad', '--force', '--reason', 'x'],
        ['lock', 'release', 'src/a.ts', '--force', '--reason', 'x'],
        ['validate', '--fix'],
        ['suspend', 'rest', '--question', 'x'],
      ]) {
        const { code, err } = await shop.as(who, ...args);
        expect([args, code, err]).toEqual([args, 2, expect.stringMatching(/may steer .*plan\.md.* nothing/)]);
      }
      // Steering that would answer what a person was asked: a review of human, and what to do about bad.
      for (const args of [
        ['skip', 'human', '--treat-as-done'],
        ['mark-skipped', 'human', '--treat-as-done'],
        ['suspend', 'human'],
        ['retry', 'bad'],
        ['skip', 'bad', '--treat-as-done'],
        ['skip', 'after'],
      ]) {
        const { code, err } = await shop.as(who, ...args);
        expect([args, code, err]).toEqual([
          args,
          2,
          expect.stringMatching(/would close d\d, and only a person decides/),
        ]);
      }
      await shop.w.run('set', 'other.md');
      await shop.w.run('pause', 'other.md');
      const resumed = await shop.as(who, 'resume', 'other.md');
      expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining('other.md')]);
      await shop.w.run('resume', 'other.md');
      const { code, err } = await shop.as(who, 'skip', 'x', '--plan', 'other.md');
      expect([code, err]).toEqual([2, expect.stringContaining('other.md')]);
      expect((await shop.as(who, 'skip', 'rest')).code).toBe(0);
      expect((await shop.as(who, 'pause', '--reason', 'lunch')).code).toBe(0);
      expect((await shop.as(who, 'resume')).code).toBe(0);
      expect((await shop.as(who, 'run', 'other.md')).code).toBe(0);
      expect((await shop.as(who, 'run', 'plan.md')).code).toBe(8);
      expect(ofType(await shop.end(), 'task-skipped')).toMatchObject([{ task: 'rest' }]);
    },
    60_000,
  );

  it.each([
    ['by hand', ['mark-complete', 'a', '--force']],
    ['of verify', ['verify']],
  ])('a check %s is one too', async (_, args) => {
    const signalbox = `"${process.execPath}" "${resolve('bin/signalbox.cjs')}"`;
    const w = new Workspace({
      'plan.md': [
        '- [ ] a: Check',
        '  - run: `true`',
        `  - check: \`${signalbox} approve b; echo $? > code; ${signalbox} skip c; true\``,
        '- [ ] b: Wait',
        '  - run: `true`',
        '  - review: human',
        '- [ ] c: Be left out',
        '  - run: `true`',
        '',
      ].join('\n'),
    });
    await w.run('run', 'plan.md', '--only', 'a,b');
    await w.run('retry', 'c', '--plan', 'plan.md');
    w.write('code', '');
    expect((await w.run(...args, '--plan', 'plan.md')).code).toBe(0);
    expect(w.read('code')).toBe('2\n');
    expect(await w.status()).toMatchObject({ b: 'in_progress', c: 'skipped' });
  });
});

describe('suspend --question', () => {
  const asking = (author: string) =>
    new Workspace({
      'signalbox.yaml': settings,
      'plan.md': '- [ ] a: Ask\n  - agent: author\n  - files: out.txt\n- [ ] b: Need it → a\n  - run: `true`\n',
      'author.sh': author,
    });
  const once = `cat "$1" > "prompt.$SIGNALBOX_ATTEMPT"
echo $SIGNALBOX_ATTEMPT >> out.txt
[ $SIGNALBOX_ATTEMPT = a#1 ] || exit 0
signalbox suspend --question "Which database?"
echo "code $?" > told
sleep 60`;

  it.each([
    ['decide', ['decide', 'd1', 'retry-with-note', '--note', 'the test one']],
    ['resume', ['resume', 'a', '--note', 'the test one']],
  ])(
    'suspends the own task until a person answers with %s; the answer is in the next prompt',
    async (_, answer) => {
      const w = asking(once);
      const { code, lines } = await w.run('run', 'plan.md', '--json');
      expect(code).toBe(4);
      expect(lines.at(-1)).toMatchObject({ outcome: 'waiting' });
      expect(ofType(lines, 'task-suspended')).toMatchObject([{ task: 'a', by: 'a#1', reason: 'Which database?' }]);
      expect(ofType(lines, 'decision-opened')).toMatchObject([
        { kind: 'question', task: 'a', attempt: 'a#1', evidence: { kind: 'question', question: 'Which database?' } },
      ]);
      const page = (await w.run('decide', 'd1')).out;
      expect(page).toContain('a#1 asks: Which database?');
      expect(page).toContain('signalbox decide d1 retry-with-note --note TEXT');
      // Nothing is held, and nothing half done is left, while a person thinks.
      expect((await w.run('lock', 'list', '--json')).json).toMatchObject({ holds: [] });
      expect(w.has('out.txt')).toBe(false);
      expect((await w.run('run', 'plan.md')).code).toBe(4);
      expect((await w.run(...answer)).code).toBe(0);
      expect((await w.run('decide', '--json')).json).toMatchObject({ decisions: [] });
      expect((await w.run('decide', '--history', '--json')).json).toMatchObject({
        decisions: [{ answer: { choice: 'retry-with-note', by: 'tester' } }],
      });
      expect((await w.run('run', 'plan.md')).code).toBe(0);
      expect(w.read('prompt.a#2')).toContain('the test one');
      expect(w.read('prompt.a#2')).toContain('a person had to answer a question first');
    },
    60_000,
  );

  it('is for the task of the attempt; outside of one the task is named', async () => {
    const w = asking('true');
    const { code, err } = await w.run('suspend', '--question', 'What now?', '--plan', 'plan.md');
    expect([code, err]).toEqual([2, expect.stringContaining('name the task')]);
    expect((await w.run('suspend', 'a', '--question', 'What now?', '--plan', 'plan.md')).code).toBe(0);
    expect((await w.run('why', 'a', '--plan', 'plan.md')).out).toContain('What now?');
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    expect((await w.run('decide', 'd1', 'go-on')).code).toBe(0);
    expect((await w.run('suspend', 'a', '--question', ' ', '--plan', 'plan.md')).code).toBe(2);
  });
});
