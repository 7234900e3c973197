import { describe, expect, it } from 'vitest';
import { begin, firstRun, here, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { planPath } from '../model/ids.ts';
import type { Limits } from '../model/run-event.ts';
import { attemptsUsedUp, exitCodeOf, outcomeOf, summaryOf } from './outcome.ts';

/** A person sits at its terminal. */
function attended(limits: Partial<Limits> = {}): Scenario {
  const run = { type: 'run-started', v: 1, plan: planPath('plan.md'), run: firstRun, runner: here } as const;
  return log(planOf('a'))
    .load()
    .record({ ...run, limits: { plan: 9, pools: {}, ...limits }, waitsPaused: true });
}

const outcome = (scenario: Scenario) => outcomeOf(scenario.state, scenario.plan)?.outcome ?? null;

describe('the run goes on', () => {
  it.each<[string, Scenario]>([
    ['there is none', log(planOf('+a')).load()],
    ['something runs', begin('a').schedule('a')],
    ['something can start', begin('a')],
    ['something can start when room is given back', begin('a, b', { plan: 1 }).schedule('a')],
    ['an end was not judged yet', begin('a').schedule('a').end('a', 0)],
    ['something waits for a time', begin('a').failOnce('a', 5_000)],
    ['something waits for a time, and all the rest failed', begin('a, b').failOnce('a', 5_000).fail('b')],
    ['a withdrawn task still dies', begin('a').schedule('a').skip('a')],
    ['it is to stop, and something runs', begin('a, b').schedule('a').stop('drain')],
    ['it is paused, and something runs', begin('a, b').schedule('a').pause()],
    ['it is paused, and waits at a terminal', attended().pause()],
    ['it is paused, waits at a terminal, and a retry is left', attended().failOnce('a', 5_000).pause()],
    ['its attempts are used up, and the last one runs', begin('a, b', { maxAttempts: 1 }).schedule('a')],
    ['another plan has all the room', crowded()],
  ])('%s', (_, scenario) => {
    expect(outcomeOf(scenario.state, scenario.plan)).toBeNull();
  });
});

describe('the run has ended', () => {
  it.each<[string, Scenario, string, number]>([
    ['all completed', begin('a, b').complete('a', 'b'), 'complete', 0],
    ['all ticked', begin('+a'), 'complete', 0],
    ['some skipped', begin('a, b').complete('a').skip('b'), 'complete', 0],
    ['all skipped', begin('-a, -b'), 'complete', 0],
    ['failed, then skipped', begin('a').fail('a').skip('a'), 'complete', 0],
    ['failed, then treated as done', begin('a, b → a').fail('a').treatAsDone('a').complete('b'), 'complete', 0],
    ['only an optional one failed', begin('a, b*').complete('a').fail('b'), 'complete', 0],
    ['all were optional and failed', begin('a*, b*').fail('a', 'b'), 'complete', 0],
    ['an optional one is blocked', begin('a*, b* → a, c').fail('a').complete('c'), 'complete', 0],
    ['an optional one is suspended', begin('a*, c').suspend('a').complete('c'), 'complete', 0],
    ['an optional failure passes its phase', begin('a* | b').fail('a').complete('b'), 'complete', 0],
    ['[-] passes its phase', begin('-a | b').complete('b'), 'complete', 0],
    ['[-] never satisfies a need', begin('-a | b → a'), 'stuck', 5],
    ['a leaf failed, all else completed', begin('a, b').complete('a').fail('b'), 'failed', 1],
    ['a part of a group failed', begin('g { a, b }').complete('a').fail('b'), 'failed', 1],
    ['nothing runnable and nothing ended: a limit of 0', begin('a, b', { plan: 0 }), 'stuck', 5],
    ['a limit of 0 keeps out the optional one', begin('a*', { workspace: 0 }), 'stuck', 5],
    ['a suspended one', begin('a').suspend('a'), 'stuck', 5],
    ['behind a failure', begin('a, b → a, c → b, d').fail('a').complete('d'), 'stuck', 5],
    ['behind a suspension', begin('a, b → a').suspend('a'), 'stuck', 5],
    ['behind an optional failure', begin('a*, b → a').fail('a'), 'stuck', 5],
    ['behind an optional group that failed', begin('g* { a }, b → g').fail('a'), 'stuck', 5],
    ['behind a failed phase', begin('a | b').fail('a'), 'stuck', 5],
    ['two causes, one repaired', begin('a, b, c → a b').fail('a', 'b').retry('a').complete('a'), 'stuck', 5],
    ['told to stop, work is left', begin('a, b').complete('a').stop('stop'), 'aborted', 143],
    ['told to stop, a retry is left', begin('a').failOnce('a', 5_000).stop('drain'), 'aborted', 143],
    ['told to stop, but all was done', begin('a').complete('a').stop('drain'), 'complete', 0],
    ['told to stop, but all had ended', begin('a').fail('a').stop('drain'), 'failed', 1],
    ['told to stop, and the rest is stuck', begin('a, b → a').fail('a').stop('stop'), 'aborted', 143],
    ['told to stop before paused', begin('a').stop('drain').pause(), 'aborted', 143],
    ['paused, work is left', begin('a').pause(), 'paused', 6],
    ['paused, a retry is left', begin('a').failOnce('a', 5_000).pause(), 'paused', 6],
    ['paused, nothing is left', begin('a').pause().complete('a'), 'complete', 0],
    ['paused at a terminal, nothing is left', attended().pause().complete('a'), 'complete', 0],
    ['paused at a terminal, and told to stop', attended().pause().stop('stop'), 'aborted', 143],
    ['paused at a terminal, attempts used up', attended({ maxAttempts: 1 }).failOnce('a', 1).pause(), 'paused', 6],
    ['attempts used up at a terminal', attended({ maxAttempts: 1 }).failOnce('a', 1), 'paused', 6],
    ['paused and resumed at a terminal, then completed', attended().pause().resumePlan().complete('a'), 'complete', 0],
    ['attempts used up', begin('a, b', { maxAttempts: 1 }).schedule('a').end('a', 0).complete('a'), 'paused', 6],
    ['attempts used up by what a retry needs', begin('a', { maxAttempts: 1 }).failOnce('a', 5_000), 'paused', 6],
    [
      'attempts used up, nothing left',
      begin('a', { maxAttempts: 1 }).schedule('a').end('a', 0).complete('a'),
      'complete',
      0,
    ],
  ])('%s', (_, scenario, expected, exitCode) => {
    expect(outcomeOf(scenario.state, scenario.plan)).toEqual({ outcome: expected, exitCode });
  });

  it('an interrupt has its own exit code', () => {
    const scenario = begin('a');
    const { path, run } = scenario.plan;
    scenario.record({ type: 'run-stopping', v: 1, plan: path, run: run!.run, mode: 'drain', by: 'ann', exitCode: 130 });
    expect(outcomeOf(scenario.state, scenario.plan)).toEqual({ outcome: 'aborted', exitCode: 130 });
  });

  it('a repaired cause is enough to go on', () => {
    const scenario = begin('a, b → a').fail('a');
    expect([outcome(scenario), outcome(scenario.retry('a'))]).toEqual(['stuck', null]);
  });
});

it.each([
  ['complete', 0],
  ['failed', 1],
  ['waiting', 4],
  ['stuck', 5],
  ['paused', 6],
] as const)('%s exits with %i', (word, code) => {
  expect(exitCodeOf(word)).toBe(code);
});

it('dies on an outcome it does not know', () => {
  expect(() => exitCodeOf('splendid' as never)).toThrow('impossible');
});

it('attemptsUsedUp', () => {
  expect(attemptsUsedUp(log(planOf('a')).load().plan)).toBe(false);
  expect(attemptsUsedUp(begin('a').schedule('a').plan)).toBe(false);
  expect(attemptsUsedUp(begin('a', { maxAttempts: 2 }).schedule('a').plan)).toBe(false);
  expect(attemptsUsedUp(begin('a, b', { maxAttempts: 2 }).schedule('a', 'b').plan)).toBe(true);
});

it('the summary counts leaves, required and optional, blocked apart', () => {
  const scenario = begin('a*, g { b, c → b }, d, e*, f, h, i → f').schedule('h').fail('a', 'b').suspend('d').skip('e');
  expect(summaryOf(scenario.complete('f').plan)).toEqual({
    totalTasks: 8,
    completed: 1,
    pending: 1,
    in_progress: 1,
    failed: 2,
    blocked: 1,
    suspended: 1,
    skipped: 1,
  });
});

function crowded(): Scenario {
  const other = begin('x').schedule('x');
  return log(planOf('a', { path: 'two.md' }), other.state)
    .load()
    .startRun({ workspace: 1 });
}
