import { describe, expect, it } from 'vitest';
import { begin, firstRun, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Answer } from './accept-or-refuse.ts';
import { resumeTask } from './question.ts';
import { dependentLeaves, pausePlan, resumePlan, retryTask, skipTask, stopRun, suspendTask } from './steer.ts';

const ann = { by: 'ann' };
const why = { by: 'ann', reason: 'because' };

/** One line per event, or the refusal. */
function told(answer: Answer): string | string[] {
  if (!answer.ok) return `${answer.because}: ${answer.instead}`;
  return answer.events.map((event) => ('task' in event ? `${event.type} ${event.task}` : event.type));
}
const eventsOf = (answer: Answer) => (answer.ok ? answer.events : []);

describe('retry', () => {
  const only = 'only a failed or skipped task can be retried';
  const done = 'a is already completed: do it again: signalbox retry a --force --reason TEXT';
  it.each<[string, Scenario, string | string[]]>([
    ['failed', begin('a').fail('a'), ['task-retried a']],
    ['skipped', begin('a').skip('a'), ['task-retried a']],
    ['backing off', begin('a').failOnce('a', 9), ['backoff-ended a']],
    [
      'a group: what failed, was skipped or backs off',
      begin('a { b, c, d, e, f }').fail('b').skip('c').failOnce('d', 9).complete('e'),
      ['task-retried b', 'task-retried c', 'backoff-ended d'],
    ],
    ['suspended', begin('a').suspend('a'), 'a is suspended: resume it: signalbox resume a'],
    [
      'blocked by what is suspended',
      begin('b, a → b').suspend('b'),
      'a is blocked by b (suspended): resume b first: signalbox resume b',
    ],
    ['blocked', begin('b, a → b').fail('b'), 'a is blocked by b (failed): try b again first: signalbox retry b'],
    ['completed', begin('+a'), done],
    ['pending', begin('a'), `a is pending: ${only}`],
    ['running', begin('a').schedule('a'), `a is in progress: ${only}`],
    ['a group with nothing to retry', begin('a { +b, +c }'), done],
  ])('%s', (_, scenario, expected) => {
    expect(told(retryTask(scenario.plan, scenario.index('a'), ann))).toEqual(expected);
  });

  it('says who and what', () => {
    const scenario = begin('a').fail('a');
    const about = { type: 'task-retried', v: 1, plan: 'plan.md', task: 'a', by: 'ann' };
    expect(eventsOf(retryTask(scenario.plan, 0, ann))).toEqual([about]);
    expect(eventsOf(retryTask(scenario.plan, 0, why))).toEqual([{ ...about, note: 'because' }]);
  });
});

describe('skip', () => {
  const skip = (scenario: Scenario, options = {}) =>
    told(skipTask(scenario.plan, scenario.index('a'), { by: 'ann', ...options }));
  const nothing = 'there is nothing left to skip';
  const say = 'add --dependents to skip them too, or --treat-as-done to let them go on';

  it.each<[string, Scenario, object, string | string[]]>([
    ['pending', begin('a'), {}, ['task-skipped a']],
    ['failed', begin('a').fail('a'), {}, ['task-skipped a']],
    ['suspended', begin('a').suspend('a'), {}, ['task-skipped a']],
    ['running: its processes must die', begin('a').schedule('a'), {}, ['task-skipped a', 'attempt-doomed a']],
    ['running, and dying already', begin('a').schedule('a').doom('a', { kind: 'stop' }), {}, ['task-skipped a']],
    ['completed', begin('+a'), {}, 'a is completed: skip it anyway: signalbox mark-skipped a --force --reason TEXT'],
    [
      'both ways at once',
      begin('a, b → a'),
      { dependents: true, treatAsDone: true },
      '--dependents and --treat-as-done contradict each other: use one of them',
    ],
    ['skipped', begin('-a'), {}, `a is skipped: ${nothing}`],
    ['skipped, now as done', begin('-a, b → a'), { treatAsDone: true }, ['task-skipped a']],
    ['skipped as done already', begin('a').treatAsDone('a'), { treatAsDone: true }, `a is skipped: ${nothing}`],
    ['a group: what is left of it', begin('a { +b, c, d → c, -e }'), {}, ['task-skipped c', 'task-skipped d']],
    ['others need it', begin('a, b → a, c → b'), {}, `b and c need a: ${say}`],
    ['one other needs it', begin('a, b → a'), {}, `b needs a: ${say}`],
    [
      'many others need it',
      begin('a, b → a, c → a, d → a, e → a, f → a, g → a, h → a'),
      {},
      `b, c, d, e, f and 2 more need a: ${say}`,
    ],
    [
      'with dependents',
      begin('a, b → a, c → b, d'),
      { dependents: true },
      ['task-skipped a', 'task-skipped b', 'task-skipped c'],
    ],
    ['as done', begin('a, b → a'), { treatAsDone: true }, ['task-skipped a']],
    [
      'those who need it have ended',
      begin('a, b → a, c → a').fail('a').skip('b').complete('c'),
      {},
      ['task-skipped a'],
    ],
    ['it is only preferred', begin('a, b ~> a'), {}, ['task-skipped a']],
    ['only the next phase waits for it', begin('a | b'), {}, ['task-skipped a']],
  ])('%s', (_, scenario, options, expected) => {
    expect(skip(scenario, options)).toEqual(expected);
  });

  it('says who, why, and how', () => {
    const { plan } = begin('a');
    const about = { type: 'task-skipped', v: 1, plan: 'plan.md', task: 'a', by: 'ann' };
    expect(eventsOf(skipTask(plan, 0, ann))).toEqual([about]);
    expect(eventsOf(skipTask(plan, 0, { ...why, treatAsDone: true }))).toEqual([
      { ...about, reason: 'because', treatAsDone: true },
    ]);
  });

  it('dooms the attempt with its token', () => {
    const scenario = begin('a').schedule('a');
    const [, doomed] = eventsOf(skipTask(scenario.plan, 0, ann));
    const { run, attempt, token } = scenario.live('a');
    const doom = { kind: 'withdrawn' };
    expect(doomed).toEqual({ type: 'attempt-doomed', v: 1, plan: 'plan.md', task: 'a', run, attempt, token, doom });
  });
});

describe('dependents', () => {
  it.each<[string, string, string, string]>([
    ['none', 'a, b', 'a', ''],
    ['through others', 'a, b → a, c → b, d', 'a', 'b c'],
    ['of a group', 'a { b }, c → a, d → b', 'a', 'c d'],
    ['of a part of a group', 'g { a, b }, c → g', 'a', 'c'],
    ['not of an optional part', 'g { a*, b }, c → g', 'a', ''],
    ['of a part of an optional group', 'g* { a }, c → g', 'a', 'c'],
    ['through the needs of a group', 'a, g → a { b, h { c } }, d → g', 'a', 'b c d'],
    ['not through preferences', 'a, b ~> a, c → b', 'a', ''],
    ['not through phases', 'a | b', 'a', ''],
    ['each once', 'a, b → a, c → a b', 'a', 'b c'],
  ])('%s', (_, text, id, expected) => {
    const { plan } = log(planOf(text)).load();
    const at = plan.plan.tasks.findIndex((task) => task.id === id);
    expect(
      dependentLeaves(plan, at)
        .map((leaf) => plan.plan.tasks[leaf]!.id)
        .join(' '),
    ).toBe(expected);
  });

  it('those that are suspended or blocked have not ended', () => {
    const scenario = begin('a, b → a, c → a, d → a').fail('a').suspend('b').complete('d');
    expect(dependentLeaves(scenario.plan, 0)).toEqual([1, 2]);
  });
});

describe('suspend', () => {
  const nothing = 'there is nothing left to suspend';
  it.each<[string, Scenario, string | string[]]>([
    ['pending', begin('a'), ['task-suspended a']],
    ['blocked', begin('x, a → x').fail('x'), ['task-suspended a']],
    ['running', begin('a').schedule('a'), ['task-suspended a', 'attempt-doomed a']],
    ['a group', begin('a { +b, c, d, e }').suspend('d'), ['task-suspended c', 'task-suspended e']],
    ['completed', begin('+a'), `a is completed: ${nothing}`],
    ['failed', begin('a').fail('a'), `a is failed: ${nothing}`],
    ['skipped', begin('-a'), `a is skipped: ${nothing}`],
    ['suspended', begin('a').suspend('a'), `a is suspended: ${nothing}`],
  ])('%s', (_, scenario, expected) => {
    expect(told(suspendTask(scenario.plan, scenario.index('a'), ann))).toEqual(expected);
  });

  it('says who and why', () => {
    const about = { type: 'task-suspended', v: 1, plan: 'plan.md', task: 'a' };
    expect(eventsOf(suspendTask(begin('a').plan, 0, why))).toEqual([{ ...about, ...why }]);
  });
});

describe('resume', () => {
  it.each<[string, Scenario, string | string[]]>([
    ['suspended', begin('a').suspend('a'), ['task-resumed a']],
    ['a group', begin('a { b, c, d }').suspend('b', 'd'), ['task-resumed b', 'task-resumed d']],
    ['anything else', begin('a'), 'a is pending: only a suspended task can be resumed'],
  ])('%s', (_, scenario, expected) => {
    expect(told(resumeTask(scenario.plan, scenario.index('a'), ann))).toEqual(expected);
  });

  it('says who, and what the next attempt is told', () => {
    const event = { type: 'task-resumed', v: 1, plan: 'plan.md', task: 'a', by: 'ann' };
    expect(eventsOf(resumeTask(begin('a').suspend('a').plan, 0, ann))).toEqual([event]);
    expect(eventsOf(resumeTask(begin('a').suspend('a').plan, 0, why))).toEqual([{ ...event, note: why.reason }]);
  });
});

describe('pause and resume of a plan', () => {
  it('pause', () => {
    const paused = { type: 'plan-paused', v: 1, plan: 'plan.md' };
    expect(eventsOf(pausePlan(begin('a').plan, ann))).toEqual([{ ...paused, ...ann }]);
    expect(eventsOf(pausePlan(begin('a').plan, why))).toEqual([{ ...paused, ...why }]);
    expect(told(pausePlan(begin('a').pause().plan, why))).toBe(
      'plan.md was already paused by ann: resume it: signalbox resume',
    );
  });

  it('resume', () => {
    const resumed = { type: 'plan-resumed', v: 1, plan: 'plan.md', by: 'ann' };
    expect(eventsOf(resumePlan(begin('a').pause().plan, why))).toEqual([resumed]);
    expect(told(resumePlan(begin('a').plan, ann))).toBe('plan.md is not paused: to resume a suspended task, name it');
  });
});

describe('stop', () => {
  const stop = (scenario: Scenario, mode: 'drain' | 'stop' | 'kill') =>
    stopRun(scenario.plan, { mode, by: 'ann', exitCode: 130 });

  it('a run', () => {
    const event = {
      type: 'run-stopping',
      v: 1,
      plan: 'plan.md',
      run: firstRun,
      mode: 'drain',
      by: 'ann',
      exitCode: 130,
    };
    expect(eventsOf(stop(begin('a'), 'drain'))).toEqual([event]);
  });

  it.each<['drain' | 'stop' | 'kill', 'drain' | 'stop' | 'kill', number]>([
    ['drain', 'drain', 0],
    ['drain', 'stop', 1],
    ['drain', 'kill', 1],
    ['stop', 'drain', 0],
    ['stop', 'stop', 0],
    ['stop', 'kill', 1],
    ['kill', 'drain', 0],
    ['kill', 'stop', 0],
    ['kill', 'kill', 0],
  ])('only ever gets harder: %s, then %s', (first, second, events) => {
    const answer = stop(begin('a').stop(first), second);
    expect([answer.ok, eventsOf(answer).length]).toEqual([true, events]);
  });

  it('nothing is being run', () => {
    const refusal = 'plan.md is not being run: there is nothing to stop';
    expect(told(stop(log(planOf('a')).load(), 'stop'))).toBe(refusal);
    const ended = begin('+a');
    ended.decide();
    expect(told(stop(ended, 'stop'))).toBe(refusal);
  });
});

it('what it answers has the effect that was asked for', () => {
  const scenario = begin('a, b → a, c → b').schedule('a');
  scenario.record(...eventsOf(skipTask(scenario.plan, 0, { ...ann, dependents: true })));
  expect(scenario.statuses()).toEqual({ skipped: 'a b c' });
  scenario.end('a', { kind: 'killed', code: null });
  scenario.record(...eventsOf(retryTask(scenario.plan, 0, ann)));
  expect(scenario.ready()).toEqual(['a']);
  scenario.record(...eventsOf(suspendTask(scenario.plan, 0, ann)));
  scenario.record(...eventsOf(resumeTask(scenario.plan, 0, ann)));
  expect(scenario.statuses()).toEqual({ pending: 'a', skipped: 'b c' });
});
