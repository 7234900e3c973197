import { describe, expect, it } from 'vitest';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { markFailed } from '../commands/mark-task.ts';
import { explain } from '../explain/explain.ts';
import { attemptId, decisionId, taskId } from '../model/ids.ts';
import type { TaskKeys } from '../model/plan.ts';
import { emptySettings } from '../model/settings.ts';
import { askAgain } from './plan-decisions.ts';
import { isTriedAgain, tryAgain } from './try-again.ts';

const loaded = (text: string, keys: TaskKeys = {}) =>
  log(planOf(text, { keys: { a: { run: 'true', ...keys } } })).load();

function failed(scenario: Scenario, more: { readonly force?: boolean; readonly stuck?: boolean } = {}): Scenario {
  const mark = { by: 'ann', error: 'no', now: scenario.time, ...more };
  const answer = markFailed(scenario.state, scenario.plan, scenario.index('a'), mark);
  if (!answer.ok) throw new Error(answer.because);
  return scenario.record(...answer.events).settle();
}

it('is told by the reason', () => {
  const { state, plan } = failed(loaded('a'));
  const failure = { kind: 'said', message: 'no' };
  expect(explain(state, plan, 0, emptySettings).reasons).toEqual([
    { kind: 'failed', failure, attempts: 1, left: 2, again: true },
  ]);
});

const isAgain = ({ plan }: Scenario) => isTriedAgain(plan, 0);

describe('tried again by a run', () => {
  it.each<[string, Scenario, boolean]>([
    ['failed by hand, with attempts left', failed(loaded('a, b → a')), true],
    ['failed by hand for the last time', failed(loaded('a, b → a', { retries: 0 })), false],
    ['found stuck', failed(loaded('a, b → a'), { stuck: true }), false],
    ['not failed', loaded('a'), false],
    ['failed by a run, though attempts are left', begin('a').schedule('a').end('a', 1).fail('a'), false],
    ['failed by hand although it was not ready', failed(loaded('a → b, b'), { force: true }), false],
  ])('%s', (_, scenario, expected) => {
    expect(isAgain(scenario)).toBe(expected);
  });

  it('not over the circuit breaker, for which rejections count', () => {
    const scenario = failed(loaded('a', { retries: 4 }));
    scenario.task('a').rejections = 3;
    expect(isAgain(scenario)).toBe(true);
    scenario.task('a').rejections = 4;
    expect(isAgain(scenario)).toBe(false);
  });

  it('not where somebody is to decide about it', () => {
    const scenario = failed(loaded('a, b → a'));
    const about = {
      kind: 'failure',
      task: taskId('a'),
      options: ['retry'],
      blocks: { count: 1, tasks: [taskId('b')] },
    };
    const decision = decisionId(1);
    const opened = { type: 'decision-opened', v: 1, plan: scenario.plan.path, decision, ...about } as const;
    expect(isAgain(scenario.record({ ...opened, goesOn: { count: 0, tasks: [] } } as never))).toBe(false);
  });
});

it('costs one of its attempts, and grants none', () => {
  const scenario = failed(loaded('a'));
  expect(tryAgain(scenario.plan, Uint8Array.of(0))).toEqual([]);
  scenario.startRun().record(...tryAgain(scenario.plan, null));
  const { status, granted, failures, by } = scenario.task('a');
  expect([status, granted, failures, by]).toEqual(['pending', 0, 1, 'signalbox']);
  scenario.schedule('a');
  expect(scenario.live('a').attempt).toBe(attemptId(taskId('a'), 2));
});

it('is no final failure: a run that is not about it asks nothing', () => {
  const scenario = failed(loaded('a, b → a')).startRun();
  expect(askAgain(scenario.state, scenario.plan, scenario.time)).toBeNull();
});
