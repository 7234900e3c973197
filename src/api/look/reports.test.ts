// What of a large plan is listed, and what is only counted.
import { expect, it } from 'vitest';
import { begin, planOf, type Scenario } from '../../../test/scenario.ts';
import { statusReport } from './reports.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `t${from + i}`);

it('counts what is done, merely waits, or is too many, and lists the rest', () => {
  const plan = planOf(`g { ${ids(0, 100).join(', ')} }, ${ids(100, 300).join(', ')}`, {
    keys: { g: { check: ['true'] } },
    finish: 'true',
  });
  const scenario = begin(plan)
    .complete(...ids(100, 110))
    .skip(...ids(110, 170))
    .fail('t170', 't171')
    .failOnce('t172', 5_000)
    .schedule('t173');
  const listed = () => statusReport(scenario.state, scenario.plan, () => true, { foldAbove: 200 });
  const { tasks, folded } = listed();
  expect(tasks.map(({ id }) => id)).toEqual(['t170', 't171', 't172', 't173', 'finish']);
  const none = { in_progress: 0, failed: 0, blocked: 0, suspended: 0 };
  expect(folded).toEqual([{ phase: 'Phase 1', counts: { ...none, completed: 10, skipped: 60, pending: 226 } }]);
  // What closes a group is listed as soon as there is anything to say about it, and never counted.
  scenario.fail('g:check');
  expect(listed().tasks.map(({ id }) => id)).toContain('g:check');
  expect(listed().folded).toEqual(folded);
  expect(statusReport(scenario.state, scenario.plan, () => true, { foldAbove: 400 }).tasks.length).toBeGreaterThan(300);
});

it('counts optional failures by themselves, where there are too many to list', () => {
  const many = begin(
    planOf(
      ids(0, 100)
        .map((id, i) => (i < 30 ? `${id}*` : id))
        .join(', '),
    ),
  ).fail(...ids(0, 60));
  const { folded } = statusReport(many.state, many.plan, () => true, { foldAbove: 50 });
  expect(folded).toEqual([{ phase: 'Phase 1', counts: expect.objectContaining({ failed: 60 }), optionalFailures: 30 }]);
});

it('names the labels that a plan gives its tasks', () => {
  const { tasks } = statusReport(...of(begin(planOf('a, b', { keys: { a: { labels: ['backend', 'x'] } } }))));
  expect(tasks.map(({ labels }) => labels)).toEqual([['backend', 'x'], undefined]);
});

const of = ({ state, plan }: Scenario) => [state, plan, () => true] as const;
