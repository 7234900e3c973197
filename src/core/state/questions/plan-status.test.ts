import { describe, expect, it } from 'vitest';
import { begin, firstRun, log, planOf, type Scenario } from '../../../../test/scenario.ts';
import type { Event } from '../../model/event.ts';
import { attemptId, runId, taskId } from '../../model/ids.ts';
import { type Outcome, summaryOf } from '../../rules/outcome.ts';
import { lastRun, planStatus } from './plan-status.ts';

const loaded = (text: string) => log(planOf(text)).load();
const ended = (scenario: Scenario, outcome: Outcome) => {
  const { path, run } = scenario.plan;
  const summary = summaryOf(scenario.plan);
  return scenario.record({ type: 'run-ended', v: 1, plan: path, run: run!.run, outcome, exitCode: 0, summary });
};
/** A run of a part of the plan. */
const only = (text: string, ...ids: readonly string[]) =>
  loaded(text).startRun({}, firstRun, { only: ids.map((id) => taskId(id)) });

describe('a plan that nobody runs is', () => {
  it.each<[string, Scenario, string]>([
    ['loaded', loaded('a, b'), 'pending'],
    ['ticked in part', loaded('+a, b'), 'in_progress'],
    ['ticked', loaded('+a, -b'), 'completed'],
    ['empty', loaded(''), 'pending'],
    ['being worked on', begin('a').schedule('a'), 'in_progress'],
    ['run to its end', ended(begin('a, b').complete('a').skip('b'), 'complete'), 'completed'],
    ['empty, and was run', ended(begin(''), 'complete'), 'completed'],
    [
      'run to its end but for an optional failure',
      ended(begin('a, b*').complete('a').fail('b'), 'complete'),
      'completed',
    ],
    ['run in part', ended(only('a, b', 'a').complete('a'), 'complete'), 'pending'],
    [
      'run in part, behind which others are blocked',
      ended(only('a, b, c → b', 'a').complete('a').suspend('b'), 'complete'),
      'pending',
    ],
    ['run in part, and the rest had failed', ended(only('a, b', 'a').fail('b').complete('a'), 'complete'), 'failed'],
    ['run in part, and the rest was done by hand', ended(only('a, b', 'a').complete('a', 'b'), 'failed'), 'completed'],
    ['stuck', ended(begin('a, b → a').fail('a'), 'stuck'), 'failed'],
    ['failed', ended(begin('a').fail('a'), 'failed'), 'failed'],
    ['paused', ended(begin('a, b').complete('a').pause(), 'paused'), 'pending'],
  ])('%s', (_, scenario, expected) => {
    expect(planStatus(scenario.plan, false)).toBe(expected);
  });

  it('in progress while it is run', () => {
    expect(planStatus(begin('a').complete('a').plan, true)).toBe('in_progress');
  });

  it.each<[string, (scenario: Scenario) => Scenario, string]>([
    ['has not run', (scenario) => ended(scenario, 'complete'), 'pending'],
    ['failed', (scenario) => ended(scenario.fail('finish'), 'failed'), 'failed'],
    ['failed in an earlier run', (scenario) => ended(scenario.fail('finish'), 'complete'), 'failed'],
    ['is completed', (scenario) => ended(scenario.complete('finish'), 'complete'), 'completed'],
    ['was skipped', (scenario) => ended(scenario.skip('finish'), 'complete'), 'completed'],
  ])('not completed before its last step is: it %s', (_, end, expected) => {
    const scenario = begin(planOf('a', { finish: 'push' })).complete('a');
    expect(planStatus(end(scenario).plan, false)).toBe(expected);
  });

  it('completed whatever closes an optional part', () => {
    const plan = planOf('a, g* { b }', { keys: { g: { check: ['false'] } } });
    expect(planStatus(ended(begin(plan).complete('a', 'b').fail('g:check'), 'complete').plan, false)).toBe('completed');
  });
});

describe('it was last worked on', () => {
  const handRun = (run: string) =>
    ({ type: 'hand-run-started', v: 1, plan: 'plan.md', run: runId(run), by: 'ann' }) as Event;
  const byHand = (scenario: Scenario) =>
    scenario.record({
      ...{ type: 'task-started', v: 1, plan: scenario.plan.path, task: taskId('a') },
      ...{ attempt: attemptId(taskId('a'), 1), token: 1, by: 'ann' },
    });

  it.each<[string, Scenario, string]>([
    ['not at all', loaded('+a, b, g { c }'), 'none'],
    ['by a run that has ended', ended(begin('a').complete('a'), 'complete'), 'ended'],
    ['by a run that was cut off', begin('a').schedule('a'), 'cut-off'],
    ['by hand, in a run by hand', loaded('a').record(handRun('hand-1')), 'by-hand'],
    ['by hand, without one', byHand(loaded('a')), 'by-hand'],
    ['by hand, and is completed', byHand(loaded('a')).complete('a'), 'by-hand'],
    ['by a run of which only the status file tells', loaded('a').record(handRun('r1')), 'ended'],
  ])('%s', (_, scenario, expected) => {
    expect(lastRun(scenario.plan, false)).toBe(expected);
    expect(lastRun(scenario.plan, true)).toBe('running');
  });
});
