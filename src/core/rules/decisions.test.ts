// Failures become decisions: what is asked, what a policy answers, and what each answer changes.
import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { answerEvents } from '../commands/answer-decision.ts';
import { type Choice, isWaiting, type OnFailure } from '../model/decision.ts';
import type { TaskKeys } from '../model/plan.ts';
import { createState } from '../state/evolve.ts';
import { backoffMs } from './backoff.ts';
import { policyOf } from './open-decisions.ts';
import { nextTimer } from './timers.ts';

const once: TaskKeys = { run: 'true', retries: 0 };

/** One that others need has failed for good; c goes on. */
const failed = (rules = {}, keys: TaskKeys = {}) =>
  verifying('a, b → a, c, d → b', { a: { ...once, ...keys } }, rules).ends('a', 1);

describe('what is asked', () => {
  it('a failure that blocks others: what it blocks, what goes on, and what can be done', () => {
    expect(failed().decision()).toEqual({
      id: 'd1',
      kind: 'failure',
      task: 'a',
      attempt: 'a#1',
      openedAt: 1_000_000,
      blocks: { count: 2, tasks: ['b', 'd'] },
      goesOn: { count: 1, tasks: ['c'] },
      options: ['retry', 'retry-with-note', 'other-agent', 'fix', 'skip-all', 'treat-as-done', 'restructure', 'abort'],
    });
  });

  it('a failed leaf asks nothing', () => {
    expect(verifying('a, b', { a: once }).ends('a', 1).asked()).toEqual([]);
  });

  it('escalation is offered where somebody is there for it, once', () => {
    const scenario = failed({ escalationAgent: 'debugger' });
    expect(scenario.decision().options).toContain('escalate');
    expect(scenario.answer('escalate').ends('a', 1).decision().options).not.toContain('escalate');
  });

  const words: readonly Choice[] = ['retry-with-note', 'other-agent'];
  it.each<[string, object, readonly Choice[]]>([
    ['the check of a phase', { phases: [{ name: 'One', check: ['make'] }] }, []],
    ['a last command', { finish: 'make' }, []],
    ['a last agent', { finish: 'closer', finishAgent: true }, words],
  ])('only what has a prompt is tried again with words, or by another agent: %s', (_, more, offered) => {
    const plan = { ...planOf('a'), ...more };
    const scenario = new VerifyScenario(plan, createState()).load().beginRun({ onFailure: 'skip' }).goOn().ends('a');
    const [closing] = scenario.going();
    scenario.ends(closing!.split('#')[0]!, 1);
    const opened = scenario.events.find((event) => event.type === 'decision-opened')!;
    expect(opened.options.filter((choice) => words.includes(choice))).toEqual(offered);
    expect(opened.options).toContain('retry');
  });

  it('a check of a phase that is red names its command', () => {
    const plan = { ...planOf('a'), phases: [{ name: 'One', check: ['make'] }] };
    const scenario = new VerifyScenario(plan, createState())
      .load()
      .beginRun()
      .goOn()
      .ends('a')
      .ends('phase-1:check', 2);
    expect(scenario.task('phase-1:check').failure).toEqual({ kind: 'exit', code: 2, command: 'make' });
  });

  it('what goes on is counted in all and named in part, beginning with what stands near', () => {
    const many = Array.from({ length: 40 }, (_, i) => `x${i}`).join(', ');
    const scenario = verifying(`${many}, a, b → a, g { y }, z`, { a: once }, { limits: { plan: 100 } }).ends('a', 1);
    const { goesOn } = scenario.decision();
    expect([goesOn.count, goesOn.tasks.length, goesOn.tasks.slice(-2)]).toEqual([42, 20, ['y', 'z']]);
  });

  it('a plan that is stuck for another reason gets one question, when its run ends', () => {
    const scenario = verifying('a, b → a').suspends('a').ends('a', { kind: 'killed', code: null });
    expect([scenario.outcome(), scenario.asked()]).toEqual(['stuck', ['d1 stuck']]);
    expect(scenario.decision()).toMatchObject({
      blocks: { count: 2 },
      options: ['details', 'skip-blocked', 'restructure', 'abort'],
    });
  });

  it('a plan that is stuck behind a failure is asked about that failure only', () => {
    const scenario = failed().ends('c');
    expect([scenario.outcome(), scenario.asked()]).toEqual(['stuck', ['d1 failure a']]);
  });
});

describe('policies', () => {
  it.each<[OnFailure, Record<string, string>, string[]]>([
    ['ask', { failed: 'a', blocked: 'b d', in_progress: 'c' }, ['d1 failure a']],
    ['retry', { in_progress: 'c', pending: 'a b d' }, []],
    ['skip', { skipped: 'a b d', in_progress: 'c' }, []],
    ['escalate', { in_progress: 'a c', pending: 'b d' }, []],
    ['abort', { failed: 'a', blocked: 'b d', in_progress: 'c' }, []],
  ])('%s', (onFailure, statuses, asked) => {
    for (const scenario of [
      failed({ onFailure, escalationAgent: 'x' }),
      failed({ escalationAgent: 'x' }, { onFailure }),
    ]) {
      expect([scenario.statuses(), scenario.asked()]).toEqual([statuses, asked]);
    }
  });

  it('what the run says goes before what the task says', () => {
    expect(failed({ onFailure: 'ask' }, { onFailure: 'skip' }).asked()).toEqual(['d1 failure a']);
    expect(policyOf(failed({ onFailure: 'skip' }).plan, -1)).toBe('skip');
    expect(policyOf(failed().plan, -1)).toBe('ask');
  });

  it('hold for a leaf that nobody needs too', () => {
    const scenario = verifying('a', { a: { ...once, onFailure: 'skip' } }).ends('a', 1);
    expect([scenario.status('a'), scenario.outcome()]).toEqual(['skipped', 'complete']);
    expect(scenario.events.find(({ type }) => type === 'decision-answered')).toMatchObject({
      by: 'signalbox',
      policy: 'skip',
      reason: 'on-failure: skip',
      affected: ['a'],
    });
  });

  it('retry waits as any other attempt does, each time twice as long', () => {
    const scenario = verifying('a', { a: { ...once, onFailure: 'retry' } });
    const waits: number[] = [];
    for (let n = 1; n <= 4; n++) {
      const failedAt = scenario.ends('a', 1).time;
      expect([scenario.status('a'), scenario.ready()]).toEqual(['pending', []]);
      const { notBefore } = scenario.task('a');
      expect(notBefore - failedAt).toBe(backoffMs(`a#${n}`, n));
      waits.push(notBefore - failedAt);
      expect(nextTimer(scenario.state)).toBe(notBefore);
      scenario.wait(notBefore - failedAt);
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(800);
    expect(scenario.ends('a', 1).task('a').attempts).toBe(5);
    expect(scenario.status('a')).toBe('failed');
  });

  it('retry does not go on for ever when the hosts of a task are lost', () => {
    const scenario = verifying('a, b → a', { a: { ...once, onFailure: 'retry' } });
    let attempts = 0;
    while (scenario.status('a') !== 'failed' && attempts++ < 50) {
      scenario.ends('a', { kind: 'lost' }).wait(400_000);
    }
    expect([attempts, scenario.asked()]).toEqual([11, ['d2 failure a']]);
  });

  it('retry gives up after five failures in all, and asks', () => {
    const scenario = failed({ onFailure: 'retry' });
    for (let n = 2; n <= 5; n++) scenario.wait(60_000).ends('a', 1);
    expect([scenario.task('a').attempts, scenario.status('a'), scenario.asked()]).toEqual([
      5,
      'failed',
      ['d5 failure a'],
    ]);
    expect(scenario.answer('retry').ends('a', 1).asked()).toEqual(['d6 failure a']);
  });

  it('escalate helps once, and then asks', () => {
    const scenario = failed({ onFailure: 'escalate', escalationAgent: 'debugger' });
    expect(scenario.live('a').job).toEqual({ kind: 'attempt', agent: 'debugger', escalated: true });
    expect(scenario.ends('a', 1).asked()).toEqual(['d2 failure a']);
  });

  it('escalate asks where nobody is there for it', () => {
    expect(failed({ onFailure: 'escalate' }).asked()).toEqual(['d1 failure a']);
  });

  it('a permanent failure is asked about at once, whatever retries are left', () => {
    const scenario = verifying('a, b → a', { a: { run: 'x', retries: 5 } });
    scenario.ends('a', { kind: 'unstartable', message: 'no such program', permanent: true });
    expect(scenario.asked()).toEqual(['d1 failure a']);
  });

  it('abort ends the run: what runs is stopped, and nothing is asked again before the next one', () => {
    const scenario = failed({ onFailure: 'abort' });
    expect(scenario.live('c').doom).toEqual({ kind: 'stop' });
    expect(scenario.ends('c', { kind: 'killed', code: null }).outcome()).toBe('aborted');
    expect(scenario.runAgain().asked()).toEqual(['d2 failure a']);
  });
});

describe('a run that comes later', () => {
  it('asks again about what nobody has decided, and nothing twice', () => {
    expect(failed().runAgain().asked()).toEqual(['d1 failure a']);
    expect(verifying('a, b', { a: once }).ends('a', 1).runAgain().asked()).toEqual([]);
  });

  it('answers what is open by its policy', () => {
    const scenario = failed().runAgain({ onFailure: 'skip' });
    expect([scenario.asked(), scenario.statuses()]).toEqual([[], { skipped: 'a b d', in_progress: 'c' }]);
  });

  it('asks anew where its policy was not on offer before', () => {
    const scenario = failed().runAgain({ onFailure: 'escalate', escalationAgent: 'debugger' });
    expect([scenario.asked(), scenario.going()]).toEqual([[], ['c#1', 'a#2']]);
  });

  it('asks again about what a rule has suspended and an abort left', () => {
    const keys = { a: { agent: 'x', review: 'agent', onFailure: 'abort' } } as const;
    const scenario = verifying('a, b → a', keys).rejected('a', 'high', 'bad');
    expect([scenario.asked(), scenario.status('a'), scenario.outcome()]).toEqual([[], 'suspended', 'aborted']);
    scenario.runAgain({ onFailure: 'ask' });
    expect(scenario.asked()).toEqual(['d2 rejection a']);
    expect(scenario.decision().evidence).toEqual({
      kind: 'rejected',
      verdict: 'rejected',
      severity: 'high',
      issues: [{ message: 'bad' }],
    });
  });

  it('asks about what a person has suspended never', () => {
    expect(verifying('a, b').suspends('a').runAgain().asked()).toEqual([]);
  });

  it('leaves an open rejection as it is, or answers it by its policy', () => {
    const keys = { a: { agent: 'x', review: 'agent' } } as const;
    expect(verifying('a, b', keys).rejected('a', 'high').runAgain().asked()).toEqual(['d1 rejection a']);
    expect(verifying('a, b', keys).rejected('a', 'high').runAgain({ onFailure: 'skip' }).status('a')).toBe('skipped');
  });

  it('asks without evidence about what was suspended for its calls', () => {
    const keys = { a: { agent: 'x', onFailure: 'abort' } } as const;
    const scenario = verifying('a, b', keys).ends('a', 1, { repeated: { call: 'ls', times: 20 } });
    scenario.ends('b', { kind: 'killed', code: null }).runAgain({ onFailure: 'ask' });
    expect([scenario.asked(), scenario.decision().evidence]).toEqual([['d2 rejection a'], undefined]);
  });
});

describe('answers', () => {
  it.each<[Choice, object, Record<string, string>]>([
    ['retry', {}, { in_progress: 'a c', pending: 'b d' }],
    ['retry-with-note', { note: 'use tabs' }, { in_progress: 'a c', pending: 'b d' }],
    ['other-agent', { agent: 'codex' }, { in_progress: 'a c', pending: 'b d' }],
    ['escalate', {}, { in_progress: 'a c', pending: 'b d' }],
    ['fix', {}, { suspended: 'a', blocked: 'b d', in_progress: 'c' }],
    ['skip-all', {}, { skipped: 'a b d', in_progress: 'c' }],
    ['treat-as-done', {}, { skipped: 'a', in_progress: 'b c', pending: 'd' }],
    ['abort', {}, { failed: 'a', blocked: 'b d', in_progress: 'c' }],
  ])('%s', (choice, more, statuses) => {
    const scenario = failed({ escalationAgent: 'debugger' }).answer(choice, more);
    expect([scenario.statuses(), scenario.asked()]).toEqual([statuses, []]);
  });

  it('the words of a retry are for the agent, another agent stays, the error of a skipped one is kept', () => {
    expect(failed().answer('retry', { reason: 'flaky' }).task('a').reason).toBe('flaky');
    expect(failed().answer('retry-with-note', { note: 'use tabs', reason: 'style' }).task('a').reason).toBe('use tabs');
    expect(failed().answer('other-agent', { agent: 'codex' }).live('a').job).toMatchObject({ agent: 'codex' });
    const { failure, reason } = failed().answer('skip-all').task('a');
    expect([failure, reason]).toEqual([{ kind: 'exit', code: 1 }, 'skip-all']);
    expect(failed().answer('skip-all', { reason: 'not now' }).task('a').reason).toBe('not now');
    expect(failed().answer('fix', { reason: 'by hand' }).task('a').reason).toBe('by hand');
  });

  it('an escalated task whose debugging agent is gone runs as it always did', () => {
    const scenario = failed({ escalationAgent: 'debugger' }).pause().answer('escalate').runAgain().resumePlan().goOn();
    expect(scenario.live('a').job).toEqual({ kind: 'attempt', command: true });
  });

  it.each<[string, Choice, object, string]>([
    ['one that is not offered', 'approve', {}, 'd1 cannot be answered with approve'],
    ['a note without words', 'retry-with-note', {}, 'the note is missing'],
    ['another agent without a name', 'other-agent', {}, 'the agent is missing'],
    ['what is no answer by itself', 'restructure', {}, 'restructure is not an answer by itself'],
  ])('%s is refused', (_, choice, more, because) => {
    expect(failed().tryAnswer(choice, more)).toMatchObject({ ok: false, because });
  });

  it('what has no consequence of its own is recorded all the same', () => {
    const { plan } = failed();
    const decision = [...plan.decisions.values()][0]!;
    for (const choice of ['details', 'restructure'] as const) {
      const events = answerEvents(plan, {
        id: decision.id,
        kind: 'failure',
        about: 0,
        choice,
        by: 'ann',
        blocked: [],
        decision,
      });
      expect(events).toMatchObject([{ type: 'decision-answered', choice, affected: [] }]);
    }
  });

  it('skip-all ends what has started since the task was treated as done', () => {
    const scenario = failed().answer('treat-as-done').retry('a').goOn().ends('a', 1);
    expect(scenario.going()).toEqual(['c#1', 'b#1']);
    expect(scenario.answer('skip-all').live('b').doom).toEqual({ kind: 'withdrawn' });
  });

  it('skip-blocked skips what cannot go on; where something was repaired meanwhile, it is too late', () => {
    const ended = () =>
      verifying('a, b → a, c, d → c')
        .suspends('a')
        .suspends('c')
        .ends('a', { kind: 'lost' })
        .ends('c', { kind: 'lost' });
    const scenario = ended();
    expect([scenario.outcome(), scenario.answer('skip-blocked').statuses()]).toEqual(['stuck', { skipped: 'a b c d' }]);
    expect(() => ended().resume('a').answer('skip-blocked')).toThrow('d1 no longer needs an answer');
  });

  it('skip-blocked keeps to what the run was about', () => {
    const scenario = verifying('a, b, c', {}, { selection: { only: ['a' as never] } })
      .suspends('a')
      .ends('a', { kind: 'lost' });
    expect(scenario.answer('skip-blocked').statuses()).toEqual({ skipped: 'a', pending: 'b c' });
  });

  it('skip-blocked leaves what was added since and can start', () => {
    const scenario = verifying('a, b → a').suspends('a').ends('a', { kind: 'lost' });
    scenario.load(planOf('a, b → a, c'), 'r2');
    expect(scenario.answer('skip-blocked').statuses()).toEqual({ skipped: 'a b', pending: 'c' });
  });

  it('abort without a run that goes on changes nothing', () => {
    const scenario = failed().ends('c').answer('abort');
    expect([scenario.outcome(), scenario.types().at(-1)]).toEqual(['stuck', 'decision-answered']);
  });

  it('abort in a run that is being stopped already says nothing more', () => {
    const scenario = failed().stop('kill').answer('abort');
    expect(scenario.plan.run!.stopping!.mode).toBe('kill');
  });
});

describe('questions that are overtaken are closed', () => {
  const rejection = () => verifying('a, b', { a: { agent: 'x', review: 'agent' } } as never).rejected('a', 'high');
  it.each<[string, VerifyScenario, (s: VerifyScenario) => unknown]>([
    ['a failure by a retry', failed(), (s) => s.retry('a')],
    ['a failure by a skip', failed(), (s) => s.skip('a')],
    [
      'a failure by an edit that takes the task away',
      failed(),
      (s) => s.load({ ...s.plan.plan, tasks: s.plan.plan.tasks.slice(2, 3) }, 'r2'),
    ],
    ['a rejection by a resume', rejection(), (s) => s.resume('a')],
    ['a rejection by a skip', rejection(), (s) => s.skip('a')],
    [
      'a review by a suspension',
      verifying('a, b', { a: { agent: 'x', review: 'human' } }).ends('a'),
      (s) => s.suspend('a'),
    ],
  ])('%s', (_, scenario, happens) => {
    expect(scenario.asked()).toHaveLength(1);
    happens(scenario);
    const from = scenario.events.length;
    scenario.settle();
    expect([scenario.asked(), scenario.types(from)[0]]).toEqual([[], 'decision-closed']);
  });

  it('one of two', () => {
    const scenario = verifying('a, b → a, c, d → c', { a: once, c: once }).ends('a', 1).ends('c', 1);
    expect(scenario.retry('a').settle().asked()).toEqual(['d2 failure c']);
  });

  it('the second answer is told that there is no such question', () => {
    const scenario = failed();
    const decision = scenario.decision();
    expect(scenario.answer('retry').tryAnswer('skip-all', {}, decision)).toMatchObject({ ok: false });
  });
});

it('which questions wait for a person although nothing has failed', () => {
  const kinds = ['failure', 'rejection', 'review', 'soft-failure', 'livelock', 'batch', 'stuck'] as const;
  expect(kinds.filter((kind) => isWaiting({ kind }))).toEqual(['rejection', 'review', 'soft-failure', 'livelock']);
});
