// What `run --dry-run` shows.
import { describe, expect, it } from 'vitest';
import { aStatus, aTask, CliRig, noTasks } from '../../../test/rigs/cli-rig.ts';
import type { DryRunReport, DryRunTask } from '../../api/reports/run.ts';
import type { Signalbox } from '../../api/signalbox.ts';

const status: Signalbox['status'] = async () => aStatus([aTask('a')]);

describe('--dry-run', () => {
  const report: DryRunReport = {
    plan: 'plan.md',
    order: 'explicit',
    summary: { ...noTasks, totalTasks: 3, pending: 3 },
    limits: { plan: 3, pools: { opus: 1 } },
    criticalPath: { tasks: ['a', 'c'], estimateMs: 90_000 },
    estimate: { wallMs: 120_000, measured: 4, ownKind: 3 },
    isolation: { kind: 'worktree', because: 'x says so', branch: 'signalbox/plan', notes: ['1 new file is left'] },
    hindrances: [],
    notes: ['Codex was tried with 1.0.0'],
    waves: [
      {
        tasks: [
          dryTask('a', 'First', 'npm test', {
            pools: ['opus'],
            locks: { exclusive: ['src/**', 'db:test'], shared: ['docs'] },
          }),
          dryTask('bb', 'Also', 'true', { locks: { exclusive: ['src/x.ts'], shared: [] } }),
        ],
        conflicts: [{ keys: ['src/**', 'src/x.ts'], tasks: ['a', 'bb'] }],
        moreConflicts: false,
      },
      { tasks: [dryTask('c', 'Then', 'make')], conflicts: [], moreConflicts: false },
    ],
  };

  it('shows the steps and starts nothing', async () => {
    const seen: unknown[] = [];
    const dryRun: Signalbox['dryRun'] = async (...args) => {
      seen.push(args);
      return report;
    };
    const rig = new CliRig({ dryRun });
    expect(await rig.run('run', 'plan.md', '--dry-run', '--max-parallel', '0')).toBe(0);
    expect(seen).toEqual([['plan.md', { maxParallel: 0 }]]);
    expect(rig.out).toBe(`warning: 1 new file is left
warning: Codex was tried with 1.0.0

plan.md would run 3 tasks in 2 steps; order: explicit
at most 3 at once; pools: opus 1
isolation: worktree (x says so); results gather on signalbox/plan
about 2 min, based on 4 completed tasks
longest path: a → c (2 steps, about 1 min 30 s)

Step 1
  a   First  npm test
    pools: opus; locks: src/** and db:test; reads: docs
  bb  Also   true
    locks: src/x.ts
  not at the same time: a and bb (src/** and src/x.ts)

Step 2
  c  Then  make
`);
  });

  it('is told where attempts should work, as the run is', async () => {
    const seen: unknown[] = [];
    const note = async (_: unknown, options: object) => {
      seen.push(options);
      return report as never;
    };
    const rig = new CliRig({ dryRun: note, run: note, status });
    for (const more of [['--dry-run'], ['--json']])
      await rig.run('run', 'plan.md', '--isolation', 'worktree', '--include-changes', ...more).catch(() => undefined);
    const wanted = { isolation: 'worktree', includeChanges: true };
    expect(seen).toEqual([wanted, expect.objectContaining(wanted)]);
    expect(await rig.run('run', 'plan.md', '--isolation', 'tree')).toBe(2);
    expect(rig.err).toContain('worktree');
  });

  it('shows the beginning of a plan that is too large to be read, in the width there is', async () => {
    const conflicts = Array.from({ length: 1000 }, (_, i) => ({ keys: [`f${i}`], tasks: ['t1', 't2'] }));
    const wave = (count: number) => ({
      tasks: Array.from({ length: count }, (_, i) =>
        dryTask(`t${i}`, 'Title '.repeat(20), 'true', { pools: ['opus'] }),
      ),
      conflicts,
      moreConflicts: true,
    });
    const tasks = Array.from({ length: 40 }, (_, i) => `t${i}`);
    const large = {
      ...report,
      criticalPath: { tasks, estimateMs: null },
      estimate: null,
      waves: Array.from({ length: 40 }, () => wave(250)),
      summary: { ...noTasks, totalTasks: 10_000, pending: 10_000 },
    };
    const rig = new CliRig({ dryRun: async () => large }, { columns: 80 });
    await rig.run('run', '--dry-run');
    const lines = rig.out.split('\n');
    expect(lines.length).toBeLessThan(320);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(rig.out).toContain('would run 10,000 tasks in 40 steps');
    expect(rig.out).toContain('longest path: t0 → t1 → t2 → … → t38 → t39 (40 steps)');
    expect(rig.out).toContain('… and 240 more tasks');
    expect(rig.out).toContain('… and more than 995 more conflicts');
    expect(rig.out).toContain('… 30 more steps with 7,500 tasks; --json lists all of them');
  });

  it('counts tasks as every other command does: closing tasks are extra', async () => {
    const closing = dryTask('finish', 'Last step', 'true', { closes: 'plan' });
    const waves = [...report.waves, { tasks: [closing], conflicts: [], moreConflicts: false }];
    const summary = { ...noTasks, totalTasks: 5, pending: 3, completed: 2 };
    const rig = new CliRig({ dryRun: async () => ({ ...report, waves, summary }) });
    await rig.run('run', '--dry-run');
    expect(rig.out).toContain('plan.md would run 3 of 5 tasks and 1 closing task in 3 steps');
  });

  it('is one object as JSON', async () => {
    const rig = new CliRig({ dryRun: async () => report });
    await rig.run('run', '--dry-run', '--json');
    expect(rig.json()).toEqual([report]);
  });
});

function dryTask(id: string, title: string, command: string, more: Partial<DryRunTask> = {}): DryRunTask {
  return { id, title, command, pools: [], locks: { exclusive: [], shared: [] }, estimateMs: null, ...more };
}
