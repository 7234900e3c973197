import { describe, expect, it } from 'vitest';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Answer } from './accept-or-refuse.ts';
import { markCompleted, markFailed, markSkipped, markStarted } from './mark-task.ts';

const ann = { by: 'ann' };

/** One line per event, or the refusal. */
function told(answer: Answer): string | string[] {
  if (!answer.ok) return `${answer.because}: ${answer.instead}`;
  return answer.events.map((event) => {
    switch (event.type) {
      case 'decision-opened':
        return `asked ${event.decision} ${event.kind}`;
      case 'decision-answered':
        return `answered ${event.decision} ${event.choice} (${event.reason})`;
      case 'attempt-doomed':
        return `doomed ${event.attempt} ${event.doom.kind}`;
      case 'lock-acquired':
        return `locked ${event.resource}`;
      default:
        return 'task' in event ? `${event.type} ${event.task}` : event.type;
    }
  });
}
const eventsOf = (answer: Answer) => (answer.ok ? answer.events : []);
const loaded = (text: string, keys = {}) => log(planOf(text, { keys })).load();
const started = (scenario: Scenario, id: string) =>
  scenario.record(...eventsOf(markStarted(scenario.state, scenario.plan, scenario.index(id), ann))).settle();
const ended = { kind: 'exited', code: 0 } as const;

/** What each of the commands says about task `a`; `forced` when that differs. */
const cases: [string, () => Scenario, Record<'started' | 'completed' | 'failed', string | string[]>, object?][] = [
  [
    'ready',
    () => loaded('a'),
    {
      started: ['task-started a'],
      completed: ['task-started a', 'task-handed-in a'],
      failed: ['task-started a', 'task-failed a'],
    },
  ],
  [
    'failed, with attempts left',
    () => loaded('a').fail('a'),
    {
      started: ['task-started a'],
      completed: ['task-started a', 'task-handed-in a'],
      failed: 'a has already failed: try it again: signalbox mark-started a',
    },
    { failed: ['asked d1 override', 'answered d1 go-on (a has already failed)', 'task-failed a'] },
  ],
  [
    'failed, with none left',
    () => loaded('a', { a: { retries: 0 } }).fail('a'),
    {
      started: 'a has no attempts left: grant one more: signalbox retry a',
      completed: 'a has no attempts left: grant one more: signalbox retry a',
      failed: 'a has already failed: try it again: signalbox retry a',
    },
    {
      started: ['asked d1 override', 'answered d1 go-on (a has no attempts left)', 'task-started a'],
      completed: ['asked d1 override', 'answered d1 go-on (a has no attempts left)', 'task-completed a'],
      failed: ['asked d1 override', 'answered d1 go-on (a has already failed)', 'task-failed a'],
    },
  ],
  [
    'started by hand',
    () => started(loaded('a'), 'a'),
    {
      started: 'a was already started by ann: hand it in: signalbox mark-complete a',
      completed: ['task-handed-in a'],
      failed: ['task-failed a'],
    },
  ],
  [
    'waiting',
    () => loaded('b, a → b'),
    {
      started: 'a is not ready: it waits for b: see what can start now: signalbox next',
      completed: 'a is not ready: it waits for b: see what can start now: signalbox next',
      failed: 'a is not ready: it waits for b: see what can start now: signalbox next',
    },
    {
      started: ['asked d1 override', 'answered d1 go-on (a is not ready: it waits for b)', 'task-started a'],
      completed: ['asked d1 override', 'answered d1 go-on (a is not ready: it waits for b)', 'task-completed a'],
      failed: ['asked d1 override', 'answered d1 go-on (a is not ready: it waits for b)', 'task-failed a'],
    },
  ],
  [
    'blocked',
    () => loaded('b, a → b').fail('b'),
    {
      started: 'a is blocked by b (failed): try b again first: signalbox retry b',
      completed: 'a is blocked by b (failed): try b again first: signalbox retry b',
      failed: 'a is blocked by b (failed): try b again first: signalbox retry b',
    },
    {
      started: ['asked d1 override', 'answered d1 go-on (a is blocked by b (failed))', 'task-started a'],
      completed: ['asked d1 override', 'answered d1 go-on (a is blocked by b (failed))', 'task-completed a'],
      failed: ['asked d1 override', 'answered d1 go-on (a is blocked by b (failed))', 'task-failed a'],
    },
  ],
  [
    'suspended',
    () => loaded('a').suspend('a'),
    {
      started: 'a is suspended: resume it first: signalbox resume a',
      completed: 'a is suspended: resume it first: signalbox resume a',
      failed: 'a is suspended: resume it first: signalbox resume a',
    },
    {
      started: ['asked d1 override', 'answered d1 go-on (a is suspended)', 'task-started a'],
      completed: ['asked d1 override', 'answered d1 go-on (a is suspended)', 'task-completed a'],
      failed: ['asked d1 override', 'answered d1 go-on (a is suspended)', 'task-failed a'],
    },
  ],
  [
    "a live attempt's",
    () => begin('a').schedule('a').start('a'),
    {
      started: 'a is running, as a#1: suspend it first: signalbox suspend a',
      completed: 'a is running, as a#1: suspend it first: signalbox suspend a',
      failed: 'a is running, as a#1: suspend it first: signalbox suspend a',
    },
    {
      completed: [
        'asked d1 override',
        'answered d1 go-on (a is running, as a#1)',
        'task-completed a',
        'doomed a#1 stop',
      ],
      failed: [
        'asked d1 override',
        'answered d1 go-on (a is running, as a#1)',
        'task-failed a',
        'doomed a#1 withdrawn',
      ],
    },
  ],
  [
    "an attempt's that is being ended",
    () => begin('a').schedule('a').doom('a', { kind: 'stop' }),
    {
      started: 'a#1 is being stopped: try again in a moment; if no run is going on, start one: signalbox run',
      completed: 'a#1 is being stopped: try again in a moment; if no run is going on, start one: signalbox run',
      failed: 'a#1 is being stopped: try again in a moment; if no run is going on, start one: signalbox run',
    },
    {
      completed: ['asked d1 override', 'answered d1 go-on (a#1 is being stopped)', 'task-completed a'],
      failed: ['asked d1 override', 'answered d1 go-on (a#1 is being stopped)', 'task-failed a'],
    },
  ],
  [
    'being judged',
    () => begin('a').schedule('a').end('a', ended),
    {
      started: 'a is being checked or reviewed: see: signalbox why a',
      completed: 'a is being checked or reviewed: see: signalbox why a',
      failed: 'a is being checked or reviewed: see: signalbox why a',
    },
  ],
  [
    'completed',
    () => loaded('+a'),
    {
      started: 'a is already completed: do it again: signalbox retry a --force --reason TEXT',
      completed: 'a is already completed: do it again: signalbox retry a --force --reason TEXT',
      failed: 'a is already completed: do it again: signalbox retry a --force --reason TEXT',
    },
    {
      started: ['asked d1 override', 'answered d1 go-on (a is already completed)', 'task-retried a', 'task-started a'],
      completed: [
        'asked d1 override',
        'answered d1 go-on (a is already completed)',
        'task-retried a',
        'task-completed a',
      ],
      failed: ['asked d1 override', 'answered d1 go-on (a is already completed)', 'task-retried a', 'task-failed a'],
    },
  ],
  [
    'skipped',
    () => loaded('-a'),
    {
      started: 'a is already skipped: do it again: signalbox retry a',
      completed: 'a is already skipped: do it again: signalbox retry a',
      failed: 'a is already skipped: do it again: signalbox retry a',
    },
    {
      started: ['asked d1 override', 'answered d1 go-on (a is already skipped)', 'task-retried a', 'task-started a'],
      completed: [
        'asked d1 override',
        'answered d1 go-on (a is already skipped)',
        'task-retried a',
        'task-completed a',
      ],
      failed: ['asked d1 override', 'answered d1 go-on (a is already skipped)', 'task-retried a', 'task-failed a'],
    },
  ],
  [
    'a group',
    () => loaded('a { b }'),
    {
      started: 'a is a group: mark its subtasks instead',
      completed: 'a is a group: mark its subtasks instead',
      failed: 'a is a group: mark its subtasks instead',
    },
  ],
];

describe.each(cases)('a task that is %s', (_, make, expected, forced = {}) => {
  it.each([
    ['keeps to the rules', false, expected],
    ['is forced', true, { ...expected, ...forced }],
  ] as const)('%s', (__, force, answers) => {
    const s = make();
    const i = s.index('a');
    expect(told(markStarted(s.state, s.plan, i, { ...ann, force }))).toEqual(answers.started);
    expect(told(markCompleted(s.state, s.plan, i, { ...ann, force, checks: 0 }))).toEqual(answers.completed);
    expect(told(markFailed(s.state, s.plan, i, { ...ann, force, error: 'no', now: s.time }))).toEqual(answers.failed);
  });
});

describe('mark-started', () => {
  const start = (s: Scenario, more = {}) => told(markStarted(s.state, s.plan, s.index('a'), { ...ann, ...more }));

  it('starts nothing in a paused plan', () => {
    const s = loaded('a').pause();
    expect(start(s)).toBe('plan.md was paused by ann: resume it: signalbox resume');
    expect(start(s, { force: true, reason: 'now' })).toEqual([
      'asked d1 override',
      'answered d1 go-on (plan.md was paused by ann; now)',
      'task-started a',
    ]);
  });

  it('waits for the answer to a question', () => {
    const s = loaded('a');
    s.task('a').hold = 'd7' as never;
    expect(start(s)).toBe('a waits for the decision d7: answer it: signalbox decide d7');
  });

  it('takes the declared locks, or says who has them', () => {
    const s = loaded('a, b', { a: { files: ['src/a.ts'] }, b: { files: ['src'] } });
    expect(start(s)).toEqual(['task-started a', 'locked src/a.ts']);
    started(s, 'b');
    expect(start(s, { force: true })).toBe('a needs src, and b#1 holds it: see all locks: signalbox lock list');
  });

  it('leaves the files of an attempt that was stopped to whoever puts them back', () => {
    const s = begin(planOf('a', { keys: { a: { files: ['x'], run: 'true' } } })).goOn();
    s.start('a').doom('a', { kind: 'withdrawn' }).end('a', { kind: 'killed', code: null }).settle();
    expect(s.state.salvage.size).toBe(1);
    expect(start(s)).toMatch(/^a is being checked|^the files of a#1 have not been put back yet/);
    s.suspend('a').resume('a');
    expect(start(s)).toBe(
      'the files of a#1 have not been put back yet: try again in a moment; if no run is going on, start one: signalbox run',
    );
    const { token } = s.task('a');
    s.saveWork(token).putBack(token).settle();
    expect(start(s)).toEqual(['task-started a', 'locked x']);
  });

  it('comes after whoever a deadlock has put before it', () => {
    const s = loaded('a').lock('bob', 'x');
    s.task('a').after = { owner: 'bob', name: 'bob', task: null, resource: 'x' };
    expect(start(s)).toBe('a was stopped to end a deadlock, and waits until bob releases x: see: signalbox why a');
  });
});

describe('mark-complete', () => {
  const complete = (s: Scenario, more: object) =>
    markCompleted(s.state, s.plan, s.index('a'), { ...ann, checks: 0, ...more });

  it('hands in with notes and the number of green checks', () => {
    const s = started(loaded('a', { a: { check: ['true', 'true'] } }), 'a');
    const about = { type: 'task-handed-in', v: 1, plan: 'plan.md', task: 'a', by: 'ann', attempt: 'a#1', token: 1 };
    expect(eventsOf(complete(s, { checks: 2, notes: 'done' }))).toEqual([{ ...about, checks: 2, notes: 'done' }]);
    expect(eventsOf(complete(s, { checks: 2 }))).toEqual([{ ...about, checks: 2 }]);
  });

  it('leaves the checks out by a decision', () => {
    const s = started(loaded('a', { a: { check: ['false'] } }), 'a');
    const answer = complete(s, { withoutChecks: true, reason: 'no network' });
    expect(told(answer)).toEqual([
      'asked d1 override',
      'answered d1 go-on (the checks of a were left out; no network)',
      'task-handed-in a',
    ]);
    s.record(...eventsOf(answer)).settle();
    expect(s.status('a')).toBe('completed');
  });

  it('records no decision where there are no checks to leave out', () => {
    expect(told(complete(loaded('a'), { withoutChecks: true }))).toEqual(['task-started a', 'task-handed-in a']);
  });

  it('says in one decision that it was forced and not checked', () => {
    const s = loaded('b, a → b', { a: { check: ['false'] } });
    expect(told(complete(s, { withoutChecks: true, force: true }))).toEqual([
      'asked d1 override',
      'answered d1 go-on (a is not ready: it waits for b, and its checks were left out)',
      'task-completed a',
    ]);
  });

  it('needs the locks of the task, also without a start', () => {
    const s = loaded('a, b', { a: { files: ['x'] }, b: { files: ['x'] } });
    started(s, 'b');
    expect(told(complete(s, {}))).toBe('a needs x, and b#1 holds it: see all locks: signalbox lock list');
  });

  it('is forced with its notes', () => {
    const s = loaded('b, a → b');
    s.record(...eventsOf(complete(s, { force: true, notes: 'by hand' }))).settle();
    expect([s.status('a'), s.task('a').notes]).toEqual(['completed', 'by hand']);
  });
});

describe('mark-failed', () => {
  const fail = (s: Scenario, more = {}) =>
    markFailed(s.state, s.plan, s.index('a'), { ...ann, error: 'no', now: s.time, ...more });

  it('counts, and asks when no attempt is left and others need it', () => {
    const s = loaded('a, b → a', { a: { retries: 1 } });
    s.record(...eventsOf(fail(s))).settle();
    expect([s.task('a').failures, s.status('b'), s.plan.decisions.size]).toEqual([1, 'blocked', 0]);
    started(s, 'a');
    const last = fail(s);
    expect(told(last)).toEqual(['task-failed a', 'asked d1 failure']);
    s.record(...eventsOf(last)).settle();
    expect([s.task('a').failures, s.task('a').failure]).toEqual([2, { kind: 'said', message: 'no' }]);
  });

  it('numbers the question after the decision to go against a rule', () => {
    const s = loaded('b, a → b, c → a', { a: { retries: 0 } });
    expect(told(fail(s, { force: true }))).toEqual([
      'asked d1 override',
      'answered d1 go-on (a is not ready: it waits for b)',
      'task-failed a',
      'asked d2 failure',
    ]);
  });

  it('ends an attempt that was found stuck, without a decision', () => {
    const s = begin('a*').schedule('a').start('a');
    const answer = fail(s, { stuck: true });
    expect(told(answer)).toEqual(['task-failed a', 'doomed a#1 withdrawn']);
    expect(eventsOf(answer)[0]).toMatchObject({ stuck: true, optional: true, by: 'ann' });
    s.record(...eventsOf(answer));
    expect([s.task('a').stuck, s.status('a')]).toEqual([true, 'failed']);
  });

  it('needs the locks of the task, also without a start', () => {
    const s = loaded('a, b', { a: { files: ['x'] }, b: { files: ['x'] } });
    started(s, 'b');
    expect(told(fail(s))).toBe('a needs x, and b#1 holds it: see all locks: signalbox lock list');
  });
});

describe('mark-skipped', () => {
  const skip = (s: Scenario, more = {}) => told(markSkipped(s.state, s.plan, s.index('a'), { ...ann, ...more }));

  it('asks what becomes of those who need it', () => {
    expect(skip(loaded('a'))).toEqual(['task-skipped a']);
    expect(skip(loaded('a, b → a'))).toMatch(/^b needs a: add --dependents/);
    expect(skip(loaded('a, b → a'), { dependents: true })).toEqual(['task-skipped a', 'task-skipped b']);
    expect(skip(loaded('+a'))).toBe('a is completed: skip it anyway: signalbox mark-skipped a --force --reason TEXT');
  });

  it('takes nothing away from a process of ours, unless that is meant', () => {
    const s = begin('a { b, c }').schedule('c').start('c');
    expect(skip(s)).toBe('c is running, as c#1: suspend it first: signalbox suspend c');
    expect(skip(s, { force: true })).toEqual([
      'asked d1 override',
      'answered d1 go-on (c is running, as c#1)',
      'task-skipped b',
      'task-skipped c',
      'doomed c#1 withdrawn',
    ]);
  });
});
