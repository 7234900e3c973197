import { describe, expect, it } from 'vitest';
import { begin, planOf, type Scenario } from '../../../test/scenario.ts';
import { verifying } from '../../../test/verify-scenario.ts';
import type { Event } from '../model/event.ts';
import type { AttemptEnd, Doom } from '../model/failure.ts';
import { attemptId, taskId } from '../model/ids.ts';
import type { Task, TaskKeys } from '../model/plan.ts';
import type { EndedAttempt } from '../state/state.ts';
import { backoffMs } from './backoff.ts';
import { judgeEnd } from './judge-end.ts';
import { type Verdict, verdictOn } from './verdict.ts';

const timeout: Doom = { kind: 'timeout', limitMs: 5 };
const idle: Doom = { kind: 'idle', limitMs: 6 };
const mute: Doom = { kind: 'mute', limitMs: 7 };
const finished: Doom = { kind: 'finished' };
const stop: Doom = { kind: 'stop' };
const looping: Doom = { kind: 'looping', call: 'Bash {"command":"ls"}', times: 20 };
const withdrawn: Doom = { kind: 'withdrawn' };
const exited = (code: number): AttemptEnd => ({ kind: 'exited', code });
const killed = (code: number | null): AttemptEnd => ({ kind: 'killed', code });
const lost: AttemptEnd = { kind: 'lost' };
const unstartable = (permanent: boolean): AttemptEnd => ({
  kind: 'unstartable',
  message: 'no such program',
  permanent,
});

const plain: Task = { id: taskId('a'), title: 'a', line: 1, phase: 0, keys: { run: 'true' } };
const endedBy = (end: AttemptEnd, doom: Doom | null): EndedAttempt => ({
  end,
  doom,
  attempt: attemptId(taskId('a'), 1),
  run: 'run-1' as never,
  evidence: null,
  checks: 0,
  interrupted: 0,
  failure: null,
  verdict: null,
  asked: null,
  problem: null,
  since: 0,
});

const completed: Verdict = { kind: 'completed' };
const returned: Verdict = { kind: 'returned' };
const failed = (failure: Extract<Verdict, { kind: 'failed' }>['failure'], permanent = false): Verdict => ({
  kind: 'failed',
  failure,
  permanent,
});
const ungoverned = { kind: 'agent', class: 'ungoverned', message: '' } as const;
const exit = (code: number) => ({ kind: 'exit', code }) as const;

describe('verdictOn', () => {
  it.each<[AttemptEnd, Doom | null, Verdict]>([
    [exited(0), null, completed],
    [exited(0), stop, completed],
    [exited(0), timeout, completed],
    [exited(3), null, failed(exit(3))],
    [exited(3), timeout, failed(exit(3))],
    [exited(143), stop, returned],
    [killed(0), timeout, failed(timeout)],
    [killed(null), idle, failed(idle)],
    [killed(143), mute, failed(mute)],
    [lost, mute, failed(mute)],
    [exited(0), finished, completed],
    [exited(3), finished, failed(exit(3))],
    [killed(143), finished, returned],
    [lost, finished, returned],
    [killed(0), looping, looping],
    [exited(1), looping, looping],
    [exited(0), looping, completed],
    [lost, looping, looping],
    [killed(143), { kind: 'ungoverned' }, failed(ungoverned, true)],
    [exited(0), { kind: 'ungoverned' }, failed(ungoverned, true)],
    [killed(0), stop, returned],
    [killed(1), withdrawn, returned],
    [killed(0), null, { kind: 'lost' }],
    [lost, null, { kind: 'lost' }],
    [lost, stop, returned],
    [lost, timeout, failed(timeout)],
    [lost, idle, failed(idle)],
    [{ kind: 'never-started' }, null, returned],
    [{ kind: 'never-started' }, stop, returned],
    [unstartable(true), null, failed({ kind: 'unstartable', message: 'no such program' }, true)],
    [unstartable(false), stop, failed({ kind: 'unstartable', message: 'no such program' })],
  ])('%o, doomed %o: %o', (end, doom, verdict) => {
    expect(verdictOn(plain, endedBy(end, doom))).toEqual(verdict);
  });

  it.each<[AttemptEnd, EndedAttempt['evidence'], Verdict]>([
    [killed(143), { changed: true, agent: { by: 'c', class: 'done' } }, completed],
    [killed(143), { agent: { by: 'c', class: 'done' } }, failed({ kind: 'nothing-done', lacks: 'proof' })],
    [
      killed(143),
      { changed: true, agent: { by: 'c', class: 'asks', said: 'Which?' } },
      { kind: 'asks', question: 'Which?' },
    ],
    [killed(143), { agent: { by: 'c', class: 'rate-limit', resetsAt: 9 } }, { kind: 'limited', resetsAt: 9 }],
    [killed(143), { changed: true }, returned],
    [lost, { changed: true, agent: { by: 'c', class: 'done' } }, returned],
  ])('%o with %o, ended because it had finished: %o', (end, evidence, verdict) => {
    const task = { ...plain, keys: { agent: 'c' } };
    expect(verdictOn(task, { ...endedBy(end, finished), evidence })).toEqual(verdict);
  });

  it.each([killed(null), killed(0), lost])('an agent that fell silent has not failed by that: %o', (end) => {
    const task = { ...plain, keys: { agent: 'c' } };
    for (const doom of [idle, mute])
      expect(verdictOn(task, endedBy(end, doom))).toEqual({ kind: 'silent', failure: doom });
  });

  it('dies on an end it does not know', () => {
    expect(() => verdictOn(plain, { end: { kind: 'evaporated' }, doom: null } as never)).toThrow('impossible');
  });
});

const of = (keys: TaskKeys, text = 'a') => begin(planOf(text, { keys: { a: keys } }));
const judged = (scenario: Scenario): Event =>
  judgeEnd(scenario.state, scenario.plan, scenario.index('a'), scenario.time)[0]!;
const ended = (scenario: Scenario, end: AttemptEnd) => scenario.schedule('a').end('a', end);

const silent = (scenario: Scenario, doom: Doom = idle) => scenario.schedule('a').doom('a', doom).end('a', killed(null));

/** Attempts that all end the same way until there is no retry; how many there were, and what the last came to. */
function untilGivenUp(scenario: Scenario, end: AttemptEnd): { attempts: number; last: Event } {
  for (let attempts = 1; ; attempts++) {
    const last = judged(ended(scenario, end));
    scenario.record(last);
    if (last.type !== 'retry-scheduled') return { attempts, last };
    scenario.endBackoff('a');
  }
}

describe('judge', () => {
  const about = { v: 1, plan: 'plan.md', run: 'run-1', task: 'a', attempt: 'a#1' };

  it('completed', () => {
    expect(judged(ended(of({}), exited(0)))).toEqual({ type: 'task-completed', ...about });
  });

  it('returned: again at once, costs nothing', () => {
    const scenario = ended(of({}), { kind: 'never-started' });
    const again = { type: 'retry-scheduled', ...about, because: 'stopped', notBefore: scenario.time };
    expect(judged(scenario)).toEqual(again);
  });

  it('failed: again after a while', () => {
    const scenario = ended(of({}), exited(1));
    const notBefore = scenario.time + backoffMs('a#1', 1);
    const why = { because: 'failed', failure: exit(1), notBefore };
    expect(judged(scenario)).toEqual({ type: 'retry-scheduled', ...about, ...why });
  });

  it('the second wait doubles', () => {
    const scenario = ended(of({}).failOnce('a'), exited(1));
    expect(judged(scenario)).toMatchObject({ attempt: 'a#2', notBefore: scenario.time + backoffMs('a#2', 2) });
  });

  it('looping: suspended without its locks, and somebody decides', () => {
    const scenario = of({ files: ['a.txt'] })
      .schedule('a')
      .lock('a', 'a.txt')
      .doom('a', looping)
      .end('a', killed(null));
    expect([...scenario.state.salvage.values()]).toMatchObject([
      { task: 'a', because: 'it made the same call again and again' },
    ]);
    scenario.saveWork(1).putBack(1).settle();
    expect(scenario.task('a')).toMatchObject({
      status: 'suspended',
      reason: 'its agent made the same call again and again',
    });
    expect([...scenario.plan.decisions.values()]).toMatchObject([
      { kind: 'livelock', task: 'a', attempt: 'a#1', evidence: { kind: 'same-calls', times: 20 } },
    ]);
    expect(scenario.locks()).toBe('');
  });

  it('what a debugging agent found out is remembered', () => {
    const scenario = of({}).schedule('a');
    const { plan, task, attempt, token, run } = scenario.live('a');
    const evidence = { finding: 'docs/found.md' };
    scenario.record({ type: 'attempt-ended', v: 1, plan, task, attempt, token, run, end: exited(0), evidence });
    expect(scenario.task('a').finding).toBe('docs/found.md');
  });

  it('what changed outside of its tree is remembered until its next attempt has ended', () => {
    const scenario = of({}).schedule('a');
    const incidents = [{ kind: 'shared', what: 'the hook pre-commit was added', saved: '/kept' }] as const;
    const end = (evidence: object) => {
      const { plan, task, attempt, token, run } = scenario.live('a');
      scenario.record({ type: 'attempt-ended', v: 1, plan, task, attempt, token, run, end: exited(1), evidence });
    };
    end({ incidents });
    expect(scenario.task('a').incidents).toEqual(incidents);
    scenario.again('a').schedule('a');
    end({});
    expect(scenario.task('a').incidents).toBeNull();
  });

  it('lost: again after a while, counted apart', () => {
    const scenario = ended(of({ retries: 0 }), lost);
    const failure = { kind: 'lost', times: 1 };
    const notBefore = scenario.time + backoffMs('a#1', 1);
    expect(judged(scenario)).toEqual({ type: 'retry-scheduled', ...about, because: 'lost', failure, notBefore });
  });

  it('silent: again after a while, and no retry is used', () => {
    const scenario = silent(of({ retries: 0 }));
    const notBefore = scenario.time + backoffMs('a#1', 1);
    const again = { type: 'retry-scheduled', ...about, because: 'silent', failure: idle, notBefore };
    expect(judged(scenario)).toEqual(again);
    scenario.record(again as Event).endBackoff('a');
    expect(scenario.task('a')).toMatchObject({ failures: 0, silent: 1, failure: idle });
    expect(judged(ended(scenario, exited(0)))).toMatchObject({ type: 'task-completed' });
  });

  it.each([
    [idle, { kind: 'silence', times: 3 }],
    [
      { ...idle, last: 'Reading a.ts' },
      { kind: 'silence', times: 3, last: 'Reading a.ts' },
    ],
    [mute, { kind: 'silence', times: 3 }],
  ] as [Doom, object][])('silent three times in a row: suspended, and somebody decides: %o', (doom, evidence) => {
    const scenario = of({ retries: 0 });
    for (const _ of [1, 2]) scenario.record(judged(silent(scenario))).endBackoff('a');
    const [suspended, asked] = judgeEnd(
      silent(scenario, doom).state,
      scenario.plan,
      scenario.index('a'),
      scenario.time,
    );
    expect(suspended).toMatchObject({ type: 'task-suspended', reason: 'its agent fell silent again and again' });
    expect(asked).toMatchObject({ kind: 'livelock' });
    expect(asked).toHaveProperty('evidence', evidence);
  });

  it('what comes between two silences begins the count anew', () => {
    const scenario = of({ retries: 2 });
    scenario.record(judged(silent(scenario))).endBackoff('a');
    scenario.record(judged(ended(scenario, exited(1)))).endBackoff('a');
    expect(scenario.task('a')).toMatchObject({ failures: 1, silent: 0 });
    expect(judged(silent(scenario))).toMatchObject({ because: 'silent' });
  });

  it('silence is a failure where the settings say so', () => {
    const scenario = silent(verifying('a', { a: { agent: 'c', retries: 0 } }, { livelock: { silence: 0 } }));
    expect(judged(scenario)).toMatchObject({ type: 'task-failed', failure: idle });
  });

  it('an optional task fails with that word', () => {
    expect(judged(ended(of({ retries: 0 }, 'a*'), exited(2)))).toEqual({
      type: 'task-failed',
      ...about,
      failure: exit(2),
      optional: true,
    });
  });

  it.each<[string, TaskKeys, number]>([
    ['the default: two retries', {}, 3],
    ['none', { retries: 0 }, 1],
    ['four: as many as the breaker lets', { retries: 4 }, 5],
    ['more than the circuit breaker lets', { retries: 50 }, 5],
  ])('retries: %s', (_, keys, attempts) => {
    const given = untilGivenUp(of(keys), exited(1));
    const last = { type: 'task-failed', ...about, attempt: `a#${attempts}`, failure: exit(1) };
    expect(given).toEqual({ attempts, last });
  });

  it.each([
    [killed(0), timeout],
    [killed(null), idle],
  ])('a command that is killed for a limit uses retries: %o', (end, doom) => {
    const scenario = of({ run: 'sleep 60', retries: 0 }).schedule('a').doom('a', doom).end('a', end);
    expect(judged(scenario)).toMatchObject({ type: 'task-failed', failure: doom });
  });

  it('a permanent error is not tried again', () => {
    expect(untilGivenUp(of({ retries: 4 }), unstartable(true)).attempts).toBe(1);
    expect(untilGivenUp(of({ retries: 4 }), unstartable(false)).attempts).toBe(5);
  });

  it('lost ten times is failed', () => {
    const { attempts, last } = untilGivenUp(of({}), lost);
    expect([attempts, last]).toEqual([
      10,
      { type: 'task-failed', ...about, attempt: 'a#10', failure: { kind: 'lost', times: 10 } },
    ]);
  });

  it('losses use no retry and failures no loss', () => {
    const scenario = of({ retries: 1 });
    for (let i = 0; i < 9; i++) scenario.record(judged(ended(scenario, lost))).endBackoff('a');
    scenario.record(judged(ended(scenario, exited(1)))).endBackoff('a');
    expect(scenario.task('a')).toMatchObject({ lost: 9, failures: 1, status: 'pending' });
    expect(judged(ended(scenario, exited(1))).type).toBe('task-failed');
  });

  it('being returned never counts, however often', () => {
    const scenario = of({ retries: 0 });
    for (let i = 0; i < 20; i++) scenario.record(judged(ended(scenario, { kind: 'never-started' })));
    expect(scenario.task('a')).toMatchObject({ attempts: 20, failures: 0, lost: 0, status: 'pending' });
  });

  it.each([
    ['failures', exited(1), 5],
    ['losses', lost, 10],
  ])('a person grants one more, also over the cap: %s', (_, end, cap) => {
    const scenario = of({ retries: 9 });
    expect(untilGivenUp(scenario, end).attempts).toBe(cap);
    expect(untilGivenUp(scenario.retry('a'), end).attempts).toBe(1);
    expect(untilGivenUp(scenario.retry('a'), end).attempts).toBe(1);
  });
});
