import { expect, it } from 'vitest';
import { aPlan, happened, noTasks, startOfTime, stored, theRun } from '../../../../test/rigs/cli-rig.ts';
import type { StoredEvent } from '../../../core/model/event.ts';
import { attemptId, taskId } from '../../../core/model/ids.ts';
import { eventJson } from '../../json/event-json.ts';
import { describeEvent, describeEventFully } from './describe-event.ts';

const a = taskId('a');
const retry = { type: 'retry-scheduled', run: theRun, task: a, attempt: attemptId(a, 1) } as const;

const cases: [StoredEvent, string][] = [
  [happened.loaded(0, aPlan(['a', 'b'])), 'the plan was loaded: 2 tasks'],
  [stored(0, { type: 'plan-paused', by: 'ann', reason: 'lunch' }), 'the plan was paused by ann: lunch'],
  [stored(0, { type: 'plan-resumed', by: 'ann' }), 'the plan was resumed by ann'],
  [
    stored(0, { type: 'plan-stuck', run: theRun, blocked: 2, causes: [{ task: a, status: 'failed' }] }),
    'stuck: 2 tasks cannot start because a failed',
  ],
  [happened.runStarted(0, 3), 'the run started, at most 3 at once'],
  [happened.runStarted(0, 0), 'the run started, no task may run (max-parallel is 0)'],
  [
    stored(0, { type: 'run-stopping', run: theRun, mode: 'drain', by: 'ann', exitCode: 130 }),
    'nothing new starts; running attempts may end (asked by ann)',
  ],
  [
    stored(0, {
      type: 'run-ended',
      run: theRun,
      outcome: 'stuck',
      exitCode: 5,
      summary: { ...noTasks, totalTasks: 1 },
    }),
    'the run ended: stuck (exit 5), 0 of 1 task completed',
  ],
  [happened.scheduled(0, 'a'), 'a#1 is next'],
  [
    { ...happened.scheduled(0, 'a'), warnings: [{ task: taskId('w'), status: 'failed' }] } as StoredEvent,
    'a#1 is next, without the preferred w (failed)',
  ],
  [happened.started(0, 'a', 2), 'a#2 started'],
  [
    { ...happened.started(0, 'a'), type: 'attempt-doomed', doom: { kind: 'timeout', limitMs: 5000 } } as StoredEvent,
    'a#1 ran longer than 5 s',
  ],
  [happened.ended(0, 'a', 1), 'a#1 exited with code 1'],
  [
    {
      ...happened.ended(0, 'a'),
      evidence: {
        incidents: [
          { kind: 'shared', what: 'the hook pre-commit was added', saved: '/kept' },
          { kind: 'shared', what: 'the stash changed' },
          { kind: 'checkout', what: 'files in your checkout changed: a.txt' },
        ],
      },
    } as StoredEvent,
    'a#1 exited with code 0; while it worked, the hook pre-commit was added; before and after: /kept; while it worked, the stash changed; while it worked, files in your checkout changed: a.txt (that may be your own work)',
  ],
  [
    stored(0, { ...retry, because: 'failed', failure: { kind: 'exit', code: 1 }, notBefore: startOfTime + 1200 }),
    'a will be tried again in 1.2 s: it exited with code 1',
  ],
  [stored(5, { ...retry, because: 'lost', notBefore: startOfTime }), 'a will be tried again at once: it was lost'],
  [stored(0, { type: 'backoff-ended', task: a }), 'a may start again: its backoff is over'],
  [happened.completed(0, 'a'), 'a completed'],
  [happened.failed(0, 'a'), 'a failed: exited with code 3'],
  [{ ...happened.failed(0, 'a'), optional: true } as StoredEvent, 'a failed: exited with code 3 (optional)'],
  [stored(0, { type: 'task-skipped', task: a, by: 'ann' }), 'a was skipped by ann'],
  [
    stored(0, { type: 'task-skipped', task: a, by: 'ann', reason: 'no', treatAsDone: true }),
    'a was skipped by ann: no, treated as done',
  ],
  [stored(0, { type: 'task-suspended', task: a, by: 'ann' }), 'a was suspended by ann'],
  [stored(0, { type: 'task-resumed', task: a, by: 'ann' }), 'a was resumed by ann'],
  [stored(0, { type: 'task-retried', task: a, by: 'ann', reopened: true }), 'a was reopened by ann'],
  [
    stored(0, { type: 'task-retried', task: a, by: 'ann', note: 'port', reopened: true }),
    'a was reopened by ann: port',
  ],
  [stored(0, { type: 'task-retried', task: a, by: 'ann', note: 'port' }), 'a gets one more attempt from ann: port'],
];

it.each(cases)('%j is said as: %s', (event, words) => expect(describeEvent(event)).toBe(words));

it('tells type, run, token and process to whoever looks for a fault', () => {
  expect(describeEventFully(happened.started(0, 'a', 2))).toBe(
    'attempt-started: a#2 started [run r1, token 2, supervisor 42]',
  );
  expect(describeEventFully(stored(0, { type: 'backoff-ended', task: a }))).toBe(
    'backoff-ended: a may start again: its backoff is over',
  );
});

it.each(cases)('as JSON, %j has type, seq and at first and no internals', (event) => {
  const json = eventJson(event) as Record<string, unknown>;
  expect(Object.keys(json).slice(0, 3)).toEqual(['type', 'seq', 'at']);
  expect(json.at).toBe(new Date(event.at).toISOString());
  expect(json).not.toHaveProperty('v');
  expect(json).not.toHaveProperty('definition');
});

it('counts the tasks of a plan in JSON and leaves its definition out', () => {
  const plan = aPlan(['g', 'a', 'b']);
  const definition = {
    ...plan,
    tasks: plan.tasks.map((task, i) => (i === 0 ? { ...task, group: true as const } : task)),
  };
  expect(eventJson(happened.loaded(0, definition))).toMatchObject({
    type: 'plan-loaded',
    tasks: 2,
    revision: 'abc',
    plan: 'plan.md',
  });
});

it('gives the time of the next attempt as an ISO string', () => {
  const event = stored(0, { ...retry, because: 'lost', notBefore: startOfTime + 1000 });
  expect(eventJson(event)).toMatchObject({ notBefore: '2026-11-15T12:00:01.000Z', because: 'lost', attempt: 'a#1' });
});
