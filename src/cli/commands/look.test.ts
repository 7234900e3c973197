import { describe, expect, it } from 'vitest';
import { aStatus, aTask, CliRig, happened, noTasks, path, startOfTime, withFiles } from '../../../test/rigs/cli-rig.ts';
import type { CheckReport } from '../../api/reports/plan-files.ts';
import type { PlansReport, StatusReport } from '../../api/reports/status.ts';
import type { WhyReport } from '../../api/reports/why.ts';
import type { Signalbox } from '../../api/signalbox.ts';
import { type AttemptId, taskId } from '../../core/model/ids.ts';
import { displayWidth } from '../terminal/display-width.ts';

const iso = (ms: number) => new Date(startOfTime + ms).toISOString();

async function* stream<T>(...items: T[]) {
  yield* items;
}

describe('status', () => {
  const shows = async (report: StatusReport, argv: string[] = [], columns?: number) => {
    const rig = new CliRig({ status: async () => report }, columns === undefined ? {} : { columns });
    expect(await rig.run('status', ...argv)).toBe(0);
    return rig.out;
  };
  const all = aStatus(
    [
      aTask('1.1', { phase: 'Schema', status: 'completed', startedAt: iso(-5000), endedAt: iso(-3800), attempts: 2 }),
      aTask('1.2', { phase: 'Schema', status: 'in_progress', startedAt: iso(-9000), attempts: 1 }),
      aTask('api', { phase: 'Service', group: true, status: 'in_progress' }),
      aTask('routes', {
        phase: 'Service',
        parent: 'api',
        status: 'failed',
        failure: { kind: 'exit', code: 3 },
        attempts: 3,
      }),
      aTask('auth', { phase: 'Service', parent: 'api', status: 'blocked', blockedBy: ['routes'] }),
      aTask('docs', { phase: 'Service', status: 'suspended', by: 'ann', reason: 'later' }),
      aTask('lint', { phase: 'Service', status: 'skipped', by: 'bob', optional: true }),
      aTask('deploy', {
        phase: 'Service',
        retryAt: iso(1200),
        failure: { kind: 'timeout', limitMs: 5000 },
        needs: ['1.1'],
      }),
    ],
    { running: true },
  );

  it('shows the plan phase by phase, groups with their subtasks, each with what there is to say', async () => {
    expect(await shows(all)).toBe(
      `The plan  plan.md
━━━━━━━━━━━━──────────────────  running
1 of 7 tasks completed · 1 running · 1 failed · 1 blocked · 1 suspended · 1 skipped · 1 pending

Schema
  ✔ 1.1     Title of 1.1  1.2 s · 2 attempts
  ▸ 1.2     Title of 1.2  for 9 s

Service
  ▸ api     Title of api
    ✖ routes  Title of routes  exited with code 3 · 3 attempts
    ⊘ auth    Title of auth  blocked by routes
  ‖ docs    Title of docs  suspended by ann: later
  – lint    Title of lint  skipped by bob · optional
  ○ deploy  Title of deploy  ran longer than 5 s · again in 1.2 s
`,
    );
  });

  it('shows what an agent does, cut to the terminal, unless it waits', async () => {
    const task = { status: 'in_progress' as const, stage: 'running' as const, startedAt: iso(-125_000), attempts: 1 };
    const action = 'Edit src/a/long/way/down/to/the/parser/parse.ts';
    const a = aTask('a', { ...task, title: 'Write the parser', action });
    const b = aTask('b', { ...task, title: 'Write all of the many tests of the parser', action, attempts: 2 });
    const c = aTask('c', { ...task, title: 'Wait', action, waitsFor: [{ resource: 'x', holder: 'd#1' }] });
    const lines = (await shows(aStatus([a, b, c], { running: true }), [], 80)).split('\n').slice(4, 7);
    expect(lines).toEqual([
      '  ▸ a  Write the parser  for 2 min 5 s · Edit src/a/long/way/down/to/the/parser…',
      '  ▸ b  Write all of the many t…  for 2 min 5 s · attempt 2 · Edit src/a/long/wa…',
      '  ▸ c  Wait  waits for x (d#1 has it) · for 2 min 5 s',
    ]);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    expect(await shows(aStatus([a], { running: true }))).toContain(`for 2 min 5 s · ${action}\n`);
  });

  it('names needs to whoever wants to know more', async () => {
    expect(await shows(all, ['--verbose'])).toContain('again in 1.2 s · needs 1.1');
  });

  it.each([
    [{ running: true, paused: true }, 'pausing'],
    [{ paused: true }, 'paused'],
    [{ outcome: 'stuck' as const, lastRun: 'ended' as const }, 'stuck'],
    [{ outcome: 'complete' as const, planStatus: 'completed' as const }, 'complete'],
    [{ outcome: 'complete' as const }, 'last run complete, 0 of 1'],
    [{ outcome: 'stuck' as const, planStatus: 'completed' as const }, 'complete'],
    [{ lastRun: 'by-hand' as const, planStatus: 'completed' as const }, 'complete'],
    [{ lastRun: 'by-hand' as const }, 'driven by hand'],
    [{ lastRun: 'cut-off' as const, planStatus: 'in_progress' as const }, 'process died'],
    [{ lastRun: 'ended' as const }, 'not finished'],
    [{}, 'not run yet'],
  ])('with %j the plan is %s', async (more, word) => {
    expect(await shows(aStatus([aTask('a')], more))).toContain(`  ${word}\n`);
  });

  it.each([40, 60, 80])('keeps to a terminal of %i columns', async (columns) => {
    const tasks = [
      aTask('日本', {
        title: '日本語のとても長い題名'.repeat(5),
        status: 'failed',
        failure: { kind: 'unstartable', message: 'm'.repeat(99) },
      }),
      aTask('an-id-that-is-much-too-long-for-anybody', { title: 'x '.repeat(99), phase: 'p'.repeat(99) }),
    ];
    const [, , , ...lines] = (await shows(aStatus(tasks), [], columns)).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('counts what is done or waits in a large plan instead of listing it, unless asked', async () => {
    const some = { completed: 150, in_progress: 1, failed: 0, blocked: 2 };
    const counts = { ...some, suspended: 0, skipped: 0, pending: 149 };
    const report = {
      ...aStatus([aTask('t7', { status: 'failed' })]),
      folded: [{ phase: aTask('t7').phase, counts }],
    };
    const folded = await shows(report);
    expect(folded).toContain(
      '  ✔ 150 completed tasks  ▸ 1 started task  ⊘ 2 blocked tasks  ○ 149 pending tasks\n  ✖ t7',
    );
    expect(folded).toContain('--all lists every task');
    const asked: unknown[] = [];
    const status = async (_: unknown, options: unknown) => {
      asked.push(options);
      return report;
    };
    for (const argv of [[], ['--all'], ['--json']]) await new CliRig({ status }).run('status', ...argv);
    expect(asked).toEqual([{ foldAbove: 200 }, {}, {}]);
  });

  it('is the contract word for word as JSON', async () => {
    const [report] = [JSON.parse(await shows(all, ['--json']))];
    expect(report).toEqual(JSON.parse(JSON.stringify(all)));
    expect(Object.keys(report)).toEqual(expect.arrayContaining(['plan', 'outcome', 'summary', 'tasks', 'decisions']));
    expect(report.outcome).toBeNull();
  });
});

describe('why', () => {
  const why: WhyReport = {
    plan: path,
    task: 'c',
    title: 'The title',
    status: 'blocked',
    reasons: [
      { kind: 'need', task: taskId('b'), status: 'blocked', causes: [{ task: taskId('a'), status: 'failed' }] },
    ],
    running: false,
  };
  const shows = async (report: WhyReport, ...argv: string[]) => {
    const rig = new CliRig({ why: async () => report });
    expect(await rig.run('why', 'c', ...argv)).toBe(0);
    return rig.out;
  };

  it('says why and what to type', async () => {
    expect(await shows(why)).toBe(`⊘ c  The title  blocked
  It needs b, which is blocked, because a failed.

  signalbox logs a
  signalbox retry a
  signalbox skip a --treat-as-done
  signalbox run
`);
  });

  it('tells what changed outside of its tree', async () => {
    const incidents = [{ kind: 'shared', what: 'the hook pre-commit was added', saved: '/kept' }] as const;
    expect(await shows({ ...why, incidents })).toContain(
      '\n  Note: while it worked, the hook pre-commit was added; before and after: /kept.\n',
    );
  });

  it('names the plan in what to type when it was named', async () => {
    expect(await shows(why, '--plan', 'my plan.md')).toContain("signalbox retry a --plan 'my plan.md'\n");
    expect(await shows(why, '--plan', 'my plan.md')).toContain("signalbox run 'my plan.md'\n");
  });

  it.each([
    [true, 'It is ready and starts when its turn comes.'],
    [false, 'It is ready, but no run is going on.'],
  ])('of a ready task, a run going on: %s', async (running, words) => {
    expect(await shows({ ...why, status: 'pending', reasons: [], running })).toContain(words);
  });

  it('has task, status and reasons as JSON, with times as ISO strings', async () => {
    const reasons: WhyReport['reasons'] = [
      ...why.reasons,
      { kind: 'backoff', until: startOfTime, failure: null },
      { kind: 'running', attempt: 'c#1' as AttemptId, since: startOfTime, ending: false },
      { kind: 'done', at: startOfTime, by: null },
    ];
    expect(JSON.parse(await shows({ ...why, reasons }, '--json'))).toEqual({
      ...why,
      reasons: [
        why.reasons[0],
        { kind: 'backoff', until: iso(0), failure: null },
        { kind: 'running', attempt: 'c#1', since: iso(0), ending: false },
        { kind: 'done', at: iso(0), by: null },
      ],
    });
  });
});

describe('next and plans', () => {
  it('next lists what would start, in aligned columns', async () => {
    const tasks = [
      { id: 'a', title: 'First', phase: 'Schema', status: 'pending' as const, waitsFor: [] },
      { id: 'long-id', title: 'Second one', phase: 'Schema', status: 'pending' as const, waitsFor: ['slot'] },
    ];
    const seen: unknown[] = [];
    const next: Signalbox['next'] = async (...args) => {
      seen.push(args);
      return { plan: path, tasks };
    };
    const rig = new CliRig({ next });
    expect(await rig.run('next', '2', '--plan', 'p.md')).toBe(0);
    expect(rig.out).toBe('a        First       Schema\nlong-id  Second one  waits for slot\n');
    expect(seen).toEqual([['p.md', 2]]);
  });

  it('plans marks the current one', async () => {
    const one = {
      plan: 'a.md',
      title: 'A',
      outcome: 'complete',
      running: false,
      paused: false,
      planStatus: 'completed',
      lastRun: 'ended',
      summary: { ...noTasks, totalTasks: 2, completed: 2 },
      changedAt: iso(-60_000),
    } as const;
    const report: PlansReport = {
      current: 'b.md',
      plans: [one, { ...one, plan: 'b.md', title: 'Bee', outcome: null, running: true }],
    };
    const rig = new CliRig({ plans: async () => report });
    await rig.run('plans');
    expect(rig.out).toBe('   a.md  A    complete  2 of 2  1 min ago\n*  b.md  Bee  running   2 of 2  1 min ago\n');
  });

  it('a table keeps to a narrow terminal', async () => {
    const tasks = [{ id: 'a', title: '日本語'.repeat(30), phase: 'Schema', status: 'pending' as const, waitsFor: [] }];
    const rig = new CliRig({ next: async () => ({ plan: path, tasks }) }, { columns: 40 });
    await rig.run('next');
    expect(displayWidth(rig.out.trimEnd())).toBeLessThanOrEqual(40);
    expect(rig.out).toContain('Schema');
  });
});

describe('check', () => {
  const good: CheckReport = {
    plan: path,
    ok: true,
    title: 'Checkout',
    tasks: 7,
    groups: 1,
    phases: 2,
    order: 'phases',
    orderAssumed: true,
    diagnostics: [],
    unsupported: [],
    hindrances: [],
    notes: [],
  };
  const warning = {
    severity: 'warning',
    code: 'w',
    message: 'hm',
    file: 'plan.md',
    line: 1,
    column: 1,
    length: 3,
    excerpt: '# Checkout',
  } as const;

  it.each<[Partial<CheckReport>, number, string]>([
    [
      {},
      0,
      '✔ Checkout (plan.md): 7 tasks and 1 group in 2 phases, order: phases (assumed)\n  signalbox run plan.md\n',
    ],
    [{ diagnostics: [warning] }, 0, 'order: phases (assumed) (1 warning)'],
    [{ ok: false, diagnostics: [{ ...warning, severity: 'error' }, warning] }, 3, '✖ plan.md: 1 mistake (1 warning)\n'],
    [{ notes: ['1 new file is left'] }, 0, 'plan.md: warning: 1 new file is left\n\n✔ Checkout'],
    [{ notes: ['1 new file is left'] }, 0, '(assumed) (1 warning)'],
    [
      { unsupported: [{ key: 'review', task: 'a', line: 4 }] },
      0,
      'plan.md:4: note: "review" of a is not supported yet; run refuses it\n',
    ],
  ])('%j is exit %i', async (more, exitCode, words) => {
    const rig = new CliRig(withFiles({ check: async () => ({ ...good, ...more }) }));
    expect(await rig.run('check', 'plan.md')).toBe(exitCode);
    expect(rig.out).toContain(words);
    const json = new CliRig(withFiles({ check: async () => ({ ...good, ...more }) }));
    expect(await json.run('check', 'plan.md', '--json')).toBe(exitCode);
    expect(json.json()).toEqual([{ ...good, ...more }]);
  });

  it('names the command that tells more, once, with an error before a warning', async () => {
    const diagnostics = [warning, { ...warning, severity: 'error' as const, code: 'e' }, warning];
    const rig = new CliRig(withFiles({ check: async () => ({ ...good, ok: false, diagnostics }) }));
    await rig.run('check', 'plan.md');
    expect(rig.out.match(/signalbox explain \w+/g)).toEqual(['signalbox explain e']);
  });
});

describe('events and logs', () => {
  it('events breaks no word at the edge of the terminal', async () => {
    const rig = new CliRig({ events: () => stream(happened.runStarted(0)) }, { columns: 36 });
    await rig.run('events');
    const [first, second] = rig.out.split('\n');
    expect([first!.length <= 36, second]).toEqual([true, expect.stringMatching(/^ {17}\w/)]);
    expect(rig.out.replace(/\n +/g, ' ')).toContain('the run started, at most');
  });

  it('events prints one line each, or one object each', async () => {
    const events = () => stream(happened.runStarted(0), happened.completed(1, 'a'));
    const rig = new CliRig({ events });
    expect(await rig.run('events')).toBe(0);
    expect(rig.out).toMatch(
      /^ *\d+ {2}[-\d: ]+ {2}the run started, at most 3 at once\n *\d+ {2}[-\d: ]+ {2}a completed\n$/,
    );
    const json = new CliRig({ events });
    await json.run('events', '--json');
    expect(json.json()).toMatchObject([
      { type: 'run-started', run: 'r1' },
      { type: 'task-completed', task: 'a', attempt: 'a#1' },
    ]);
  });

  it('passes on from where, and whether to follow', async () => {
    const seen: object[] = [];
    const events: Signalbox['events'] = (plan, { signal: _, ...options }) => {
      seen.push({ plan, ...options });
      return stream();
    };
    const logs: Signalbox['logs'] = (plan, task, { signal: _, ...options }) => {
      seen.push({ plan, task, ...options });
      return stream();
    };
    await new CliRig({ events }).run('events', 'p.md', '-f', '--after', '40');
    await new CliRig({ events }).run('events');
    await new CliRig({ logs }).run('logs', 'a', '--follow', '--attempt', '2', '--plan', 'p.md');
    expect(seen).toEqual([
      { plan: 'p.md', follow: true, after: 40 },
      { plan: undefined },
      { plan: 'p.md', task: 'a', follow: true, attempt: 2, readable: true },
    ]);
    seen.length = 0;
    await new CliRig({ logs }).run('logs', 'a', '--raw');
    await new CliRig({ logs }).run('logs', 'a', '--json');
    expect(seen).toEqual([
      { plan: undefined, task: 'a' },
      { plan: undefined, task: 'a' },
    ]);
  });

  it.each([
    ['interrupt', 130],
    ['terminate', 143],
  ] as const)('following ends by %s with exit %i', async (how, exitCode) => {
    const events: Signalbox['events'] = async function* (_, { signal }) {
      yield happened.completed(0, 'a');
      await new Promise((resolve) => signal!.addEventListener('abort', resolve));
    };
    const rig = new CliRig({ events });
    const done = rig.run('events', '--follow');
    await new Promise((resolve) => setTimeout(resolve, 20));
    rig[how]();
    expect(await done).toBe(exitCode);
  });

  it('logs prints what was printed, without what could act on the terminal, also when it comes in pieces', async () => {
    const logs = () => stream({ attempt: 'a#1', text: 'red: \x1b[3' }, { attempt: 'a#1', text: '1mhot\x1b[0m\n' });
    const rig = new CliRig({ logs });
    expect(await rig.run('logs', 'a')).toBe(0);
    expect(rig.out).toBe('red: hot\n');
    const json = new CliRig({ logs });
    await json.run('logs', 'a', '--json');
    expect(json.json()).toEqual([
      { attempt: 'a#1', text: 'red: \x1b[3' },
      { attempt: 'a#1', text: '1mhot\x1b[0m\n' },
    ]);
    expect(json.out).not.toContain('\x1b');
  });
});
