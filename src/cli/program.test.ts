import { describe, expect, it } from 'vitest';
import { aReport, aStatus, CliRig, happened, path } from '../../test/rigs/cli-rig.ts';
import { aDecision, aQuestion } from '../../test/rigs/decision-samples.ts';
import { planningBox } from '../../test/rigs/planning-rig.ts';
import { results, runs } from '../../test/rigs/result-samples.ts';
import { setup } from '../../test/rigs/setup-samples.ts';
import { nothingRecorded } from '../api/act/reset-plan.ts';
import type { HandDoor } from '../api/hand/hand-door.ts';
import { Refusal } from '../api/refusal.ts';
import type { Signalbox } from '../api/signalbox.ts';
import { noDifference } from '../core/commands/match-revision.ts';
import { commandTable } from './table/command-table.ts';

const names = commandTable.map(({ name }) => name);
const wordsOf = (name: string) => name.split(' ');

async function* stream<T>(...items: T[]) {
  yield* items;
}

const granted = async () => ({
  ...({ answer: 'granted', owner: 'ann', resources: ['x'], holders: [], reason: null } as const),
  ...{ release: [], waitedMs: 0 },
});
const released = async () => ({ owner: 'ann', released: ['x'], notHeld: [] });
const steered = async () => ({ plan: path, events: [happened.completed(0, 'a')], running: false });
const decided = async () => ({
  ...{ plan: path, decision: 'd1', choice: 'retry' as const, task: 'a', affected: ['a'] },
  ...{ events: [happened.completed(0, 'a')], running: false },
});
const marked = async () => ({
  ...({ plan: path, task: 'a', ok: true, status: 'completed', attempt: 'a#1', checks: [] } as const),
  ...{ events: [happened.completed(0, 'a')], running: false },
});
const found = async () => ({ plan: path, task: 'a', file: 'docs/plan-outputs/plan/findings/a.md', text: 'found\n' });
const handRun = async () => ({
  ...{ plan: path, run: 'hand-1', startedAt: '2026-11-15T11:00:00.000Z', completedAt: null, completed: 0, failed: 0 },
});
const willing: Partial<Signalbox> = {
  ...planningBox(path),
  decisions: async () => ({
    list: async () => ({ plan: path, decisions: [] }),
    show: async () => aQuestion(aDecision()),
    answer: decided,
    review: decided,
    restructure: async () => ({
      ...{ plan: path, decision: 'd1', changes: ['reload'] as const, applied: true, written: false },
      ...{ added: [], removed: [], changed: [], retried: [], unblocked: [] },
    }),
    history: async () => ({ plan: path, decisions: [] }),
    found: async () => null,
  }),
  attempts: async () => ({ plan: path, retryable: [], exhausted: [] }),
  agents: async () => ({
    cost: async () => ({ plan: path, usd: 0, unpriced: 0, attempts: [] }),
    hook: async () => ({ kind: 'deny', reason: 'no' }),
    guest: async () => ({ kind: 'pass' }),
    prompt: async () => ({ plan: path, task: 'x', attempt: 'x#1', agent: 'claude', text: '# Do it\n' }),
  }),
  files: async () => ({
    check: async () => ({
      plan: path,
      ok: true,
      title: 'T',
      tasks: 1,
      groups: 0,
      phases: 1,
      order: 'explicit',
      orderAssumed: false,
      diagnostics: [],
      unsupported: [],
      hindrances: [],
      notes: [],
    }),
    format: async () => ({
      plan: path,
      changed: false,
      written: false,
      untouched: false,
      hindrance: null,
      ids: [],
      text: '- [ ] a: A\n',
    }),
    import: async () => ({
      ...{ tool: 'beads', source: 'x', plan: null, tasks: 1, groups: 0 },
      losses: [],
      text: '- [ ] a: A\n',
    }),
    set: async () => ({ plan: path, file: '.claude/current-plan.txt' }),
    reload: async () => ({ plan: path, ...noDifference, rewritten: [] }),
    syncCheck: async () => ({
      ...{ plan: path, loaded: true, inSync: true, running: false, run: 'nothing' },
      ...noDifference,
      ...{ renamed: [], conflicts: [] },
    }),
  }),
  verify: async () => ({ plan: path, ok: true, total: 0, passed: 0, checks: [] }),
  results: async () => results,
  setup: async () => setup,
  trust: async () => ({ root: '/w', state: 'own', because: null, trusted: false, git: 'none', lfs: false, plans: [] }),
  doctor: async () => ({ root: '/w', ok: true, checks: [{ id: 'node', status: 'ok', message: 'Node 24' }] }),
  validate: async () => ({ root: '/w', ok: true, events: 0, plans: [], problems: [] }),
  run: async () => aReport(),
  runs: async () => runs,
  status: async () => aStatus([]),
  statusChanges: () => stream(aStatus([])),
  progress: async () => ({ ...aStatus([]), percent: 0 }),
  graph: async (_, { format }) => ({
    ...{ plan: path, title: 'T', order: 'explicit', phases: [''], nodes: [], edges: [], barriers: [] },
    picture: format === undefined ? null : { format, text: 'flowchart TD\n', file: null, folded: 0 },
  }),
  next: async () => ({ plan: path, tasks: [] }),
  why: async () => ({ plan: path, task: 'a', title: 'A', status: 'pending', reasons: [], running: false }),
  events: () => stream(happened.completed(0, 'a')),
  logs: () => stream({ attempt: 'a#1', text: 'hello\n' }),
  plans: async () => ({ current: null, plans: [] }),
  steering: async () => ({
    ...{ retry: steered, skip: steered, suspend: steered },
    ...{ resume: steered, pause: steered, stop: steered },
    reset: async () => nothingRecorded(path),
  }),
  locks: async () => ({
    try: granted,
    wait: granted,
    release: released,
    releaseAll: released,
    signOfLife: async () => false,
    leave: released,
    check: async (resource) => ({ resource, free: true, holders: [] }),
    list: async () => ({ holds: [], waits: [], deadlocks: [] }),
    waits: async () => ({ parties: [], waits: [], deadlocks: [], picture: null }),
  }),
  hand: async () => ({
    markStarted: marked,
    markCompleted: marked,
    markFailed: marked,
    markSkipped: marked,
    writeFindings: found,
    readFindings: found,
    startRun: handRun,
    completeRun: handRun,
    detectStuck: async () => ({ plan: path, limitMs: 1, watched: 0, stuck: [] }),
    planFiles: async () => [path],
    ...({} as Pick<HandDoor, 'outputs' | 'load' | 'statusFile' | 'findFindings'>),
  }),
};

const locking = ['lock try', 'lock wait', 'lock release', 'lock check'];
const takeOne = [
  ...'check fmt plan set why hook prompt logs retry skip suspend approve diff'.split(' '),
  ...['saved show', 'saved restore'],
  ...['mark-started', 'mark-complete', 'mark-skipped', 'write-findings', 'read-findings'],
  ...locking,
];
/** What takes as many arguments as are typed says so itself. */
const isVariadic = (name: string) =>
  commandTable.some((spec) => spec.name === name && spec.args?.some(([shape]) => shape.includes('...')));

/** What has to be typed after the name. */
const argumentsOf = (name: string) => {
  if (name === 'explain') return ['cycle'];
  if (name === 'completion') return ['bash'];
  if (name === 'import') return ['beads', 'x'];
  if (name === 'reject') return ['x', '--reason', 'y'];
  if (name === 'decide') return ['d1', 'retry'];
  if (name === 'mark-failed') return ['x', '--error', 'no'];
  return takeOne.includes(name) ? ['x'] : [];
};

it('has the commands of this version and no stub of a later one', () => {
  expect(names.toSorted()).toEqual([
    ...'approve attach check clean complete-run completion cost decide detect-stuck diff doctor events'.split(' '),
    ...'exhausted explain fmt graph hook'.split(' '),
    ...'import init land'.split(' '),
    ...['lock check', 'lock list', 'lock release', 'lock release-all', 'lock try', 'lock wait'],
    ...'logs mark-complete mark-failed mark-skipped mark-started mcp next pause plan plans progress prompt'.split(' '),
    ...'read-findings reject reload reset resume retry retryable run'.split(' '),
    ...['saved', 'saved list', 'saved restore', 'saved show'],
    ...'set skip start-run status stop suspend sync-check trust validate verify why write-findings'.split(' '),
  ]);
});

describe.each(names)('signalbox %s', (name) => {
  it('has help with an example, without opening anything', async () => {
    const rig = new CliRig(willing);
    expect(await rig.run(...wordsOf(name), '--help')).toBe(0);
    expect(rig.out).toMatch(new RegExp(`Examples?:\\n  \\$ signalbox ${name}`));
    expect(rig.out).toContain('--json');
    expect(rig.out).toContain('--verbose');
    expect(rig.opened).toHaveLength(0);
  });

  it('prints nothing but JSON with --json', async () => {
    const rig = new CliRig(willing);
    expect(await rig.run(...wordsOf(name), ...argumentsOf(name), '--json')).toBe(0);
    for (const object of rig.json()) expect(object).toBeTypeOf('object');
    expect(rig.err).toBe('');
  });

  it('prints something a person can read, in no colour unless it may', async () => {
    const rig = new CliRig(willing);
    expect(await rig.run(...wordsOf(name), ...argumentsOf(name), '--verbose')).toBe(0);
    expect(rig.out).not.toBe('');
    expect(rig.out).not.toContain('\x1b');
  });

  it('refuses an unknown flag with the nearest one', async () => {
    const rig = new CliRig(willing);
    expect(await rig.run(...wordsOf(name), ...argumentsOf(name), '--jsno')).toBe(2);
    expect(rig.err).toContain('did you mean --json?');
    expect(rig.out).toBe('');
  });

  it('takes no more arguments than it knows', async () => {
    const rig = new CliRig(willing);
    expect(await rig.run(...wordsOf(name), ...argumentsOf(name), '1', '2')).toBe(isVariadic(name) ? 0 : 2);
  });
});

describe('usage', () => {
  it.each([
    ['stauts', 'did you mean status?'],
    ['rnu', 'did you mean run?'],
    ['zzzzzz', '"signalbox --help" lists the commands'],
  ])('an unknown command %s is exit 2 and: %s', async (typed, instead) => {
    const rig = new CliRig(willing);
    expect(await rig.run(typed)).toBe(2);
    expect(rig.err).toContain(`unknown command '${typed}'`);
    expect(rig.err).toContain(instead);
  });

  it.each([
    [['run', '--max-parallel', '-1']],
    [['run', '--max-parallel', '1.5']],
    [['run', '--max-parallel', 'many']],
    [['run', '--max-parallel']],
    [['next', '0']],
    [['next', 'two']],
    [['logs', 'a', '--attempt', '0']],
    [['events', '--after', 'x']],
    [['why']],
    [['graph', '--format', 'png']],
    [['retry']],
    [['check', 'a.md', 'b.md']],
    [['status', 'a.md', '--plan', 'b.md']],
  ])('%j is exit 2', async (argv) => {
    const rig = new CliRig(willing);
    expect(await rig.run(...argv)).toBe(2);
    expect(rig.err).toMatch(/^signalbox: /);
  });

  it('a limit of 0 is a limit', async () => {
    const seen: unknown[] = [];
    const run: Signalbox['run'] = async (_, options) => {
      seen.push(options.maxParallel);
      return aReport();
    };
    await new CliRig({ ...willing, run }).run('run', '--max-parallel', '0');
    expect(seen).toEqual([0]);
  });

  it.each([[['status', 'a.md']], [['status', '--plan', 'a.md']], [['status', 'a.md', '--plan', 'a.md']]])(
    '%j means the plan a.md',
    async (argv) => {
      const seen: unknown[] = [];
      const status: Signalbox['status'] = async (plan) => {
        seen.push(plan);
        return aStatus([]);
      };
      expect(await new CliRig({ status }).run(...argv)).toBe(0);
      expect(seen).toEqual(['a.md']);
    },
  );

  it('without a command the help is shown', async () => {
    const rig = new CliRig();
    expect(await rig.run()).toBe(0);
    expect(rig.out).toContain('Usage: signalbox');
    expect(rig.err).toBe('');
  });

  it.each([[['--help']], [['help']]])('%j is help, and no mistake', async (argv) => {
    const rig = new CliRig();
    expect(await rig.run(...argv)).toBe(0);
    for (const name of names) expect(rig.out).toContain(`\n  ${wordsOf(name)[0]} `);
  });

  it('help keeps to a narrow terminal where words allow it', async () => {
    const rig = new CliRig({}, { columns: 60 });
    await rig.run('skip', '--help');
    for (const line of rig.out.split('\n').filter((line) => !line.includes('$')))
      expect(line.length).toBeLessThanOrEqual(60);
  });

  it('tells its version', async () => {
    const rig = new CliRig();
    expect(await rig.run('--version')).toBe(0);
    expect(rig.out).toBe('1.2.3\n');
  });
});

describe('what goes wrong', () => {
  class Outage extends Error {
    override name = 'Outage';
  }
  const diagnostic = {
    severity: 'error',
    code: 'unknown-id',
    message: 'no task `b`',
    file: 'plan.md',
    line: 7,
    column: 13,
    length: 1,
    excerpt: '- [ ] a: A → b',
    help: 'did you mean `a`?',
  } as const;
  const failing = (error: unknown) =>
    new CliRig({
      status: async () => {
        throw error;
      },
    });

  it.each([2, 3, 4, 7, 8] as const)('a refusal keeps its exit code %i and its way out', async (code) => {
    const rig = failing(new Refusal(code, 'it cannot be', { instead: 'do that' }));
    expect(await rig.run('status')).toBe(code);
    expect(rig.err).toBe('signalbox: it cannot be\n  help: do that\n');
    expect(rig.out).toBe('');
  });

  it('shows diagnostics with the mistake underlined', async () => {
    const rig = failing(new Refusal(3, 'plan.md has mistakes', { diagnostics: [diagnostic] }));
    expect(await rig.run('status')).toBe(3);
    expect(rig.err).toContain(
      'plan.md:7:13: error[unknown-id]: no task `b`\n  7 | - [ ] a: A → b\n    |             ^\n    = help: did you mean `a`?\n',
    );
  });

  it('underlines the right place behind wide characters and in very long lines', async () => {
    const wide = { ...diagnostic, excerpt: '- [ ] 日本 → b', column: 12 };
    const long = { ...diagnostic, excerpt: `${'x'.repeat(5000)}b${'y'.repeat(5000)}`, column: 5001 };
    const rig = failing(new Refusal(3, 'mistakes', { diagnostics: [wide, long] }));
    rig.columns = 60;
    await rig.run('status');
    const lines = rig.err.split('\n');
    expect(lines[2]).toBe(`    | ${' '.repeat(13)}^`);
    const [text, caret] = lines.slice(lines.findIndex((line) => line.includes('…')));
    expect(text!.length).toBeLessThanOrEqual(60);
    expect(text![caret!.indexOf('^')]).toBe('b');
  });

  it('trouble outside is exit 70 with its own words, and not called a bug', async () => {
    const rig = failing(new Outage('the disk is full'));
    expect(await rig.run('status')).toBe(70);
    expect(rig.err).toBe('signalbox: the disk is full\n');
  });

  it('a bug is exit 70 and says so; the stack is shown to who asks for it', async () => {
    const brief = failing(new TypeError('x is undefined'));
    expect(await brief.run('status')).toBe(70);
    expect(brief.err).toContain('this is a bug in Signalbox: x is undefined');
    expect(brief.err).not.toMatch(/^ +at /m);
    const full = failing(new TypeError('x is undefined'));
    await full.run('status', '--verbose');
    expect(full.err).toMatch(/\n {4}at .*program\.test\.ts/);
  });

  it.each<[unknown, object]>([
    [
      new Refusal(3, 'mistakes', { instead: 'mend it', diagnostics: [diagnostic] }),
      { type: 'error', exitCode: 3, message: 'mistakes', instead: 'mend it', diagnostics: [diagnostic] },
    ],
    [new Outage('full'), { type: 'error', exitCode: 70, message: 'full', instead: null, diagnostics: [] }],
  ])('with --json it is one object on standard output: %s', async (error, object) => {
    const rig = failing(error);
    await rig.run('status', '--json');
    expect(rig.json()).toEqual([object]);
    expect(rig.err).toBe('');
  });

  it('so are mistakes of usage', async () => {
    const rig = new CliRig();
    expect(await rig.run('status', '--json', '--al')).toBe(2);
    expect(rig.json()).toEqual([
      { type: 'error', exitCode: 2, message: "unknown flag '--al'", instead: 'did you mean --all?', diagnostics: [] },
    ]);
  });

  it('colours go to a terminal only', async () => {
    const rig = new CliRig({}, { color: true });
    await rig.run('stauts');
    expect(rig.err).toContain('\x1b[31m');
  });
});
