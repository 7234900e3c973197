// Questions about preferred tasks that have ended badly, and how long a question waits for its answer.
import { describe, expect, it } from 'vitest';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import type { Choice, OnFailure } from '../model/decision.ts';
import type { TaskKeys } from '../model/plan.ts';

const once: TaskKeys = { run: 'true', retries: 0 };
const failed = (rules: object) => verifying('a, b → a, c, d → b', { a: once }, rules).ends('a', 1);

describe('preferences that have ended badly', () => {
  const soft = { b: { run: 'true', softFailure: 'ask' }, a: once, p: once } as const;
  const held = () => verifying('a, b ~> a, c → b', soft).ends('a', 1);

  it('are asked about where the plan says so, and the task waits', () => {
    const scenario = held();
    expect([scenario.asked(), scenario.going(), scenario.outcome()]).toEqual([['d1 soft-failure b'], [], 'waiting']);
    expect(scenario.decision()).toMatchObject({ blocks: { count: 2 }, evidence: { kind: 'preferred', tasks: ['a'] } });
  });

  it.each<[Choice, Record<string, string>]>([
    ['go-on', { failed: 'a', in_progress: 'b', pending: 'c' }],
    ['retry', { in_progress: 'a', pending: 'b c' }],
    ['skip-all', { failed: 'a', skipped: 'b c' }],
  ])('%s', (choice, statuses) => {
    expect(held().answer(choice).runAgain().statuses()).toEqual(statuses);
  });

  it('whoever said to go on is not asked again', () => {
    const scenario = verifying('a, x, b ~> a', { ...soft, b: { run: 'true', softFailure: 'ask', retries: 3 } }).ends(
      'a',
      1,
    );
    expect(scenario.answer('go-on').ends('b', 1).wait(5_000).going()).toEqual(['x#1', 'b#2']);
  });

  it('are retried inside a group', () => {
    const scenario = verifying('x, g { a, p }, b ~> g', soft).ends('a', 1).ends('p');
    expect(scenario.answer('retry').going()).toEqual(['x#1', 'a#2']);
  });

  it('a retry is refused where nothing can be retried', () => {
    const scenario = verifying('x, a, b ~> a', soft).suspends('a').ends('a', { kind: 'lost' });
    expect(scenario.tryAnswer('retry')).toMatchObject({
      ok: false,
      because: 'none of the tasks that it prefers can be tried again',
    });
  });

  it.each<[string, (s: VerifyScenario) => unknown]>([
    ['is tried again', (s) => s.retry('a')],
    ['is treated as done', (s) => s.treatAsDone('a')],
  ])('the question is closed when what it prefers %s', (_, happens) => {
    const scenario = verifying('x, a, b ~> a', soft).ends('a', 1);
    expect(scenario.asked()).toEqual(['d1 soft-failure b']);
    happens(scenario);
    expect(scenario.goOn().asked()).toEqual([]);
    expect(scenario.task('b').hold).toBeNull();
  });

  it('two that are the same, or gone since, are one', () => {
    const scenario = verifying('x, a, b ~> a a', soft).ends('a', 1);
    expect(scenario.decision().evidence).toMatchObject({ tasks: ['a', 'a'] });
    expect(scenario.answer('go-on').going()).toEqual(['x#1', 'b#1']);
  });

  it('a question whose preferred task an edit took away is closed', () => {
    const scenario = verifying('x, a, b ~> a', soft).ends('a', 1);
    const tasks = scenario.plan.plan.tasks.filter(({ id }) => id !== 'a').map(({ prefers: _, ...task }) => task);
    scenario.load({ ...scenario.plan.plan, tasks }, 'r2').goOn();
    expect([scenario.asked(), scenario.going()]).toEqual([[], ['x#1', 'b#1']]);
  });
});

describe('a time to answer', () => {
  const late = { decideWithinMs: 60_000 };

  it('keeps the run going until then; after it the question stays, and nobody waits', () => {
    const scenario = failed(late).ends('c');
    expect([scenario.outcome(), scenario.decision().deadline]).toEqual([null, 1_060_000]);
    expect(scenario.wait(59_999).outcome()).toBeNull();
    expect(scenario.wait(1).outcome()).toBe('stuck');
    expect([scenario.asked(), scenario.decision().deadline]).toEqual([['d1 failure a'], undefined]);
  });

  it('takes the default that the question has', () => {
    const scenario = verifying(
      'x, a, b ~> a',
      { a: once, b: { run: 'true', softFailure: 'ask', onFailure: 'skip' } },
      late,
    ).ends('a', 1);
    expect(scenario.decision().default).toBe('skip-all');
    scenario.wait(60_000);
    expect([scenario.status('b'), scenario.task('b').reason]).toEqual(['skipped', 'nobody answered in time']);
  });

  it.each<OnFailure>(['ask', 'retry', 'escalate'])('never skips or loops where the plan says %s', (onFailure) => {
    const scenario = verifying(
      'a, b ~> a',
      { a: once, b: { run: 'true', softFailure: 'ask', onFailure } },
      { ...late, escalationAgent: 'x' },
    );
    scenario.ends('a', 1).wait(60_000);
    expect([scenario.asked(), scenario.outcome()]).toEqual([['d1 soft-failure b'], 'waiting']);
  });

  it('is the nearest of all that are open', () => {
    const scenario = verifying('a, b → a, c, d → c', { a: once, c: once }, late).ends('a', 1).after(10).ends('c', 1);
    expect(scenario.plan.book.deadline).toBe(1_060_000);
    expect(scenario.answer('retry').plan.book.deadline).toBe(1_060_010);
  });

  it('of a question about the plan passes without an answer', () => {
    const scenario = verifying('a | b', { a: once }, { ...late, phases: { 1: { batch: true } } })
      .ends('a', 1)
      .wait(60_000);
    expect([scenario.asked(), scenario.outcome()]).toEqual([['d1 batch'], 'stuck']);
  });

  it('does not keep a run that is stopped, or one that has failed and is stopped', () => {
    expect(failed(late).stop('drain').ends('c').outcome()).toBe('aborted');
  });

  it('keeps a run whose failed leaf somebody may still decide about', () => {
    const scenario = verifying('a, b* → a', { a: once }, late).ends('a', 1);
    expect([scenario.asked(), scenario.outcome()]).toEqual([['d1 failure a'], null]);
    expect(scenario.stop('drain').goOn().outcome()).toBe('failed');
  });
});
