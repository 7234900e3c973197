// A plan that is started over folds as if it had never been run, except that no number of an attempt is used twice.
import { describe, expect, it } from 'vitest';
import { restored } from '../../../test/restored.ts';
import { begin, dawn, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { hasBegun, resetPlan } from '../commands/reset-plan.ts';
import type { EarlierResults, Event } from '../model/event.ts';
import { decisionId, planPath, runId, taskId } from '../model/ids.ts';
import { attemptNumber } from './earlier-rounds.ts';

const path = planPath('plan.md');

function reset(scenario: Scenario, text = 'a, b → a, c', results: EarlierResults | null = null): Scenario {
  const plan = planOf(text);
  const events = resetPlan(scenario.state, scenario.plan, {
    by: 'ann',
    plan,
    revision: 'r2',
    results,
    ends: new Map(),
  });
  return scenario.record(...events);
}
const types = (events: readonly Event[]) => events.map(({ type }) => type).join(' ');
const numbers = (scenario: Scenario) => scenario.plan.plan.tasks.map((_, i) => attemptNumber(scenario.plan, i));

describe('a plan that is started over', () => {
  it('has no history, is not paused, and has nobody to answer', () => {
    const scenario = begin('a, b → a, c').schedule('a').start('a').end('a', 0).complete('a').fail('c').pause('lunch');
    scenario.record({ type: 'baseline-recorded', v: 1, plan: path, failed: ['x'], passed: 0 });
    const fresh = log(planOf('a, b → a, c')).load();
    expect(hasBegun(scenario.plan)).toBe(true);
    reset(scenario.after(5));
    expect(scenario.plan).toMatchObject({ run: null, runs: 0, history: [], paused: null, baseline: null, live: 0 });
    expect(scenario.plan).toMatchObject({ loadedAt: dawn, changedAt: dawn + 5, revision: 'r2' });
    expect([scenario.statuses(), scenario.ready()]).toEqual([fresh.statuses(), fresh.ready()]);
    expect(scenario.plan.counts).toEqual(fresh.plan.counts);
    expect(hasBegun(scenario.plan)).toBe(false);
  });

  it('keeps the numbers of attempts, over several rounds and for tasks that were gone in between', () => {
    const scenario = reset(begin('a, b → a, c').failOnce('a').failOnce('a').failOnce('c'));
    expect([numbers(scenario), scenario.plan.tasks.map(({ attempts, token }) => [attempts, token])]).toEqual([
      [2, 0, 1],
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ]);
    scenario.startRun({}, runId('run-2'));
    const [first] = scenario.decide({ ...scenario.me, run: runId('run-2') });
    expect(first).toMatchObject({ type: 'attempt-scheduled', attempt: 'a#3', token: 4 });
    scenario.end('a', 1);
    reset(scenario, 'b');
    reset(scenario, 'a, c, constructor');
    expect([numbers(scenario), scenario.plan.earlier!.rounds]).toEqual([[3, 2, 0], 3]);
  });

  it('lets the attempts, checks and slots of a run that died go, and what it was stopped for stays to be put back', () => {
    const keys = { a: { run: 'true', model: 'opus', check: ['true'] }, b: { run: 'true', files: ['x'] } };
    const scenario = begin(planOf('a, b, c', { keys }), { pools: { opus: 1 } });
    scenario.decide();
    scenario.start('a', 'b', 'c').end('a', 0).decide();
    expect([scenario.plan.live, scenario.state.jobs.size, scenario.locks()]).toEqual([3, 1, 'b#1 x']);
    const plan = planOf('a, b, c', { keys });
    const events = resetPlan(scenario.state, scenario.plan, {
      ...{ by: 'ann', plan, revision: 'r1', results: null },
      ends: new Map([[scenario.live('c').token, { kind: 'exited', code: 0 }]]),
    });
    expect(types(events)).toBe('run-ended attempt-ended attempt-ended plan-reset plan-loaded');
    expect(events[0]).toMatchObject({ outcome: 'aborted', exitCode: 137 });
    expect(events.filter(({ type }) => type === 'attempt-ended')).toMatchObject([
      { task: 'b', end: { kind: 'lost' } },
      { task: 'c', end: { kind: 'exited' } },
    ]);
    scenario.record(...events).settle();
    expect([scenario.plan.live, scenario.state.live.size, scenario.state.jobs.size]).toEqual([0, 0, 0]);
    expect([scenario.state.usage.get('opus'), scenario.state.salvage.size, scenario.locks()]).toEqual([0, 1, 'b#1 x']);
    const [token] = [...scenario.state.salvage.keys()];
    scenario.saveWork(token!, 'b#1').putBack(token!).settle();
    expect([scenario.task('b').stopped, scenario.locks()]).toEqual([null, '']);
  });

  it('forgets a victim, work by hand, and whatever another plan does not have', () => {
    const other = log(planOf('x', { path: 'other.md' }))
      .load()
      .startRun({})
      .schedule('x');
    const scenario = log(planOf('a, b'), other.state).load().startRun({}, runId('run-2'));
    scenario.record({
      ...{ type: 'task-started', v: 1, plan: path, task: taskId('b'), attempt: 'b#1' as never, token: 9, by: 'ann' },
    });
    scenario.schedule('a');
    const victim = { plan: path, run: runId('run-2'), task: taskId('a'), attempt: 'a#1' as never, token: 10 };
    scenario.state.victims.set(10, victim).set(11, { ...victim, plan: planPath('other.md'), token: 11 });
    reset(scenario, 'a, b');
    expect([[...scenario.state.hands], [...scenario.state.victims.keys()]]).toEqual([[], [11]]);
    expect([other.plan.live, scenario.state.live.size]).toEqual([1, 1]);
  });

  it('closes open decisions, of tasks and of the plan', () => {
    const scenario = begin('a, b → a');
    const question = { kind: 'question', blocks: { count: 0, tasks: [] }, goesOn: [], options: [] } as const;
    for (const [n, about] of [{ task: taskId('a') }, {}].entries()) {
      const decision = decisionId(n + 1);
      scenario.record({ type: 'decision-opened', v: 1, plan: path, decision, ...question, ...about } as never);
    }
    const events = resetPlan(scenario.state, scenario.plan, {
      ...{ by: 'ann', plan: planOf('a'), revision: 'r2', results: null, ends: new Map() },
    });
    expect(events.filter(({ type }) => type === 'decision-closed')).toMatchObject([{ task: 'a' }, { decision: 'd2' }]);
    expect(scenario.record(...events).plan.decisions.size).toBe(0);
  });

  it('remembers the results of the last round that had some', () => {
    const results = { branch: 'signalbox/plan', tip: 'abc', kept: 'signalbox/plan.1' };
    const scenario = reset(begin('a').complete('a'), 'a', results);
    expect(scenario.plan.earlier!.results).toEqual(results);
    expect(reset(scenario.complete('a'), 'a').plan.earlier).toMatchObject({ rounds: 2, results });
  });

  it('comes to the same from a snapshot, whatever its tasks are called', () => {
    const names = ['__proto__', 'constructor'];
    const keys = Object.fromEntries(names.map((name) => [name, { run: 'true' }]));
    const plan = planOf(names.join(), { keys });
    const scenario = begin(plan).failOnce('__proto__');
    const how = { by: 'ann', plan, revision: 'r2', results: null, ends: new Map() };
    scenario.record(...resetPlan(scenario.state, scenario.plan, how));
    const again = restored(scenario.state, scenario.events).plans.get(path)!;
    expect([0, 1].map((i) => attemptNumber(again, i))).toEqual([1, 0]);
    expect(again.earlier).toEqual(scenario.plan.earlier);
  });

  it('is nothing where the plan is not known', () => {
    const scenario = log(planOf('a')).record({ type: 'plan-reset', v: 1, plan: path, by: 'ann', round: 1 });
    expect(scenario.state.plans.size).toBe(0);
  });
});

describe('a plan has begun', () => {
  const cases: [string, (scenario: Scenario) => Scenario, boolean][] = [
    ['not when it is only loaded, with the boxes of its file', (s) => s, false],
    ['when a run has started', (s) => s.startRun(), true],
    ['when it is paused', (s) => s.pause(), true],
    ['when a task was skipped', (s) => s.skip('c'), true],
    ['when one was skipped and may run again', (s) => s.skip('c').retry('c'), true],
    ['when one was marked completed', (s) => s.complete('c'), true],
    [
      'when a run was begun by hand',
      (s) => s.record({ type: 'hand-run-started', v: 1, plan: path, run: runId('hand-1'), by: 'ann' } as never),
      true,
    ],
  ];
  it.each(cases)('%s', (_, happen, expected) => {
    expect(hasBegun(happen(log(planOf('+a, -b, c')).load()).plan)).toBe(expected);
  });
});
