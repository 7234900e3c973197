import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyHistory, perform } from '../../../test/histories.ts';
import { soundPlan } from '../../../test/plain-rules.ts';
import { log, planOf, type Scenario } from '../../../test/scenario.ts';
import { currentPhase, nextTasks } from './next-tasks.ts';

const loaded = (text: string, more: object = {}) => log(planOf(text, { order: 'explicit', ...more })).load();
const next = (s: Scenario) => nextTasks(s.plan).map((i) => s.plan.plan.tasks[i]!.id);

describe('next', () => {
  it.each<[string, Scenario, string[]]>([
    ['the order of the plan', loaded('a, b, c'), ['a', 'b', 'c']],
    ['priority before all', loaded('a | b', { keys: { b: { priority: 1 } } }), ['b', 'a']],
    ['the current phase before what has waited longer', loaded('a, b → a | c').complete('a'), ['b', 'c']],
    ['age within a phase', loaded('a, b → a, c').complete('a'), ['c', 'b']],
    [
      'failed ones behind all that is ready',
      loaded('a, b | c', { keys: { a: { priority: 9 } } }).fail('a'),
      ['b', 'c', 'a'],
    ],
    ['none that has used up its attempts', loaded('a, b', { keys: { a: { retries: 0 } } }).fail('a'), ['b']],
    ['nothing', loaded('+a'), []],
  ])('%s', (_, scenario, expected) => {
    expect(next(scenario)).toEqual(expected);
  });

  it('those of one priority come from the current phase first, after any history', () => {
    fc.assert(
      fc.property(soundPlan, anyHistory, (plan, history) => {
        const scenario = log(plan).load();
        history.forEach((step, i) => {
          perform(scenario, step, i);
        });
        const { ready, tasks, plan: definition } = scenario.plan;
        const current = currentPhase(scenario.plan);
        const rank = (i: number) => Number(definition.tasks[i]!.phase !== current);
        const priority = (i: number) => definition.tasks[i]!.keys.priority ?? 0;
        const inTurn = ready
          .inOrder()
          .sort((a, b) => priority(b) - priority(a) || rank(a) - rank(b) || tasks[a]!.age - tasks[b]!.age || a - b);
        expect(nextTasks(scenario.plan).slice(0, inTurn.length)).toEqual(inTurn);
      }),
    );
  });

  it('offers what failed first before what failed later', () => {
    const s = loaded('a, b, c').fail('b').after(5).fail('a').fail('c');
    expect(next(s)).toEqual(['b', 'a', 'c']);
  });
});

describe('the current phase', () => {
  it.each<[string, Scenario, number]>([
    ['the first', loaded('a | b'), 0],
    ['behind what is done', loaded('g { +a, -b } | c'), 1],
    ['of a failed task', loaded('a | b').fail('a'), 0],
    ['none', loaded('+a | +b'), -1],
  ])('%s', (_, scenario, expected) => {
    expect(currentPhase(scenario.plan)).toBe(expected);
  });

  it('is not that of a check that Signalbox adds', () => {
    const plan = planOf('+a | b', { order: 'explicit' });
    const s = log({ ...plan, phases: [{ name: 'one', check: ['true'] }, { name: 'two' }] }).load();
    expect(s.plan.closing.length).toBeGreaterThan(0);
    expect(currentPhase(s.plan)).toBe(1);
  });
});
