// Phases that end as a unit.
import { describe, expect, it } from 'vitest';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import type { Choice } from '../model/decision.ts';
import type { TaskKeys } from '../model/plan.ts';
import { Batches } from './batches.ts';

const once: TaskKeys = { run: 'true', retries: 0 };
const keys = { a: once, b: once, c: once, d: once, e: once };
const batch = { phases: { 1: { batch: true } } };

/** c has failed, d needs it; a and b are done; e is the next phase. */
const ended = (rules: object = {}, more: Record<string, TaskKeys> = {}) =>
  verifying('a, b, c, d → c | e', { ...keys, ...more }, { ...batch, ...rules })
    .ends('a')
    .ends('c', 1)
    .ends('b');

describe('a batch', () => {
  it('asks nothing before all of it has ended, and then one question for the phase', () => {
    const scenario = verifying('a, b, c, d → c | e', keys, batch).ends('a').ends('c', 1);
    expect(scenario.asked()).toEqual([]);
    expect(scenario.ends('b').asked()).toEqual(['d1 batch']);
    expect(scenario.decision()).toMatchObject({
      blocks: { count: 2, tasks: ['d', 'e'] },
      evidence: { phase: 'Phase 1', completed: { count: 2, tasks: ['a', 'b'] }, rest: { count: 2, tasks: ['c', 'd'] } },
      options: ['accept', 'retry', 'retry-with-note', 'fix', 'abort'],
    });
  });

  it.each<[Choice, object, Record<string, string>]>([
    ['accept', {}, { completed: 'a b', skipped: 'c d', pending: 'e' }],
    ['retry', {}, { completed: 'a b', pending: 'c d e' }],
    ['retry-with-note', { note: 'again' }, { completed: 'a b', pending: 'c d e' }],
    ['fix', {}, { completed: 'a b', suspended: 'c', blocked: 'd e' }],
    ['abort', {}, { completed: 'a b', failed: 'c', blocked: 'd e' }],
  ])('%s', (choice, more, statuses) => {
    const scenario = ended();
    const answer = scenario.tryAnswer(choice, more);
    scenario.record(...(answer.ok ? answer.events : []));
    expect([scenario.statuses(), scenario.asked()]).toEqual([statuses, []]);
  });

  it('accepted, the next phase goes on', () => {
    expect(ended().answer('accept').runAgain().going()).toEqual(['e#1']);
  });

  it('tried again, it is asked about again when it has ended again', () => {
    const scenario = ended({ decideWithinMs: 1_000 }).answer('retry');
    expect([scenario.asked(), scenario.going()]).toEqual([[], ['c#2']]);
    expect(scenario.ends('c', 1).asked()).toEqual(['d2 batch']);
  });

  it('in whose way nothing is, all completed, asks nothing', () => {
    expect(verifying('a | e', keys, batch).ends('a').going()).toEqual(['e#1']);
  });

  it('whose optional task failed has a warning and no question', () => {
    expect(verifying('a, b* | e', keys, batch).ends('a').ends('b', 1).going()).toEqual(['e#1']);
  });

  it('with a suspended task asks about that too', () => {
    const scenario = verifying('a, b, x | e', keys, batch)
      .suspends('b')
      .ends('b', { kind: 'lost' })
      .ends('a', 1)
      .ends('x');
    expect(scenario.decision()).toMatchObject({ evidence: { rest: { tasks: ['a', 'b'] } } });
    expect(scenario.answer('accept').statuses()).toMatchObject({ skipped: 'a b' });
  });

  it.each<[string, (s: VerifyScenario) => unknown]>([
    ['a person retries what failed', (s) => s.retry('c')],
    ['a person skips what failed', (s) => s.skip('c')],
    [
      'the phase is none any more',
      (s) => s.load({ ...s.plan.plan, phases: s.plan.plan.phases.map(({ name }) => ({ name })) }, 'r2'),
    ],
  ])('%s: the question is closed', (_, happens) => {
    const scenario = ended();
    happens(scenario);
    expect(scenario.settle().asked()).toEqual([]);
  });

  it('with a check of the phase: the check waits for the decision, and failing asks for itself', () => {
    const phases = { 1: { batch: true, check: ['one'] } };
    const scenario = verifying('a, c | e', keys, { phases, decideWithinMs: 1_000 }).ends('a').ends('c', 1);
    expect([scenario.status('phase-1:check'), scenario.asked()]).toEqual(['blocked', ['d1 batch']]);
    scenario.answer('accept').ends('phase-1:check', 1);
    expect(scenario.asked()).toEqual(['d2 failure phase-1:check']);
  });

  it('two that are called the same are asked about one after the other', () => {
    const phases = { 1: { batch: true, name: 'same' }, 2: { batch: true, name: 'same' } };
    const scenario = verifying('a | b | c', keys, { order: 'explicit', phases }).ends('a', 1).ends('b', 1);
    expect(scenario.asked()).toEqual(['d1 batch']);
    expect(scenario.answer('accept').statuses()).toEqual({ skipped: 'a b', in_progress: 'c' });
  });

  it('two that are called differently are asked about each', () => {
    const phases = { 1: { batch: true }, 2: { batch: true } };
    const scenario = verifying('a | b | c', keys, { order: 'explicit', phases }).ends('a', 1).ends('b', 1);
    expect(scenario.asked()).toEqual(['d1 batch', 'd2 batch']);
  });
});

describe('the policy of a batch', () => {
  it('skip accepts what is good', () => {
    expect(ended({ onFailure: 'skip' }).statuses()).toEqual({ completed: 'a b', skipped: 'c d', in_progress: 'e' });
  });

  it('retry tries the rest again, five failures in all', () => {
    const scenario = ended({ onFailure: 'retry' });
    for (let n = 2; n <= 5; n++) scenario.wait(60_000).ends('c', 1);
    expect([scenario.task('c').attempts, scenario.asked()]).toEqual([5, ['d5 batch']]);
  });

  it('abort stops the run once, and the next one again', () => {
    const scenario = ended({ onFailure: 'abort' });
    expect([scenario.outcome(), scenario.asked()]).toEqual(['aborted', []]);
    expect(scenario.runAgain({ onFailure: 'abort' }).outcome()).toBe('aborted');
    expect(scenario.runAgain({}, 'run-3').asked()).toEqual(['d3 batch']);
  });

  it('nobody is escalated to for a whole phase', () => {
    expect(ended({ onFailure: 'escalate', escalationAgent: 'x' }).asked()).toEqual(['d1 batch']);
  });

  it('is that of the first required task that failed', () => {
    const scenario = verifying(
      'a*, b, c | e',
      { ...keys, a: { ...once, onFailure: 'abort' }, b: { ...once, onFailure: 'skip' } },
      batch,
    );
    expect(scenario.ends('a', 1).ends('b', 1).ends('c').statuses()).toMatchObject({ skipped: 'a b', in_progress: 'e' });
  });
});

it('batches are counted, not looked through', () => {
  const batches = new Batches({ phases: [{ name: 'one' }, { name: 'two', batch: true }] } as never);
  expect([batches.size, batches.move(0, null, 'failed', false)]).toEqual([1, false]);
  expect(batches.move(1, null, 'pending', false)).toBe(false);
  expect(batches.move(1, 'pending', 'failed', false)).toBe(true);
  expect(batches.move(1, 'failed', 'blocked', false)).toBe(true);
});
