import { describe, expect, it, vi } from 'vitest';
import { deadlocked, overAndPutBack, running } from '../../test/lock-stories.ts';
import { here, log, planOf, type Scenario } from '../../test/scenario.ts';
import { verifying } from '../../test/verify-scenario.ts';
import { attemptId, planPath, taskId } from './ids.ts';
import { createLean, evolveLean } from './lean.ts';
import { markStarted } from './mark-task.ts';
import { PlanNeeded } from './plan-needed.ts';
import { snapshotWorkspace } from './snapshot.ts';
import type { State } from './state.ts';

/** Pools are known to plans only. */
function print(state: State) {
  const { live, ...rest } = snapshotWorkspace(state);
  return { ...rest, live: live.map((one) => ({ ...one, pools: [] })) };
}

/** From nothing, and from a snapshot at every event on the way. */
function expectSame({ events, state }: Scenario): void {
  for (let start = 0; start <= events.length; start++) {
    const whole = createLean(null);
    for (const event of events.slice(0, start)) evolveLean(whole, event);
    const lean = createLean(JSON.parse(JSON.stringify(snapshotWorkspace(whole))));
    for (const event of events.slice(start)) evolveLean(lean, event);
    expect(print(lean)).toEqual(print(state));
  }
}

describe('the state without plans', () => {
  it('knows as much of attempts and locks as the whole one', () => {
    expectSame(running().lock('a', 'x').after(2).lock('b', 'x'));
    expectSame(deadlocked());
    expectSame(overAndPutBack(deadlocked(), 'b'));
  });

  it('knows whose files wait to be put back, and whether their work is saved', () => {
    const scenario = deadlocked().end('b', { kind: 'killed', code: null });
    expectSame(scenario);
    expectSame(scenario.saveWork(2, 'saved-1'));
    expect([...scenario.state.salvage.values()]).toMatchObject([{ token: 2, saved: true }]);
  });

  it('knows of checks, reviews, questions and work by hand', () => {
    const keys = { a: { agent: 'x', check: ['t'], review: 'agent' }, c: { run: 'x', review: 'human' }, d: {} } as const;
    const scenario = verifying('a, c, d', keys).ends('a');
    const { plan, run, task, attempt, token } = scenario.live('a');
    const job = { v: 1, plan, run, task, attempt, token } as const;
    scenario.record({ type: 'job-started', ...job, supervisor: here });
    expectSame(scenario);
    expectSame(scenario.dooms('a', { kind: 'stop' }));
    expectSame(scenario.ends('a', { kind: 'killed', code: 1 }));
    expectSame(scenario.ends('a').says('a', { verdict: 'approved' }).ends('c'));
    const about = { v: 1, plan, task: taskId('c'), attempt: attemptId(taskId('c'), 1) } as const;
    scenario.record({ type: 'review-ended', ...about, by: 'ann', result: 'approved' });
    expectSame(scenario);
    const hand = { v: 1, plan, task: taskId('d'), attempt: attemptId(taskId('d'), 9), token: 90, by: 'ann' } as const;
    scenario.record({ type: 'task-started', ...hand });
    expect(scenario.state.hands).toEqual(new Set([90]));
    expectSame(scenario);
    scenario.record({ type: 'task-completed', v: 1, plan, task: taskId('nobody') });
    scenario.record({ type: 'task-handed-in', ...hand, checks: 0 });
    expect([scenario.state.decided, scenario.state.hands]).toEqual([1, new Set()]);
    expectSame(scenario);
  });

  it.each<[string, (s: Scenario) => Scenario]>([
    ['completed', (s) => s.complete('a')],
    ['failed', (s) => s.fail('a')],
    ['skipped', (s) => s.skip('a')],
    ['suspended', (s) => s.suspend('a')],
  ])('knows that work by hand with locks is over when its task is %s', (_, end) => {
    const scenario = log(planOf('a, b', { keys: { a: { files: ['x'] }, b: { files: ['y'] } } })).load();
    for (const i of [0, 1]) {
      const answer = markStarted(scenario.state, scenario.plan, i, { by: 'ann' });
      scenario.record(...(answer.ok ? answer.events : []));
    }
    expect(end(scenario).state.hands).toEqual(new Set([2]));
    expectSame(scenario);
    expectSame(scenario.settle());
  });

  it('knows when a deadlock is resolved', () => {
    const scenario = overAndPutBack(deadlocked(), 'b');
    scenario.decide();
    expect(scenario.events.some(({ type }) => type === 'deadlock-resolved')).toBe(true);
    expectSame(scenario);
  });

  it('takes nothing from an attempt that is over, or from one of another task', () => {
    const scenario = running().lock('a', 'x').end('a', { kind: 'exited', code: 0 });
    const [over] = scenario.events.filter(({ type }) => type === 'lock-acquired');
    scenario.record({ ...over!, resource: 'y' } as never);
    const [end] = scenario.events.filter(({ type }) => type === 'attempt-ended');
    scenario.record(end!, { ...end!, task: 'nobody', token: 2 } as never);
    scenario.record({ ...end!, type: 'work-saved', saved: null, files: 0 } as never);
    expectSame(scenario);
  });

  it('says that it needs the plans, whatever is asked of them', () => {
    const { plans } = createLean(null);
    expect(plans.get(planPath(''))).toBeUndefined();
    const asked: (() => unknown)[] = [
      () => plans.get(planPath('plan.md')),
      () => plans.has(planPath('plan.md')),
      () => plans.keys(),
      () => plans.values(),
      () => plans.entries(),
      () => plans.size,
      () => [...plans],
      () => plans.forEach(vi.fn()),
    ];
    for (const ask of asked) expect(ask).toThrow(PlanNeeded);
  });
});
