import { describe, expect, it } from 'vitest';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { blockedTasks } from '../explain/stuck.ts';
import { outcomeOf } from '../rules/outcome.ts';
import { restoreState, snapshotPlan, snapshotWorkspace } from '../state/snapshot.ts';
import { taskId } from './ids.ts';
import { outsideInTheWay, type Selection, selectLeaves } from './selection.ts';

const only = (...ids: string[]): Selection => ({ only: ids.map(taskId) });
const from = (id: string): Selection => ({ from: taskId(id) });

const outcome = ({ state, plan }: Scenario) => outcomeOf(state, plan);
const named = (scenario: Scenario, selected: Uint8Array) =>
  scenario.plan.plan.tasks.filter((_, i) => selected[i]).map(({ id }) => id);

describe('what is selected', () => {
  it.each<[string, string, Selection, string[]]>([
    ['the tasks that are named', 'a, b, c', only('a', 'c'), ['a', 'c']],
    ['the leaves of a group', 'g { a, h { b } }, c', only('g'), ['a', 'b']],
    ['nothing for an unknown id', 'a', only('nobody'), []],
    ['from a task: it and whoever needs it, however deep', 'a, b → a, c → b, d', from('a'), ['a', 'b', 'c']],
    ['from a task: whoever prefers it', 'a, b ~> a, c', from('a'), ['a', 'b']],
    ['from a task: through its group', 'g { a, x }, b → g, c', from('a'), ['a', 'b']],
    ['from a task: into a group', 'a, g → a { b, c }, d', from('a'), ['a', 'b', 'c']],
  ])('%s', (_, text, selection, expected) => {
    const scenario = begin(planOf(text));
    expect(named(scenario, selectLeaves(scenario.plan, selection))).toEqual(expected);
  });
});

describe('what is outside and in the way', () => {
  const inTheWay = (scenario: Scenario, ...ids: string[]) =>
    outsideInTheWay(scenario.plan, selectLeaves(scenario.plan, only(...ids))).map(
      ({ task, waitsFor, why }) => `${task} ${why} ${waitsFor}`,
    );

  it.each<[string, string, string[], string[]]>([
    ['a need', 'a, b → a', ['b'], ['b need a']],
    ['a need that is selected too is not', 'a, b → a', ['a', 'b'], []],
    ['a preference that has not ended', 'a, b ~> a', ['b'], ['b preference a']],
    ['a part of a needed group', 'g { a, x }, b → g', ['b', 'a'], ['b need x']],
    ['a need of the group around', 'a, g → a { b }', ['b'], ['b need a']],
    ['a part of a preferred group', 'g { a }, b ~> g', ['b'], ['b preference a']],
    [
      'a need behind another selected one is named once, by the one that has it',
      'a, b → a, c → b',
      ['b', 'c'],
      ['b need a'],
    ],
  ])('%s', (_, text, ids, expected) => {
    expect(inTheWay(begin(planOf(text)), ...ids)).toEqual(expected);
  });

  it('the phase before', () => {
    expect(inTheWay(begin('a | b'), 'b')).toEqual(['b order a']);
  });

  it('is nothing once it is completed, and something again when it failed', () => {
    expect(inTheWay(begin('a, b → a').complete('a'), 'b')).toEqual([]);
    expect(inTheWay(begin('a, b → a').fail('a'), 'b')).toEqual(['b need a']);
  });

  it('does not matter to what has ended', () => {
    expect(inTheWay(begin('a, b → a').skip('b'), 'b')).toEqual([]);
  });
});

describe('a run about a part of the plan', () => {
  const plan = planOf('a, b, c → b, d*');
  const run = (selection: Selection, limits = {}) => log(plan).load().startRun(limits, undefined, selection);
  const scheduled = (scenario: Scenario) =>
    scenario.decide().flatMap((event) => (event.type === 'attempt-scheduled' ? [event.task] : []));

  it('starts nothing else, and is complete when that is', () => {
    const scenario = run(only('b'));
    expect(scheduled(scenario)).toEqual(['b']);
    scenario.start('b').end('b', 0).decide();
    expect(scenario.plan.run!.ended).toMatchObject({ outcome: 'complete' });
    expect(scenario.statuses()).toEqual({ completed: 'b', pending: 'a c d' });
  });

  it('takes them in their order, the best of each pool first', () => {
    const keys = { a: { priority: 1 }, b: { priority: 5 }, c: { priority: 9 } };
    const scenario = log(planOf('a, b, c', { keys })).load().startRun({ plan: 1 }, undefined, only('a', 'b'));
    expect(scheduled(scenario)).toEqual(['b']);
  });

  it('is failed, stuck or waiting by what is in it alone', () => {
    const failed = run(only('b', 'd')).fail('a', 'd').complete('b');
    expect(outcome(failed)).toMatchObject({ outcome: 'complete' });
    expect(outcome(run(only('a', 'b')).fail('a').complete('b'))).toMatchObject({ outcome: 'failed' });
    const stuck = run(only('b', 'c')).fail('b');
    expect(outcome(stuck)).toMatchObject({ outcome: 'stuck' });
    expect(blockedTasks(stuck.plan).map(({ task }) => task)).toEqual(['c']);
  });

  it('waits for a time only when one of its own does', () => {
    const others = run(only('b')).failOnce('a', 50).complete('b');
    expect(outcome(others)).toMatchObject({ outcome: 'complete' });
    expect(outcome(run(only('a')).failOnce('a', 50))).toBeNull();
  });

  it('is known again from a snapshot, and forgotten when it has ended', () => {
    const scenario = run(only('b'));
    const restored = restoreState({
      workspace: snapshotWorkspace(scenario.state),
      plans: [
        {
          snapshot: JSON.parse(JSON.stringify(snapshotPlan(scenario.plan))),
          definition: { type: 'plan-loaded', v: 1, plan: plan.path, revision: 'r1', definition: plan },
        },
      ],
    });
    expect(restored.plans.get(plan.path)!.selected).toEqual(scenario.plan.selected);
    expect(scenario.plan.selected).toEqual(new Uint8Array([0, 1, 0, 0]));
    scenario.complete('b').decide();
    expect(scenario.plan.selected).toBeNull();
    expect(scenario.startRun().plan.selected).toBeNull();
  });
});
