import { describe, expect, it } from 'vitest';
import { aReport, aStatus, CliRig, happened, noTasks, stored } from '../../../test/rigs/cli-rig.ts';
import { aDecision } from '../../../test/rigs/decision-samples.ts';
import type { RunReport } from '../../api/reports/run.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import { type AttemptId, decisionId, taskId } from '../../core/model/ids.ts';

const [a, b, c] = ['a', 'b', 'c'].map(taskId) as [
  ReturnType<typeof taskId>,
  ReturnType<typeof taskId>,
  ReturnType<typeof taskId>,
];

describe('the summary', () => {
  const seven = { ...noTasks, totalTasks: 7 };
  const shows = async (report: Partial<RunReport>, options: { argv?: string[]; events?: StoredEvent[] } = {}) => {
    const rig = new CliRig({
      status: async () => aStatus([]),
      run: async (_, { onEvents }) => {
        onEvents?.(options.events ?? [happened.runStarted(0), happened.started(0, 'a')]);
        return aReport(report);
      },
    });
    expect(await rig.run('run', ...(options.argv ?? []))).toBe(report.exitCode ?? 0);
    return rig.out.slice(rig.out.indexOf('\n\n') + 2);
  };
  const failed = {
    task: 'a',
    failure: { kind: 'exit', code: 3 },
    optional: false,
    log: '.signalbox/attempts/1-a.1.log',
    tail: ['no space left'],
  } as const;

  it('of a complete run', async () => {
    expect(await shows({})).toBe('✔ complete: 7 tasks in 12 s\n');
  });

  it('of a run that had nothing to do', async () => {
    expect(await shows({}, { events: [happened.runStarted(0)] })).toBe(
      '✔ complete: 7 tasks, and nothing was left to do\n',
    );
  });

  it('of a run that only had a review to pay', async () => {
    const only = { events: [happened.runStarted(0)] };
    expect(await shows({ cost: { usd: 0.5, unknown: 0 } }, only)).toBe('✔ complete: 7 tasks in 12 s, cost $0.50\n');
  });

  it('names what was skipped and which optional task failed', async () => {
    const summary = { ...seven, completed: 5, failed: 1, skipped: 1 };
    const report = { summary, skipped: ['c'], failed: [{ ...failed, optional: true, log: null }] };
    expect(await shows(report)).toBe(
      '✔ complete: 5 of 7 tasks in 12 s; 1 optional task failed; 1 skipped: c\n  ⚠ a exited with code 3 (optional)\n    │ no space left\n',
    );
  });

  it('of a failed run: what failed, where its output is, what to type', async () => {
    const report = {
      outcome: 'failed',
      exitCode: 1,
      summary: { ...seven, completed: 6, failed: 1 },
      failed: [failed],
    } as const;
    expect(await shows(report, { argv: ['plan.md'] })).toBe(`✖ failed: 1 of 7 tasks failed and 6 completed, in 12 s
  ✖ a exited with code 3
    │ no space left
    .signalbox/attempts/1-a.1.log

  signalbox logs a --plan plan.md
  signalbox retry a --plan plan.md
  signalbox run plan.md
`);
  });

  it('of a stuck run: what is blocked by what', async () => {
    const causes = [{ task: a, status: 'failed' }] as const;
    const blocked = [
      { task: b, causes },
      { task: c, causes },
      { task: taskId('s'), causes: [{ task: taskId('s'), status: 'suspended' }] },
    ] as const;
    const report = {
      outcome: 'stuck',
      exitCode: 5,
      summary: { ...seven, completed: 3, failed: 1, blocked: 2, suspended: 1 },
      failed: [failed],
      blocked,
    } as const;
    expect(await shows(report)).toBe(`✖ stuck after 12 s: 3 tasks cannot start because a failed and s is suspended
  ✖ a exited with code 3
    │ no space left
    .signalbox/attempts/1-a.1.log
  ⊘ a failed
    ├─ b
    └─ c
  ⊘ s is suspended

  signalbox why s
  signalbox logs a
  signalbox retry a
  signalbox run
`);
  });

  it.each([
    [['a', 'check'], '1 task cannot start'],
    [['check'], '1 closing task cannot start'],
  ])('counts closing tasks only if nothing else is blocked: %j', async (ids, words) => {
    const blocked = ids.map((id) => ({
      task: taskId(id),
      ...(id === 'check' ? { closes: 'plan' as const } : {}),
      causes: [],
    }));
    expect(await shows({ outcome: 'stuck', exitCode: 5, blocked })).toContain(words);
  });

  it('of a chain of 1,000 stays short', async () => {
    const blocked = Array.from({ length: 1000 }, (_, i) => ({
      task: taskId(`t${i}`),
      causes: [{ task: a, status: 'failed' as const }],
    }));
    const text = await shows({ outcome: 'stuck', exitCode: 5, summary: seven, failed: [failed], blocked });
    expect(text).toContain('1,000 tasks cannot start because a failed\n');
    expect(text).toContain('    └─ and 992 more\n');
    expect(text.split('\n').length).toBeLessThan(25);
  });

  it('of a limit of 0', async () => {
    const blocked = [{ task: a, causes: [{ task: a, status: 'pending' as const, limit: 'plan' }] }];
    expect(await shows({ outcome: 'stuck', exitCode: 5, summary: { ...seven, pending: 1 }, blocked })).toContain(
      '1 task cannot start because a can never start (max-parallel is 0)',
    );
  });

  it('of a run that a person paused', async () => {
    const events = [happened.runStarted(0), stored(1, { type: 'plan-paused', by: 'ann' })];
    const report = { outcome: 'paused', exitCode: 6, summary: { ...seven, completed: 4, pending: 3 } } as const;
    expect(await shows(report, { events })).toBe(
      '‖ paused after 12 s: 3 of 7 tasks left\n\n  signalbox resume\n  signalbox run\n',
    );
  });

  it('of a run whose attempts are used up', async () => {
    const report = { outcome: 'paused', exitCode: 6, summary: { ...seven, completed: 4, pending: 3 } } as const;
    expect(await shows(report)).toBe(
      '‖ paused after 12 s, because the attempts of this run are used up: 3 of 7 tasks left\n\n  signalbox run\n',
    );
  });

  const paused = { outcome: 'paused', exitCode: 6, summary: { ...seven, completed: 4, pending: 3 } } as const;
  const short = { budgetUsd: 5, spentUsd: 4.5, reservedUsd: 0, tasks: 3 };

  it('of a run at the limit of an account', async () => {
    expect(await shows({ ...paused, pausedBy: 'quota' })).toContain(
      'paused after 12 s, because an account has reached its usage limit: 3 of 7 tasks left\n\n  signalbox run\n',
    );
  });

  it.each([
    [
      'the run',
      [{ ...short, mostUsd: 1 }],
      'the budget of the run has no room ($4.50 of $5.00 spent, and an attempt may cost $1.00)',
      ['signalbox run  (it may spend $5.00 again)', 'signalbox run --budget-usd AMOUNT'],
    ],
    [
      'the run, which is less than an attempt may cost',
      [{ ...short, spentUsd: 0, mostUsd: 9 }],
      'the budget of the run has no room ($0.00 of $5.00 spent, and an attempt may cost $9.00)',
      ['signalbox run --budget-usd AMOUNT'],
    ],
    [
      'a task',
      [{ ...short, task: 'a', spentUsd: 5.25 }],
      'the budget of a is used up ($5.25 of $5.00 spent)',
      ['raise budget-usd of a in the plan, then signalbox run'],
    ],
    ['nobody knows what', [], 'its budget is used up', []],
  ])('of a run without money: that of %s is used up', async (_, budgets, because, steps) => {
    const said = await shows({ ...paused, pausedBy: 'budget', budgets });
    expect(said).toBe(
      `‖ paused after 12 s, because ${because}: 3 of 7 tasks left\n${steps.length === 0 ? '' : `\n${steps.map((step) => `  ${step}\n`).join('')}`}`,
    );
  });

  it('of a stopped run', async () => {
    const report = { outcome: 'aborted', exitCode: 143, summary: { ...seven, completed: 4, pending: 3 } } as const;
    expect(await shows(report)).toBe(
      '■ aborted after 12 s: 3 of 7 tasks left; completed work is kept\n\n  signalbox run\n',
    );
  });

  it('of a run that waits for a person', async () => {
    const decisions = [aDecision({ kind: 'review', attempt: 'a#1' as AttemptId, blocks: { count: 1, tasks: [b] } })];
    const report = {
      outcome: 'waiting',
      exitCode: 4,
      summary: { ...seven, completed: 4, pending: 3 },
      decisions,
    } as const;
    expect(await shows(report)).toBe(
      "‖ waiting for a person after 12 s: 3 of 7 tasks left\n\n  signalbox decide d1  a#1 waits for a person's review. This blocks b.\n  signalbox run\n",
    );
  });

  it('of a stuck run with more questions than fit', async () => {
    const decisions = Array.from({ length: 12 }, (_, i) => aDecision({ id: decisionId(i + 1) }));
    const said = await shows({ outcome: 'stuck', exitCode: 5, summary: seven, decisions });
    expect(said.match(/signalbox decide d\d+ {2}/g)).toHaveLength(10);
    expect(said).toContain('  and 2 more\n  signalbox run\n');
  });
});
