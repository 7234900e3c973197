import { expect, it } from 'vitest';
import type { Reason } from '../../../core/explain/explain.ts';
import { type AttemptId, taskId } from '../../../core/model/ids.ts';
import { describeReason, waysOut } from './describe-reason.ts';

const now = 1_000_000;
const typed = (plan: string) => plan;
const [a, b, c] = ['a', 'b', 'c'].map(taskId) as [
  ReturnType<typeof taskId>,
  ReturnType<typeof taskId>,
  ReturnType<typeof taskId>,
];

it.each<[Reason, string]>([
  [{ kind: 'need', task: a, status: 'in_progress', causes: [] }, 'It needs a, which is running.'],
  [{ kind: 'need', task: a, status: 'pending', causes: [] }, 'It needs a, which has not started yet.'],
  [{ kind: 'need', task: a, status: 'failed', causes: [{ task: a, status: 'failed' }] }, 'It needs a, which failed.'],
  [
    {
      kind: 'need',
      task: b,
      status: 'blocked',
      causes: [
        { task: a, status: 'failed' },
        { task: c, status: 'suspended' },
      ],
    },
    'It needs b, which is blocked, because a failed and c is suspended.',
  ],
  [
    { kind: 'need', task: a, status: 'skipped', causes: [{ task: a, status: 'skipped' }] },
    'It needs a, which was skipped and is not treated as done.',
  ],
  [
    { kind: 'need', task: a, status: 'pending', causes: [{ task: a, status: 'pending', limit: 'opus' }] },
    'It needs a, which can never start: the limit of pool opus is 0.',
  ],
  [
    { kind: 'need', task: a, status: 'in_progress', causes: [], via: b },
    'It needs a, which is running (through its group b).',
  ],
  [
    { kind: 'need', task: a, status: 'failed', causes: [{ task: a, status: 'failed' }], part: true },
    'Its subtask a failed.',
  ],
  [
    { kind: 'preference', task: a, status: 'in_progress' },
    'It prefers a, which is running. It waits until a ends, even if it fails.',
  ],
  [
    {
      kind: 'phase',
      phase: 'Schema',
      tasks: [
        { task: a, status: 'failed' },
        { task: b, status: 'in_progress' },
      ],
    },
    'It waits for the phase before it ("Schema"): a failed and b is running.',
  ],
  [
    { kind: 'phase', phase: 'Schema', tasks: [{ task: a, status: 'pending' }], step: true },
    'It waits for the tasks before it: a has not started yet.',
  ],
  [{ kind: 'slot', pool: 'opus', limit: 0, running: 0 }, 'It can never start: the limit of pool opus is 0.'],
  [
    { kind: 'slot', pool: 'plan', limit: 3, running: 3 },
    'It waits for a free slot: 3 running now, and max-parallel is 3.',
  ],
  [
    { kind: 'slot', pool: 'workspace', limit: 2, running: 2 },
    'It waits for a free slot: 2 running now, and max-parallel is 2 for all plans together.',
  ],
  [{ kind: 'backoff', until: now - 1, failure: null }, 'Its next attempt may start now.'],
  [{ kind: 'paused', by: 'ann', reason: 'lunch' }, 'The plan was paused by ann: lunch.'],
  [{ kind: 'suspended', by: 'ann', reason: null }, 'It was suspended by ann.'],
  [{ kind: 'skipped', by: 'ann', reason: 'by hand' }, 'It was skipped by ann: by hand.'],
  [
    { kind: 'failed', failure: { kind: 'exit', code: 1 }, attempts: 3 },
    'It failed for good: the last of 3 attempts exited with code 1.',
  ],
  [
    { kind: 'failed', failure: { kind: 'exit', code: 1 }, attempts: 1 },
    'It failed for good: its only attempt exited with code 1.',
  ],
  [{ kind: 'failed', failure: { kind: 'said', message: 'no idea' }, attempts: 3 }, 'It failed for good: no idea.'],
  [
    { kind: 'failed', failure: { kind: 'said', message: 'no idea' }, attempts: 1, left: 2, again: true },
    'It failed: no idea. It has 2 attempts left, by hand or in a run.',
  ],
  [
    { kind: 'failed', failure: { kind: 'exit', code: 1 }, attempts: 2, left: 1 },
    'It failed: the last of 2 attempts exited with code 1. It has 1 attempt left, by hand only.',
  ],
  [{ kind: 'done', at: now - 180_000, by: null }, 'It was completed 3 min ago.'],
  [{ kind: 'done', at: 0, by: null }, 'It was completed before the first run.'],
  [
    { kind: 'running', attempt: 'a#2' as AttemptId, since: now - 3_200, ending: false },
    'a#2 has been running for 3 s.',
  ],
  [
    { kind: 'running', attempt: 'a#2' as AttemptId, since: now - 3_200, ending: true },
    'a#2 has been running for 3 s and is being stopped.',
  ],
])('%j is said as: %s', (reason, words) => expect(describeReason(reason, { now, typed })).toBe(words));

it('says when and why a task waits for its next attempt', () => {
  const reason: Reason = { kind: 'backoff', until: now + 1200, failure: { kind: 'exit', code: 1 } };
  expect(describeReason(reason, { now, typed })).toMatch(
    /^Its next attempt may start in 1\.2 s, at [\d:]+, because the last one exited with code 1\.$/,
  );
});

it.each<[Reason, string[]]>([
  [
    { kind: 'failed', failure: { kind: 'exit', code: 1 }, attempts: 1 },
    ['logs t', 'retry t', 'skip t --treat-as-done'],
  ],
  [
    { kind: 'failed', failure: { kind: 'exit', code: 1 }, attempts: 1, left: 2 },
    ['mark-started t', 'logs t', 'retry t', 'skip t --treat-as-done'],
  ],
  [{ kind: 'running', attempt: 't#1' as AttemptId, since: now, ending: false, by: 'ann' }, ['mark-complete t']],
  [{ kind: 'running', attempt: 't#1' as AttemptId, since: now, ending: false }, []],
  [
    { kind: 'need', task: b, status: 'blocked', causes: [{ task: a, status: 'failed' }] },
    ['logs a', 'retry a', 'skip a --treat-as-done'],
  ],
  [{ kind: 'need', task: a, status: 'suspended', causes: [{ task: a, status: 'suspended' }] }, ['resume a']],
  [
    { kind: 'need', task: a, status: 'skipped', causes: [{ task: a, status: 'skipped' }] },
    ['retry a', 'skip a --treat-as-done'],
  ],
  [{ kind: 'suspended', by: 'ann', reason: null }, ['resume t']],
  [{ kind: 'paused', by: 'ann' }, ['resume']],
  [{ kind: 'slot', pool: 'opus', limit: 0, running: 0 }, []],
])('the ways out of %j', (reason, ways) => expect(waysOut('t', [reason])).toEqual(ways));

it('no log is named where there is none', () => {
  const failed = { kind: 'failed', failure: { kind: 'said', message: 'x' }, attempts: 1 } as const;
  const need = { kind: 'need', task: a, status: 'failed', causes: [{ task: a, status: 'failed' }] } as const;
  expect(waysOut('t', [failed, need], ['t', a])).toEqual([
    'retry t',
    'skip t --treat-as-done',
    'retry a',
    'skip a --treat-as-done',
  ]);
});

it.each<[Reason, string]>([
  [{ kind: 'done', at: now - 5000, by: null }, 'It was completed at MOMENT.'],
  [{ kind: 'done', at: 0, by: null }, 'It was completed before the first run.'],
  [{ kind: 'backoff', until: now + 5000, failure: null }, 'Its next attempt may start at MOMENT.'],
  [{ kind: 'backoff', until: now - 5000, failure: null }, 'Its next attempt may start now.'],
  [
    { kind: 'running', attempt: 'a#1' as AttemptId, since: now - 5000, ending: true },
    'a#1 has been running since MOMENT and is being stopped.',
  ],
])('%j in absolute times: %s', (reason, words) => {
  const said = describeReason(reason, { now, isAbsolute: true, typed });
  expect(said.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d/, 'MOMENT')).toBe(words);
});
