import { describe, expect, it } from 'vitest';
import { about, begin, dawn, firstRun, here, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { defaultLivelock } from '../model/defaults.ts';
import type { Event, StoredEvent } from '../model/event.ts';
import { hostId, planPath, runId, taskId } from '../model/ids.ts';
import { summaryOf } from '../rules/outcome.ts';
import { createState, evolve } from './evolve.ts';

describe('plans', () => {
  it('are loaded with the boxes of the file', () => {
    const { state, plan } = log(planOf('+a, -b, c')).load();
    expect([state.seq, state.at, plan.loadedAt, plan.changedAt, plan.definedAt]).toEqual([1, dawn, dawn, dawn, 1]);
    expect(plan.tasks.map(({ status, endedAt, by }) => [status, endedAt, by])).toEqual([
      ['completed', dawn, 'plan'],
      ['skipped', dawn, 'plan'],
      ['pending', 0, null],
    ]);
    expect([plan.run, plan.runs, plan.paused, plan.revision]).toEqual([null, 0, null, 'r1']);
  });

  it('are paused and resumed', () => {
    const scenario = begin('a').pause('lunch');
    expect(scenario.plan.paused).toEqual({ by: 'ann', reason: 'lunch', at: dawn });
    expect(scenario.resumePlan().plan.paused).toBeNull();
    expect(scenario.pause().plan.paused).toEqual({ by: 'ann', at: dawn });
  });

  it('remember when they changed last', () => {
    expect(begin('a').after(5).complete('a').plan).toMatchObject({ loadedAt: dawn, changedAt: dawn + 5 });
  });
});

describe('a new revision', () => {
  const reload = (scenario: Scenario, text: string) => scenario.after(9).load(planOf(text), 'r2');

  it('keeps what happened, adds what is new, forgets what is gone', () => {
    const scenario = reload(begin('a, b, c').complete('a').schedule('b').pause(), 'new → a, b, a');
    expect(scenario.statuses()).toEqual({ pending: 'new', in_progress: 'b', completed: 'a' });
    expect(scenario.plan).toMatchObject({
      revision: 'r2',
      definedAt: scenario.state.seq,
      live: 1,
      runs: 1,
      loadedAt: dawn,
    });
    expect(scenario.plan.paused).not.toBeNull();
    expect(scenario.plan.run!.run).toBe(firstRun);
    expect(scenario.ready()).toEqual(['new']);
  });

  it('is told before it is loaded, which changes nothing yet', () => {
    const scenario = begin('a').schedule('a').after(5);
    const before = scenario.statuses();
    const edited = { type: 'plan-edited', v: 1, plan: planPath('plan.md'), run: firstRun, revision: 'r2' } as const;
    scenario.record({ ...edited, result: 'taken', removed: [taskId('a')] });
    expect([scenario.statuses(), scenario.plan.revision, scenario.plan.changedAt]).toEqual([before, 'r1', dawn + 5]);
  });

  it('a box ticked since then counts for a task that waits, not for one that ended or runs', () => {
    const scenario = reload(begin('a, b, c, d').fail('b').schedule('c'), '+a, +b, -c, -d');
    expect(scenario.statuses()).toEqual({ completed: 'a', failed: 'b', in_progress: 'c', skipped: 'd' });
    expect(scenario.task('a')).toMatchObject({ endedAt: dawn + 9, by: 'plan' });
  });

  it('a box taken away again changes nothing', () => {
    expect(reload(begin('+a'), 'a').statuses()).toEqual({ completed: 'a' });
  });

  it('never gives the name of an attempt out twice, whatever was ticked meanwhile', () => {
    const scenario = reload(begin('a').failOnce('a', 60_000), '-a');
    expect(scenario.task('a')).toMatchObject({ status: 'skipped', attempts: 1, failures: 1, notBefore: 0 });
    expect(scenario.retry('a').schedule('a').live('a').attempt).toBe('a#2');
  });

  it('one retried by a person is not closed again by a box that was there before', () => {
    const scenario = reload(begin('-a, +b').retry('a'), '-a, +b, c');
    expect(scenario.statuses()).toEqual({ pending: 'a c', completed: 'b' });
  });

  it('a withdrawn task that waits for its processes is not closed by a tick', () => {
    const scenario = reload(begin('a').schedule('a').suspend('a').resume('a'), '+a');
    expect(scenario.task('a')).toMatchObject({ status: 'pending', live: { attempt: 'a#1' } });
  });
});

describe('runs', () => {
  it('start, stop harder, and end', () => {
    const scenario = begin('a', { plan: 2 });
    const { plan } = scenario;
    const limits = { plan: 2, pools: {} };
    const started = {
      run: firstRun,
      runner: here,
      limits,
      selection: null,
      deadlock: { detect: true, victim: 'youngest' },
      onFailure: null,
      escalationAgent: null,
      reviewAgent: null,
      livelock: defaultLivelock,
      decideWithinMs: 0,
      spent: { usd: 0, priced: 0, unknown: 0 },
      stopsAtQuota: false,
      waitsPaused: false,
      limited: false,
      takesOver: false,
      tookOver: false,
      startedAt: dawn,
      begunAt: dawn,
      attempts: 0,
      stopping: null,
      isolation: null,
      held: null,
      accepted: [],
      unprepared: 0,
      ended: null,
    };
    expect([plan.run, plan.runs]).toEqual([started, 1]);
    scenario.record({ type: 'run-took-over', v: 1, plan: plan.path, run: runId('another'), adopted: 1 });
    expect(plan.run!.tookOver).toBe(false);
    scenario.record({ type: 'run-took-over', v: 1, plan: plan.path, run: firstRun, adopted: 1 });
    expect(plan.run!.tookOver).toBe(true);
    scenario.stop('drain').stop('kill');
    expect(plan.run!.stopping).toEqual({ mode: 'kill', by: 'ann', exitCode: 143 });
    const ended = { outcome: 'aborted', exitCode: 143, summary: summaryOf(plan) } as const;
    scenario.record({ type: 'run-ended', v: 1, plan: plan.path, run: firstRun, ...ended });
    expect(plan.run!.ended).toEqual({ ...ended, at: dawn });
    scenario.startRun({}, runId('run-2'));
    expect([plan.run!.run, plan.run!.ended, plan.run!.stopping, plan.runs]).toEqual(['run-2', null, null, 2]);
  });

  it('count their attempts', () => {
    const scenario = begin('a, b').schedule('a', 'b').end('a', 1).again('a').schedule('a');
    expect(scenario.plan.run!.attempts).toBe(3);
    expect(scenario.startRun({}, runId('run-2')).plan.run!.attempts).toBe(0);
  });
});

describe('the life of an attempt', () => {
  const plan = planOf('a, b', { keys: { a: { model: 'opus', uses: ['db'] } } });

  it('scheduled: the task is in progress and its pools are used', () => {
    const { state, plan: after, task, live } = bound(begin(plan).after(3).schedule('a'));
    expect(task('a')).toMatchObject({ status: 'in_progress', attempts: 1, token: 1, startedAt: dawn + 3, endedAt: 0 });
    expect(live('a')).toEqual({
      job: { kind: 'attempt' },
      plan: 'plan.md',
      task: 'a',
      attempt: 'a#1',
      token: 1,
      run: firstRun,
      host: 'here',
      scheduledAt: dawn + 3,
      warnings: [],
      pools: ['opus', 'db'],
      startedAt: 0,
      supervisor: null,
      doom: null,
      parkedMs: 0,
      parkedSince: 0,
      uncountedMs: 0,
    });
    expect([state.token, state.live.get(1), [...state.usage], after.live]).toEqual([
      1,
      live('a'),
      [
        ['opus', 1],
        ['db', 1],
      ],
      1,
    ]);
  });

  it('scheduled with warnings keeps them', () => {
    const warnings = [{ task: taskId('b'), status: 'failed' as const }];
    const scenario = begin(plan).record({ type: 'attempt-scheduled', ...about('a'), host: hostId('here'), warnings });
    expect(scenario.live('a').warnings).toEqual(warnings);
  });

  it('started', () => {
    expect(begin(plan).schedule('a').after(2).start('a').live('a')).toMatchObject({
      startedAt: dawn + 2,
      supervisor: here,
    });
  });

  it('doomed: the first reason stays', () => {
    const scenario = begin(plan).schedule('a').doom('a', { kind: 'stop' }).doom('a', { kind: 'withdrawn' });
    expect(scenario.live('a').doom).toEqual({ kind: 'stop' });
  });

  it('ended: waits for its judgement, and gives its room back', () => {
    const { state, plan: after, task } = bound(begin(plan).schedule('a').doom('a', { kind: 'stop' }).end('a', 7));
    expect(task('a')).toMatchObject({
      status: 'in_progress',
      live: null,
      ended: { end: { kind: 'exited', code: 7 }, doom: { kind: 'stop' }, attempt: 'a#1', run: firstRun },
    });
    expect([state.live.size, [...state.usage.values()], after.live, [...after.unjudged]]).toEqual([0, [0, 0], 0, [0]]);
  });

  it.each(['skip', 'suspend'] as const)('ended after %s: nothing is left to judge', (word) => {
    const { plan: after, task } = bound(begin(plan).schedule('a')[word]('a').end('a', 0));
    expect([task('a').ended, task('a').live, after.unjudged.size, after.live]).toEqual([null, null, 0, 0]);
  });

  it('failed before one that succeeded: known while it is completed, and forgotten when it is reopened', () => {
    const failure = { kind: 'exit', code: 1 };
    const scenario = begin('a, b').failOnce('a').schedule('a').end('a', 0).complete('a').fail('b');
    expect(scenario.task('a')).toMatchObject({ failure, failedAs: 1 });
    scenario.retry('a', 'b');
    expect(scenario.task('a')).toMatchObject({ status: 'pending', failure: null, failedAs: 0 });
    expect(scenario.task('b')).toMatchObject({ status: 'pending', failure });
  });

  it('ended after the task was withdrawn and reopened: ready again', () => {
    const scenario = begin(plan).schedule('a').suspend('a').resume('a');
    expect(scenario.ready()).toEqual(['b']);
    expect(scenario.end('a', 0).ready()).toEqual(['a', 'b']);
  });
});

describe('judgements', () => {
  const ended = () => begin('a').schedule('a').after(1).end('a', 1);

  it('completed', () => {
    const scenario = ended().record({ type: 'task-completed', ...about('a') });
    expect(scenario.task('a')).toMatchObject({ status: 'completed', ended: null, endedAt: dawn + 1 });
    expect(scenario.plan.unjudged.size).toBe(0);
  });

  it('completed after a person retried it: not that person completed it', () => {
    expect(begin('a').fail('a').retry('a').complete('a').task('a')).toMatchObject({ by: null, reason: null });
  });

  it.each([
    [{ kind: 'exit', code: 1 } as const, { failures: 1, lost: 0 }],
    [{ kind: 'lost', times: 10 } as const, { failures: 0, lost: 1 }],
  ])('failed: %o', (failure, counted) => {
    const scenario = ended().record({ type: 'task-failed', ...about('a'), failure });
    expect(scenario.task('a')).toMatchObject({ status: 'failed', endedAt: dawn + 1, failure, ended: null, ...counted });
  });

  it.each([
    ['failed', { failures: 1, lost: 0 }],
    ['lost', { failures: 0, lost: 1 }],
    ['stopped', { failures: 0, lost: 0 }],
  ] as const)('again because %s', (because, counted) => {
    const scenario = ended().again('a', 500, because);
    expect(scenario.task('a')).toMatchObject({ status: 'pending', ended: null, notBefore: dawn + 501, ...counted });
    expect([scenario.ready(), [...scenario.plan.backoff.all()]]).toEqual([[], [0]]);
    expect(scenario.endBackoff('a').ready()).toEqual(['a']);
    expect(scenario.plan.backoff.size).toBe(0);
  });

  it('again at once needs no waiting', () => {
    const scenario = ended().again('a', 0);
    expect([scenario.task('a').notBefore, scenario.ready()]).toEqual([0, ['a']]);
  });

  it('again keeps the last failure known', () => {
    const failure = { kind: 'exit', code: 3 } as const;
    const scenario = ended().again('a', 0, 'failed', failure).schedule('a').end('a', { kind: 'never-started' });
    expect(scenario.again('a', 0, 'stopped').task('a')).toMatchObject({ failure, failedAs: 1, token: 2 });
  });

  it('an unjudged end stays so over what does not judge it', () => {
    expect([...ended().endBackoff('a').plan.unjudged]).toEqual([0]);
  });
});

describe('what people say', () => {
  const said = { by: 'ann', reason: 'because' };

  it('skipped, as done or not; the error is kept', () => {
    const skipped: Event = { type: 'task-skipped', ...about('a'), ...said };
    const scenario = begin('a').fail('a').record(skipped);
    expect(scenario.task('a')).toMatchObject({
      status: 'skipped',
      treatAsDone: false,
      ...said,
      failure: { kind: 'exit' },
    });
    expect(scenario.record({ ...skipped, treatAsDone: true }).task('a').treatAsDone).toBe(true);
  });

  it('suspended and resumed', () => {
    const scenario = begin('a').record({ type: 'task-suspended', ...about('a'), ...said });
    expect(scenario.task('a')).toMatchObject({ status: 'suspended', endedAt: dawn, ...said });
    expect(scenario.resume('a').task('a')).toMatchObject({ status: 'pending', endedAt: 0, by: null, reason: null });
  });

  it('retried: one more is granted, the history stays', () => {
    const scenario = begin('a').failOnce('a').fail('a');
    scenario.record({ type: 'task-retried', ...about('a'), by: 'ann', note: 'try harder' });
    expect(scenario.task('a')).toMatchObject({
      status: 'pending',
      granted: 1,
      attempts: 1,
      failures: 2,
      by: 'ann',
      reason: 'try harder',
    });
    expect(scenario.ready()).toEqual(['a']);
  });

  it('retried after a skip as done: those who need it wait again', () => {
    const scenario = begin('a, b → a').treatAsDone('a');
    expect([scenario.ready(), scenario.retry('a').ready()]).toEqual([['b'], ['a']]);
    expect(scenario.task('a').treatAsDone).toBe(false);
  });
});

it('dies on an event it does not know', () => {
  const { state } = begin('a');
  const event = { type: 'from-the-future', plan: 'plan.md', seq: 9, at: 9 };
  expect(() => evolve(state, event as never)).toThrow('impossible');
});

it('two plans share tokens, pools and nothing else', () => {
  const one = begin(planOf('a', { keys: { a: { model: 'opus' } } }));
  const two = log(planOf('a', { path: 'two.md', keys: { a: { model: 'opus' } } }), one.state)
    .load()
    .startRun();
  one.schedule('a');
  two.schedule('a').complete('a');
  expect([one.live('a').token, two.live('a').token, one.state.usage.get('opus')]).toEqual([1, 2, 2]);
  expect([one.status('a'), two.status('a'), one.plan.live]).toEqual(['in_progress', 'completed', 1]);
});

it('is deterministic: the same log makes the same state', () => {
  const scenario = begin('a, b → a')
    .failOnce('a', 10)
    .endBackoff('a')
    .schedule('a')
    .start('a')
    .end('a', 0)
    .complete('a');
  const again = createState();
  for (const event of scenario.events) evolve(again, JSON.parse(JSON.stringify(event)) as StoredEvent);
  expect(again.plans.get(planPath('plan.md'))!.tasks).toEqual(scenario.plan.tasks);
});

/** The parts of a scenario that functions may be taken out of. */
function bound(scenario: Scenario) {
  return {
    state: scenario.state,
    plan: scenario.plan,
    task: (id: string) => scenario.task(id),
    live: (id: string) => scenario.live(id),
  };
}
