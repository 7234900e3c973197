import { expect, it } from 'vitest';
import { begin, planOf } from '../../../../test/scenario.ts';
import { underWay } from './under-way.ts';

it('finds what somebody works on, what closes the plan, and what was withdrawn and still lives', () => {
  const scenario = begin(planOf('a, b, g { c }, d, e', { finish: 'true' }));
  const ids = () => underWay(scenario.state, scenario.plan).map((i) => scenario.plan.plan.tasks[i]!.id);
  expect(ids()).toEqual(['finish']);
  scenario.schedule('d').schedule('c').schedule('a').skip('a');
  expect([scenario.task('a').status, ids()]).toEqual(['skipped', ['a', 'c', 'd', 'finish']]);
  scenario.end('a', 0).end('d', 0).complete('d');
  expect(ids()).toEqual(['c', 'finish']);
});

it('knows nothing of other plans, and of tasks that are gone', () => {
  const scenario = begin('a, b').schedule('a');
  scenario.load({ ...planOf('b') }, 'r2');
  expect(underWay(scenario.state, scenario.plan)).toEqual([]);
  const [live] = scenario.state.live.values();
  scenario.state.live.set(99, { ...live!, plan: 'other.md' as never });
  expect(underWay(scenario.state, scenario.plan)).toEqual([]);
});
