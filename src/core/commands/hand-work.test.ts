import { describe, expect, it } from 'vitest';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { explain } from '../explain/explain.ts';
import { limitsFor } from '../model/defaults.ts';
import type { Event } from '../model/event.ts';
import { attemptId, runId, taskId } from '../model/ids.ts';
import { emptySettings } from '../model/settings.ts';
import type { Answer } from './accept-or-refuse.ts';
import { markCompleted, markFailed, markStarted } from './mark-task.ts';

const ann = { by: 'ann' };
const loaded = (text: string, keys = {}) => log(planOf(text, { keys })).load();
const does = (s: Scenario, answer: Answer) => {
  if (!answer.ok) throw new Error(answer.because);
  return s.record(...answer.events).settle();
};
const start = (s: Scenario, id: string) => does(s, markStarted(s.state, s.plan, s.index(id), ann));
const complete = (s: Scenario, id: string, checks = 0) =>
  does(s, markCompleted(s.state, s.plan, s.index(id), { ...ann, checks }));
const of = (type: 'task-seen' | 'task-handed-in', token: number): Event =>
  ({
    type,
    v: 1,
    plan: 'plan.md',
    task: taskId('a'),
    attempt: attemptId(taskId('a'), 1),
    token,
    by: 'ann',
    checks: 0,
  }) as Event;

describe('work by hand', () => {
  it('has a token, an attempt and an owner, and lets them go at its end', () => {
    const s = start(loaded('a'), 'a');
    expect(s.task('a').hand).toEqual({ attempt: 'a#1', token: 1, by: 'ann', startedAt: s.time, lastAt: s.time });
    expect([s.status('a'), s.task('a').attempts, [...s.state.hands]]).toEqual(['in_progress', 1, [1]]);
    complete(s, 'a');
    expect([s.status('a'), s.task('a').hand, [...s.state.hands]]).toEqual(['completed', null, []]);
  });

  it('keeps when it was first started, over attempts', () => {
    const s = start(loaded('a'), 'a');
    const first = s.time;
    does(s, markFailed(s.state, s.plan, 0, { ...ann, error: 'no', now: s.time })).after(1_000);
    start(s, 'a');
    const { firstStartedAt, startedAt, failedAt } = s.task('a');
    expect([firstStartedAt, startedAt, failedAt]).toEqual([first, first + 1_000, first]);
  });

  it('is seen, but only whose token it is', () => {
    const s = start(loaded('a'), 'a').after(500);
    const since = s.time - 500;
    s.record(of('task-seen', 9));
    expect(s.task('a').hand!.lastAt).toBe(since);
    s.record(of('task-seen', 1));
    expect(s.task('a').hand!.lastAt).toBe(since + 500);
  });

  it('is not handed in by a token of before', () => {
    const s = start(loaded('a'), 'a');
    s.record(of('task-handed-in', 9));
    expect([s.status('a'), s.task('a').ended]).toEqual(['in_progress', null]);
  });

  it.each([
    ['suspended', (s: Scenario) => s.suspend('a')],
    ['skipped', (s: Scenario) => s.skip('a')],
    ['failed', (s: Scenario) => s.fail('a')],
    ['completed', (s: Scenario) => s.complete('a')],
  ])('is over when its task is %s, and its locks are free', (_, end) => {
    const s = start(loaded('a', { a: { files: ['x'] } }), 'a');
    expect(s.locks()).toBe('a#1 x');
    end(s).settle();
    expect([s.task('a').hand, s.state.hands.size, s.locks()]).toEqual([null, 0, '']);
  });

  it('is left alone by a run, which waits for it in the end', () => {
    const s = start(loaded('a, b'), 'a').startRun().goOn();
    expect(s.status('a')).toBe('in_progress');
    s.start('b').end('b', 0).goOn();
    expect([s.plan.run!.ended?.outcome, s.status('b')]).toEqual(['waiting', 'completed']);
  });

  it('is checked by a run, when it was handed in with checks left', () => {
    const s = start(begin(planOf('a', { keys: { a: { check: ['true'] } } }), { plan: 0 }), 'a');
    s.record(of('task-handed-in', 1)).goOn();
    expect([...s.state.live.values()].map(({ job }) => job)).toEqual([{ kind: 'check', check: 0 }]);
  });

  it('is explained with who does it', () => {
    const s = start(loaded('a'), 'a');
    expect(explain(s.state, s.plan, 0, emptySettings).reasons).toEqual([
      { kind: 'running', attempt: 'a#1', since: s.time, ending: false, by: 'ann' },
    ]);
    expect(limitsFor(s.plan.plan, emptySettings).plan).toBe(3);
  });
});

describe('runs by hand', () => {
  const begun = (run: string): Event =>
    ({ type: 'hand-run-started', v: 1, plan: 'plan.md', run: runId(run), by: 'ann' }) as Event;

  it('count what is completed and failed while they go on, each for itself', () => {
    const s = loaded('a, b, c').record(begun('hand-1')).complete('a').record(begun('hand-2')).fail('b');
    const ended = { type: 'hand-run-ended', v: 1, plan: 'plan.md', run: 'hand-1', by: 'ann', completed: 1, failed: 1 };
    s.record(ended as Event).complete('c');
    expect(s.plan.history.map(({ run, completed, failed, endedAt }) => [run, completed, failed, endedAt > 0])).toEqual([
      ['hand-1', 1, 1, true],
      ['hand-2', 1, 1, false],
    ]);
  });

  it('are remembered up to a hundred', () => {
    const s = loaded('a');
    for (let n = 0; n < 105; n++) s.record(begun(`hand-${n}`));
    expect([s.plan.history.length, s.plan.history[0]!.run]).toEqual([100, 'hand-5']);
  });
});
