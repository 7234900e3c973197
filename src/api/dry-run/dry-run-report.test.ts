import { describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { planPath } from '../../core/model/ids.ts';
import { createState, evolve } from '../../core/state/evolve.ts';
import type { PlanState } from '../../core/state/state.ts';
import { readPlan } from '../../plan/read-plan.ts';
import { dryRunReport } from './dry-run-report.ts';

const path = planPath('plan.md');

function planned(text: string): PlanState {
  const { plan, diagnostics } = readPlan({ text: `---\norder: explicit\nrun: "true"\n---\n${text}`, file: path, path });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  const state = createState();
  evolve(state, { type: 'plan-loaded', v: 1, plan: path, revision: 'r', definition: plan, seq: 1, at: 1 });
  return state.plans.get(path)!;
}

/** As if an attempt had completed it. */
function took(plan: PlanState, id: string, ms: number): void {
  Object.assign(plan.tasks[plan.index.get(id as never)!]!, {
    status: 'completed',
    attempts: 1,
    startedAt: 1000,
    endedAt: 1000 + ms,
  });
}

const shared = { kind: 'shared', because: 'x', branch: null, notes: [] } as const;
const limits = { plan: 2, pools: { opus: 1 } };
const report = (plan: PlanState, more = {}) =>
  dryRunReport({ plan, selected: null, hindrances: [] }, { ...limits, ...more }, shared);

describe('waves', () => {
  it('each need only earlier ones, by their longest way, and what has ended is in none', () => {
    const plan = planned(
      '- [x] old: x\n- [ ] a: x → old\n- [ ] g: x → a\n  - [ ] p: x\n  - [ ] q: x → p\n- [ ] b: x → a, g\n- [ ] c: x → a\n',
    );
    const ids = (selected: Uint8Array | null) =>
      dryRunReport({ plan, selected, hindrances: [] }, limits, shared).waves.map(({ tasks }) =>
        tasks.map(({ id }) => id),
      );
    expect(ids(null)).toEqual([['a'], ['p', 'c'], ['q'], ['b']]);
    Object.assign(plan.tasks[1]!, { status: 'in_progress' });
    expect(ids(null)).toEqual([['a'], ['p', 'c'], ['q'], ['b']]);
    expect(ids(Uint8Array.from(plan.plan.tasks, ({ id }) => (id === 'p' ? 0 : 1)))).toEqual([
      ['a'],
      ['c'],
      ['q'],
      ['b'],
    ]);
  });
});

describe('the longest way', () => {
  it('is the one with the most tasks while nothing is known about time', () => {
    const plan = planned('- [ ] a: x\n- [ ] b: x → a\n- [ ] c: x → b\n- [ ] d: x → a\n');
    expect(report(plan).criticalPath).toEqual({ tasks: ['a', 'b', 'c'], estimateMs: null });
  });

  it('goes by time as soon as there is some, through groups and over what has ended', () => {
    const plan = planned(
      '- [ ] old: x\n- [ ] slow: x\n  - model: opus\n' +
        '- [ ] g: x → old\n  - [ ] a: x\n  - [ ] b: x → a\n- [ ] c: x → g\n',
    );
    took(plan, 'old', 60_000);
    const found = report(plan);
    expect(found.criticalPath).toEqual({ tasks: ['a', 'b', 'c'], estimateMs: 180_000 });
    expect(found.estimate).toEqual({ wallMs: 180_000, measured: 1, ownKind: 4 });
  });

  it('is nothing where nothing is left', () => {
    const plan = planned('- [x] a: x\n');
    expect(report(plan)).toMatchObject({ criticalPath: { tasks: [], estimateMs: null }, estimate: null, waves: [] });
  });
});

describe('the estimate', () => {
  it('takes the median of the kind, and of all where none of the kind was measured', () => {
    const plan = planned('- [ ] a: x\n- [ ] b: x\n- [ ] c: x\n- [ ] d: x\n- [ ] e: x → d\n');
    took(plan, 'a', 10);
    took(plan, 'b', 30);
    took(plan, 'c', 1000);
    expect(report(plan).waves.flatMap(({ tasks }) => tasks.map(({ estimateMs }) => estimateMs))).toEqual([30, 30]);
    const [, ...rest] = plan.plan.tasks;
    plan.plan = {
      ...plan.plan,
      tasks: [plan.plan.tasks[0]!, ...rest.map((t) => (t.id === 'e' ? { ...t, keys: {} } : t))],
    };
    took(plan, 'd', 50);
    expect(report(plan).estimate).toEqual({ wallMs: 40, measured: 4, ownKind: 0 });
  });

  it.each<[string, string, number | null]>([
    ['two at a time', '- [ ] a: x\n- [ ] b: x\n- [ ] c: x\n- [ ] d: x\n', 200],
    ['one after the other', '- [ ] a: x\n- [ ] b: x → a\n- [ ] c: x → b\n', 300],
    ['a pool for one', '- [ ] a: x\n  - model: opus\n- [ ] b: x\n  - model: opus\n- [ ] c: x\n', 200],
    ['a pool for none', '- [ ] a: x\n  - model: shut\n- [ ] b: x\n', null],
    ['the same file', '- [ ] a: x\n  - files: f\n- [ ] b: x\n  - files: f\n', 200],
    ['readers of one file', '- [ ] a: x\n  - reads: f\n- [ ] b: x\n  - reads: f\n', 100],
    ['a lock passed by another', '- [ ] a: x\n  - locks: db:x\n- [ ] b: x\n  - locks: db:x\n- [ ] c: x\n', 200],
  ])('plays the plan through: %s', (_, text, wallMs) => {
    const plan = planned(`- [ ] z: x\n${text}`);
    took(plan, 'z', 100);
    expect(report(plan, { pools: { opus: 1, shut: 0 } }).estimate?.wallMs).toBe(wallMs);
    expect(report(plan, { workspace: 0 }).estimate?.wallMs).toBe(null);
  });
});

describe('locks', () => {
  it('are told by task, and by step where they keep tasks apart', () => {
    const plan = planned(
      [
        '- [ ] a: x\n  - files: src/**, ./b.ts\n  - locks: db:test',
        '- [ ] b: x\n  - reads: src/y.ts\n  - model: opus\n  - uses: opus',
        '- [ ] c: x\n  - locks: db:test',
        '- [ ] d: x\n  - reads: src/y.ts, etc',
        '- [ ] e: x → a\n  - files: src/y.ts',
      ].join('\n'),
    );
    const [first, second] = report(plan).waves;
    expect(first!.tasks.map(({ id, pools, locks }) => [id, pools, locks])).toEqual([
      ['a', [], { exclusive: ['src/**', 'b.ts', 'db:test'], shared: [] }],
      ['b', ['opus'], { exclusive: [], shared: ['src/y.ts'] }],
      ['c', [], { exclusive: ['db:test'], shared: [] }],
      ['d', [], { exclusive: [], shared: ['src/y.ts', 'etc'] }],
    ]);
    expect(first!.conflicts).toEqual([
      { keys: ['db:test'], tasks: ['a', 'c'] },
      { keys: ['src/**', 'src/y.ts'], tasks: ['a', 'b', 'd'] },
    ]);
    expect(second).toMatchObject({ conflicts: [], moreConflicts: false });
  });

  it('that all overlap are bounded, and 100,000 tasks take a moment', () => {
    const many = planned(Array.from({ length: 2000 }, (_, i) => `- [ ] t${i}: x\n  - files: "**/f${i}*"`).join('\n'));
    const [wave] = report(many).waves;
    expect(wave!.conflicts).toHaveLength(1000);
    expect(wave!.moreConflicts).toBe(true);
    const large = planned(
      Array.from({ length: 100_000 }, (_, i) => `- [ ] t${i}: x\n  - files: f${i % 5000}`).join('\n'),
    );
    took(large, 't0', 100);
    const started = ownNow();
    expect(report(large).estimate?.wallMs).toBeGreaterThan(0);
    expect(ownNow() - started).toBeLessThan(10_000);
  });
});
