// What is recorded about checks, reviews and decisions: late and foreign events change nothing, a snapshot restores all of it, and
// logs from before there was any of it keep folding.
import { describe, expect, it } from 'vitest';
import { restored } from '../../../test/restored.ts';
import { begin, planOf } from '../../../test/scenario.ts';
import { printState } from '../../../test/sim/print-state.ts';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { matchRevision } from '../commands/match-revision.ts';
import type { AgentReport } from '../model/agent-result.ts';
import type { Event } from '../model/event.ts';
import type { AttemptEnd } from '../model/failure.ts';
import { decisionId, taskId } from '../model/ids.ts';
import { decide } from '../rules/decide.ts';
import { checkEnded, reviewEnded } from '../rules/job-end.ts';
import { judgeEnd } from '../rules/judge-end.ts';
import { createState, evolve } from './evolve.ts';
import type { State } from './state.ts';

const keys = {
  a: { run: 'true', check: ['one'], uses: ['db'] },
  b: { agent: 'x', review: 'agent' },
  c: { agent: 'x', review: 'human' },
  d: { run: 'true', retries: 0 },
} as const;

/** A check, a review, questions about a person's review and a failed batch, and a waiting review. */
const busy = () =>
  verifying('a, b, c, y, d, e → d, z', { ...keys, y: keys.b }, { phases: { 1: { check: ['all'] } }, finish: 'push' })
    .ends('a')
    .ends('b')
    .ends('c')
    .ends('y')
    .ends('d', 1);

describe('a snapshot', () => {
  it('restores all of it, and goes on as the log does', () => {
    const all = busy()
      .says('b', 'medium', 'null', 'a')
      .says('y', { verdict: 'unreadable', problem: 'what' })
      .ends('a').events;
    for (let cut = 2; cut <= all.length; cut++) {
      const state = createState();
      for (const event of all.slice(0, cut)) evolve(state, event);
      const copy = restored(state, all);
      expect(printState(copy)).toBe(printState(state));
      for (const event of all.slice(cut)) for (const one of [state, copy]) evolve(one, event);
      expect(printState(copy)).toBe(printState(state));
    }
  });

  it('restores batches and what is asked about them', () => {
    const scenario = verifying('a, d | e', { d: keys.d }, { phases: { 1: { batch: true, check: ['x'] } } })
      .ends('a')
      .ends('d', 1);
    const copy = restored(scenario.state, scenario.events);
    expect(printState(copy)).toBe(printState(scenario.state));
    expect([...copy.plans.values()][0]!.batches).toEqual(scenario.plan.batches);
  });

  it('restores what still runs for a task that the plan no longer has', () => {
    const scenario = verifying('b, z', keys).ends('b');
    const [, z] = scenario.plan.plan.tasks;
    scenario.load({ ...scenario.plan.plan, tasks: [z!] }, 'r2');
    expect([scenario.plan.live, scenario.plan.reviewing]).toEqual([2, 3]);
    expect(printState(restored(scenario.state, scenario.events))).toBe(printState(scenario.state));
    expect(decide(scenario.state, scenario.time + 9e9, scenario.me)).toEqual([]);
  });
});

describe('fencing', () => {
  const other = (event: object, change: object) => ({ v: 1, plan: 'plan.md', ...event, ...change }) as unknown as Event;
  it.each<[string, (s: VerifyScenario) => Event[]]>([
    [
      'about a token that is not live',
      (s) => {
        const { run, task, attempt } = s.live('a');
        const about = { run, task, attempt, token: 99 };
        return [
          other({ type: 'job-started', ...about }, { supervisor: s.plan.run!.runner }),
          other({ type: 'job-doomed', ...about }, { doom: { kind: 'stop' } }),
          other({ type: 'check-ended', ...about }, { check: 0, command: '', end: { kind: 'lost' }, result: 'passed' }),
        ];
      },
    ],
    [
      'about the job of another task',
      (s) => {
        const { run, attempt, token } = s.live('a');
        const about = { run, task: 'b', attempt, token };
        return [
          other({ type: 'check-ended', ...about }, { check: 0, command: '', end: { kind: 'lost' }, result: 'passed' }),
        ];
      },
    ],
    [
      'of an attempt with the token of a check',
      (s) => {
        const { run, task, attempt, token } = s.live('a');
        return [other({ type: 'attempt-ended', run, task, attempt, token }, { end: { kind: 'exited', code: 0 } })];
      },
    ],
    [
      'of a check with the token of an attempt',
      (s) => {
        const { run, task, attempt, token } = s.live('z');
        const about = { run, task, attempt, token };
        return [
          other({ type: 'check-ended', ...about }, { check: 0, command: '', end: { kind: 'lost' }, result: 'passed' }),
        ];
      },
    ],
    [
      'of a person about another attempt',
      () => [other({ type: 'review-ended', task: 'c', attempt: 'c#9', by: 'ann' }, { result: 'approved' })],
    ],
    [
      'of a person about a task that is not there',
      () => [other({ type: 'review-ended', task: 'nobody', attempt: 'nobody#1', by: 'ann' }, { result: 'approved' })],
    ],
    [
      'about decisions that are not open',
      () => [
        other({ type: 'decision-answered', decision: 'd99', choice: 'retry', by: 'ann' }, { affected: [] }),
        other({ type: 'decision-closed', decision: 'd99' }, {}),
        other({ type: 'decision-overdue', decision: 'd99' }, {}),
      ],
    ],
    [
      'of people about tasks that are not there',
      () => [
        other({ type: 'task-retried', task: 'nobody', by: 'ann' }, {}),
        other({ type: 'task-resumed', task: 'nobody', by: 'ann' }, {}),
      ],
    ],
  ])('events %s change nothing', (_, events) => {
    const scenario = busy();
    const plain = (state: State) => printState(state).replace(/"seq":\d+|"since":\d+|"changedAt":\d+/g, '');
    const before = plain(scenario.state);
    scenario.record(...events(scenario));
    expect(plain(scenario.state)).toBe(before);
  });

  it('a job of a task that is not there uses up its token, and nothing else', () => {
    const scenario = busy();
    const about = { v: 1, plan: scenario.plan.path, run: scenario.me.run, host: scenario.me.host } as const;
    const live = scenario.state.live.size;
    scenario.record({
      type: 'review-scheduled',
      ...about,
      task: taskId('nobody'),
      attempt: 'nobody#1' as never,
      token: 500,
    });
    expect([scenario.state.live.size, scenario.state.token]).toEqual([live, 500]);
  });

  it('the first doom counts', () => {
    const scenario = busy().dooms('a', { kind: 'stop' }).dooms('a', { kind: 'withdrawn' });
    expect(scenario.live('a').doom).toEqual({ kind: 'stop' });
  });

  it('a job that has started says when and by whom', () => {
    const scenario = busy();
    const { run, task, attempt, token, plan } = scenario.live('a');
    scenario.record({
      type: 'job-started',
      v: 1,
      plan,
      run,
      task,
      attempt,
      token,
      supervisor: scenario.plan.run!.runner,
    });
    expect(scenario.live('a')).toMatchObject({ startedAt: scenario.time, supervisor: scenario.plan.run!.runner });
  });
});

describe('events that say less', () => {
  it('a rejection without anything is one of medium severity', () => {
    const scenario = busy();
    const about = { v: 1, plan: scenario.plan.path, task: taskId('c'), attempt: 'c#1' as never } as const;
    scenario.record({ type: 'review-ended', ...about, by: 'ann', result: 'rejected' });
    expect(scenario.task('c').review).toEqual({ verdict: 'rejected', severity: 'medium', issues: [] });
  });

  it('logs from before there were checks, reviews and decisions fold to a plan without them', () => {
    const scenario = begin('a, b → a').schedule('a').end('a', 0);
    expect([...scenario.plan.unjudged]).toEqual([0]);
    expect(scenario.plan.run).toMatchObject({ onFailure: null, escalationAgent: null, decideWithinMs: 0 });
    expect(scenario.goOn().status('a')).toBe('completed');
  });
});

describe('ends that come late', () => {
  it('of a check whose task an edit has taken away has no command any more', () => {
    const scenario = verifying('a', keys).ends('a');
    const live = scenario.live('a');
    scenario.load(planOf('z'), 'r2');
    expect(checkEnded(scenario.plan, live, 0, { kind: 'exited', code: 0 })).toMatchObject({
      command: '',
      result: 'passed',
    });
    expect(checkEnded(verifying('a').plan, live, 0, { kind: 'lost' })).toMatchObject({
      command: '',
      result: 'interrupted',
    });
  });

  it('of a reviewer that ended with an error is no answer, whatever it said', () => {
    const live = verifying('b', keys).ends('b').live('b');
    const event = reviewEnded(live, 'r', { kind: 'exited', code: 2 }, { verdict: 'approved' });
    expect(event).toMatchObject({ result: 'unreadable', problem: 'the reviewer ended with code 2' });
  });

  it('of a reviewer that has finished and did not end itself counts', () => {
    const scenario = verifying('b', keys).ends('b').dooms('b', { kind: 'finished' });
    const ended = (kind: 'killed' | 'lost', answer: Parameters<typeof reviewEnded>[3], agent?: AgentReport) =>
      reviewEnded(scenario.live('b'), 'r', { kind, code: null } as AttemptEnd, answer, agent);
    expect(ended('killed', { verdict: 'approved' })).toMatchObject({ result: 'approved' });
    expect(ended('lost', { verdict: 'approved' })).toMatchObject({ result: 'interrupted' });
    expect(ended('killed', { verdict: 'approved' }, { by: 'r', class: 'crash' })).toMatchObject({
      result: 'unreadable',
    });
    // It is counted: otherwise a reviewer that never answers would be asked for ever.
    scenario.record(ended('killed', { verdict: 'unreadable', problem: 'no answer' }));
    expect(scenario.task('b').ended).toMatchObject({ interrupted: 1, problem: 'no answer' });
  });

  it('of a reviewer that never spoke is none', () => {
    const live = verifying('b', keys).ends('b').dooms('b', { kind: 'mute', limitMs: 5 }).live('b');
    const event = reviewEnded(live, 'r', { kind: 'killed', code: null }, { verdict: 'approved' });
    expect(event).toMatchObject({ result: 'unreadable', problem: 'the reviewer took too long' });
  });

  it('of a reviewer without hooks is none, and is counted: the next one has none either', () => {
    const scenario = verifying('b', keys).ends('b');
    const said = { by: 'r', class: 'ungoverned', said: '{"verdict":"approved"}' } as const;
    const end = { kind: 'exited', code: 0 } as const;
    expect(reviewEnded(scenario.live('b'), 'r', end, { verdict: 'approved' }, said)).toMatchObject({
      result: 'unreadable',
      problem: 'the reviewer ended badly: its hooks did not reach Signalbox',
    });
    const live = scenario.dooms('b', { kind: 'ungoverned' }).live('b');
    const event = reviewEnded(live, 'r', { kind: 'killed', code: null }, { verdict: 'approved' });
    const problem = 'the reviewer was stopped: its hooks did not reach Signalbox';
    expect(event).toMatchObject({ result: 'unreadable', problem });
    expect(scenario.record(event).task('b').ended).toMatchObject({ interrupted: 1, problem });
  });

  it('of an attempt of a run that is over is judged, and asked about without a run', () => {
    const scenario = verifying('d, e → d', keys);
    const { run, path } = scenario.plan;
    const summary = {
      totalTasks: 2,
      completed: 0,
      pending: 1,
      in_progress: 1,
      failed: 0,
      blocked: 0,
      suspended: 0,
      skipped: 0,
    };
    scenario.record({ type: 'run-ended', v: 1, plan: path, run: run!.run, outcome: 'aborted', exitCode: 137, summary });
    scenario.end('d', 1).settle();
    expect(scenario.events.at(-1)).not.toHaveProperty('run');
    expect(scenario.asked()).toEqual(['d1 failure d']);
  });

  it('nothing is judged that has a check before it', () => {
    const scenario = verifying('a', keys);
    scenario.end('a', 0);
    expect(judgeEnd(scenario.state, scenario.plan, 0, scenario.time)).toEqual([]);
  });
});

describe('decisions side by side', () => {
  it('two about one preferred task are each their own', () => {
    const soft = { run: 'true', softFailure: 'ask' } as const;
    const scenario = verifying('d, b ~> d, c ~> d, z', { d: keys.d, b: soft, c: soft }).ends('d', 1);
    expect(scenario.asked()).toEqual(['d1 soft-failure b', 'd2 soft-failure c']);
    expect(scenario.answer('go-on').asked()).toEqual(['d2 soft-failure c']);
    expect(scenario.retry('d').goOn().asked()).toEqual([]);
  });

  it('a preferred one that an edit took away is not tried again, the other is', () => {
    const soft = { run: 'true', softFailure: 'ask' } as const;
    const scenario = verifying('d, p, b ~> d p, z', { d: keys.d, p: keys.d, b: soft }).ends('d', 1).ends('p', 1);
    const tasks = scenario.plan.plan.tasks
      .filter(({ id }) => id !== 'd')
      .map((task) => (task.id === 'b' ? { ...task, prefers: [taskId('p')] } : task));
    scenario.load({ ...scenario.plan.plan, tasks }, 'r2').goOn();
    expect(scenario.answer('retry').going()).toEqual(['z#1', 'p#2']);
  });

  it('a loop of the plan does not hide a batch that has ended, and waits also when nothing is left to start', () => {
    const idle = { changed: false, output: true };
    const rules = { livelock: { sameRejections: 3, circularRejections: 2, noProgress: 1, sameCalls: 0, undoing: 0 } };
    const x = { agent: 'x', retries: 0 };
    const scenario = verifying('x, d | e', { x, d: keys.d }, { ...rules, phases: { 1: { batch: true } } }).ends(
      'x',
      1,
      idle,
    );
    expect(scenario.ends('d', 1).asked()).toEqual(['d1 livelock', 'd2 batch']);
    const alone = verifying('x', { x }, rules).ends('x', 1, idle);
    expect([alone.asked(), alone.outcome()]).toEqual([['d1 livelock'], 'waiting']);
  });

  it('only those whose time has come are overdue', () => {
    const scenario = verifying('d, e → d, p, q → p, z', { d: keys.d, p: keys.d }, { decideWithinMs: 1_000 })
      .ends('d', 1)
      .wait(1_000);
    expect(scenario.decision().deadline).toBeUndefined();
    scenario.ends('p', 1).wait(1_000);
    expect(scenario.decision(decisionId(2)).deadline).toBeUndefined();
  });
});

it('an edit is matched by what people wrote, not by what closes it', () => {
  const scenario = verifying('a', {}, { finish: 'push' });
  expect(matchRevision(scenario.plan, planOf('a', { finish: 'push' }))).toMatchObject({
    added: [],
    removed: [],
    conflicts: [],
  });
});
