import { describe, expect, it } from 'vitest';
import { log, planOf } from '../../../test/scenario.ts';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { markFailed, markStarted } from '../commands/mark-task.ts';
import type { TaskKeys } from '../model/plan.ts';
import { waitingForAnswers } from './going-on.ts';

const once: TaskKeys = { run: 'true', retries: 0 };

describe('goes on', () => {
  const goesOn = (scenario: VerifyScenario, kind = 'failure') =>
    scenario.events.flatMap((event) =>
      event.type === 'decision-opened' && event.kind === kind ? event.goesOn.tasks.join(' ') : [],
    );
  const asks: TaskKeys = { run: 'true', softFailure: 'ask' };
  const human: TaskKeys = { run: 'true', review: 'human' };
  const opus: TaskKeys = { run: 'true', model: 'opus' };

  it.each<[string, VerifyScenario, string[]]>([
    ['what runs, and what waits for it', verifying('a, b → a, c, w → c', { a: once }).ends('a', 1), ['c w']],
    [
      'not what is asked about first, because it prefers the failed task',
      verifying('a, b → a, c, w ~> a, x → w', { a: once, w: asks }).ends('a', 1),
      ['c'],
    ],
    [
      'nor what prefers something that the failure blocks, or is part of',
      verifying('g { a }, b → a, c, w ~> b, x ~> g, y ~> a', { a: once, w: asks, x: asks }).ends('a', 1),
      ['c y'],
    ],
    [
      'nor a group that prefers it, but those of its parts that do not ask',
      verifying('a, b → a, g ~> a { v, w }', { a: once, v: asks }).ends('a', 1),
      ['w'],
    ],
    [
      'not what waits for an answer already, nor what waits for that',
      verifying('a, b → a, s, w ~> s, x → w, c', { a: once, s: once, w: asks }).ends('s', 1).ends('a', 1),
      ['c'],
    ],
    [
      'not what waits for a review by a person',
      verifying('a, b → a, r, w → r, c', { a: once, r: human }).ends('r').ends('a', 1),
      ['c'],
    ],
    [
      'not what a limit of 0 keeps out',
      verifying('a, b → a, w, x → w, c', { a: once, w: opus }, { limits: { pools: { opus: 0 } } }).ends('a', 1),
      ['c'],
    ],
    [
      'not what the run is not about',
      verifying('a, b → a, w, c', { a: once }, { selection: { only: ['a', 'b', 'c'] as never } }).ends('a', 1),
      ['c'],
    ],
    [
      'only what runs, in a plan that is paused',
      verifying('a, b → a, c, w → c', { a: once }).pause().ends('a', 1) as VerifyScenario,
      ['c'],
    ],
    [
      'only what runs, once the attempts of the run are used up',
      verifying('a, b → a, c, w → c', { a: once }, { limits: { maxAttempts: 2 } }).ends('a', 1),
      ['c'],
    ],
    [
      'only what runs, when nothing new starts',
      verifying('a, b → a, c, w → c', { a: once }).stop('drain').goOn().ends('a', 1) as VerifyScenario,
      ['c'],
    ],
    [
      'nothing, when everything is stopped',
      verifying('a, b → a, c, w → c', { a: once }).ends('c').stop('stop').ends('a', 1) as VerifyScenario,
      [''],
    ],
    [
      'nothing, when the policy is to abort',
      verifying('a, b → a, c, w → c', { a: { ...once, onFailure: 'abort' } }).ends('a', 1),
      [''],
    ],
  ])('%s', (_, scenario, expected) => {
    expect(goesOn(scenario)).toEqual(expected);
    for (const event of scenario.events)
      if (event.type === 'decision-opened') expect(event.goesOn.count).toBe(event.goesOn.tasks.length);
  });

  it('what was started before its need was opened again, and what waits for that', () => {
    const scenario = verifying('a, b → a, r, w → r, x → w', { a: once, r: human }).ends('r').answer('approve');
    expect(scenario.going()).toContain('w#1');
    scenario.retry('r').goOn().ends('r').ends('a', 1);
    expect(goesOn(scenario)).toEqual(['w x']);
  });

  it('all are counted, and twenty are named: those that come next in the plan', () => {
    const many = Array.from({ length: 25 }, (_, n) => `t${n}`);
    const scenario = verifying(`${many.join(', ')}, a, b → a`, { a: once })
      .pause()
      .goOn() as VerifyScenario;
    const { count, tasks } = scenario.ends('a', 1).decision().goesOn;
    expect([count, tasks]).toEqual([25, many.slice(0, 20)]);
  });

  it('by hand, nothing goes on by itself: only what somebody works on', () => {
    const byHand = log(planOf('a, b → a, c, w', { keys: { a: once } })).load();
    for (const id of ['a', 'c']) {
      const started = markStarted(byHand.state, byHand.plan, byHand.index(id), { by: 'ann' });
      if (started.ok) byHand.record(...started.events);
    }
    const mark = { by: 'ann', error: 'no', now: byHand.time };
    const answer = markFailed(byHand.state, byHand.plan, byHand.index('a'), mark);
    if (answer.ok) byHand.record(...answer.events);
    expect([...byHand.plan.decisions.values()].map((decision) => decision.goesOn.tasks)).toEqual([['c']]);
  });

  it('only what runs, while the plan as a whole gets nowhere', () => {
    const keys = { a: { agent: 'x', retries: 4 }, b: { agent: 'x' } };
    const scenario = verifying('a, b, c → b', keys);
    for (let n = 1; n <= 3; n++) scenario.ends('a', 1, { changed: false, toolCalls: 1 } as never).wait(60_000);
    expect(goesOn(scenario, 'livelock')).toEqual(['b']);
  });
});

describe('what waits for answers', () => {
  const waiting = (scenario: VerifyScenario) =>
    waitingForAnswers(scenario.plan)
      ?.inOrder()
      .flatMap((node) => scenario.plan.plan.tasks[node]?.id ?? []);

  it('is nothing while no question holds anything up', () => {
    expect(waitingForAnswers(verifying('a, b → a').plan)).toBeNull();
    expect(waitingForAnswers(verifying('a, b → a', { a: once }).ends('a', 1).plan)).toBeNull();
  });

  it('is what was asked about, and what waits for that', () => {
    const scenario = verifying('a, b → a, c', { a: { run: 'true', review: 'human' } }).ends('a');
    expect([scenario.asked(), waiting(scenario)]).toEqual([['d1 review a'], ['a', 'b']]);
  });
});
