import { expect, it } from 'vitest';
import { begin } from '../../../test/scenario.ts';
import { taskId } from '../../core/model/ids.ts';
import { attemptsReport } from './failed-attempts.ts';

it('lists what has failed in the order of the plan, and whether it may be tried again', () => {
  const { plan } = begin('a, b, c, d').failOnce('c').fail('b', 'a');
  const { retryable, exhausted } = attemptsReport(plan);
  expect([...retryable, ...exhausted].map(({ id, status }) => `${id} ${status}`).sort()).toEqual([
    ...['a failed', 'b failed', 'c pending'],
  ]);
  const ids = [retryable, exhausted].map((list) => list.map(({ id }) => id));
  for (const list of ids) expect(list).toEqual([...list].sort());
});

it('forgets a task that was lost, and is to be done again as if nothing had been', () => {
  const scenario = begin('a, b').fail('b');
  const failure = { kind: 'lost', times: 1 } as const;
  scenario.record({ type: 'task-failed', v: 1, plan: scenario.plan.path, task: taskId('a'), failure });
  expect([...scenario.plan.haveFailed].sort()).toEqual([0, 1]);
  scenario.retry('a');
  expect([...scenario.plan.haveFailed]).toEqual([1]);
});
