// A deadlock as a run tells it: what it is, who is stopped, and how it ended; each once.
import { expect, it } from 'vitest';
import { happened, stored } from '../../../test/rigs/cli-rig.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import { runId, taskId } from '../../core/model/ids.ts';
import { paintFor } from '../terminal/paint.ts';
import { describeEvent } from '../text/describe/describe-event.ts';
import { runLines } from './run-lines.ts';
import { RunProgress } from './run-progress.ts';

const words = '1.1#1 holds a and waits for b, held by 1.2#1, which waits for a';
const run = runId('r1');
const victim = { run, task: taskId('1.2'), attempt: '1.2#1' as never, token: 2 };
const process = { host: 'h' as never, pid: 1, startTime: '1' };
const waits = (task: string, resource: string, blockedBy: string[]) => {
  const who = { owner: `#${task}`, task: taskId(task), attempt: `${task}#1` as never, token: 1, run };
  return stored(1, { type: 'lock-waiting', ...who, resource, wants: [], blockedBy, process });
};

const story = (saved: string | null, left?: readonly string[]): StoredEvent[] => [
  waits('1.2', 'a', ['1.1#1']),
  stored(1, {
    ...{ type: 'deadlock-detected', run, cycle: ['1.1#1', '1.2#1'], words, victim: victim.attempt, token: 2 },
    ...{ victimTask: victim.task, blockedOn: 'a', blocker: '1.1#1', reason: 'it started last' },
  }),
  stored(1, {
    ...{ type: 'attempt-doomed', ...victim },
    doom: { kind: 'deadlock', words, blocker: { owner: '#1', name: '1.1#1', resource: 'a' } },
  }),
  waits('1.1', 'b', ['1.2#1']),
  happened.ended(2, '1.2', 0),
  stored(2, { type: 'work-saved', ...victim, saved, files: saved === null ? 0 : 2 }),
  stored(2, { type: 'files-put-back', ...victim, ...(left ? { left } : {}) }),
  stored(2, { type: 'need-added', task: victim.task, on: '1.1#1', owner: '#1', resource: 'a' }),
  stored(2, {
    type: 'retry-scheduled',
    run,
    task: victim.task,
    attempt: victim.attempt,
    because: 'deadlock',
    notBefore: 0,
  }),
  stored(2, { type: 'deadlock-resolved', run, victim: victim.attempt, victimTask: victim.task, token: 2 }),
];

const told = (events: readonly StoredEvent[]) => {
  const progress = new RunProgress();
  return events.flatMap((event) => {
    progress.apply(event);
    return runLines(event, progress, paintFor(false));
  });
};

it('is one block when it is found, and one line when it is over', () => {
  expect(told(story('1.2#1'))).toEqual([
    '‖  1.2  waits for a until 1.1#1 is done with it',
    `■  deadlock: ${words}`,
    '   1.2#1 is stopped: it started last',
    '↻  1.2  the deadlock is resolved: its work is saved as 1.2#1 (2 files); it runs again after 1.1#1, and no retry was used',
  ]);
});

it.each([
  [null, undefined, 'the deadlock is resolved: it runs again after 1.1#1, and no retry was used'],
  [null, ['b'], 'the deadlock is resolved: b could not be put back; it runs again after 1.1#1, and no retry was used'],
])('with %j saved and %j left', (saved, left, end) => {
  expect(told(story(saved, left)).at(-1)).toBe(`↻  1.2  ${end}`);
});

it('tells of saved work that no deadlock explains', () => {
  const saved = stored(1, { type: 'work-saved', ...victim, saved: 'x', files: 1 });
  expect(told([saved])).toEqual(['↻  the work of 1.2#1 is saved as x (1 file)']);
});

it('has the circle in the log once', () => {
  const lines = story('1.2#1').map(describeEvent);
  expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
  expect(lines).toContain('1.2 runs again after 1.1#1, which holds a');
});
