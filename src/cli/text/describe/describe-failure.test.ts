import { expect, it } from 'vitest';
import type { AttemptEnd, Doom, Failure } from '../../../core/model/failure.ts';
import { describeDoom, describeEnd, describeFailedTask, describeFailure } from './describe-failure.ts';

it.each<[Failure, string]>([
  [{ kind: 'exit', code: 3 }, 'exited with code 3'],
  [{ kind: 'exit', code: 127 }, 'exited with code 127 (usually: command not found)'],
  [{ kind: 'timeout', limitMs: 5000 }, 'ran longer than 5 s'],
  [{ kind: 'idle', limitMs: 1_800_000 }, 'was silent for 30 min'],
  [{ kind: 'lost', times: 1 }, 'was lost once: Signalbox did not see how it ended'],
  [{ kind: 'lost', times: 10 }, 'was lost 10 times: Signalbox did not see how it ended'],
  [{ kind: 'unstartable', message: 'no such program' }, 'could not be started: no such program'],
  [{ kind: 'nothing-done' }, 'ended without an error, but changed nothing'],
  [{ kind: 'nothing-done', lacks: 'calls' }, 'ended without an error, but called no tool and changed nothing'],
  [
    { kind: 'nothing-done', lacks: 'text' },
    'ended without an error, but its last message, which is its result, is empty',
  ],
])('a failure %j %s', (failure, words) => expect(describeFailure(failure)).toBe(words));

it.each<[AttemptEnd, string]>([
  [{ kind: 'exited', code: 0 }, 'exited with code 0'],
  [{ kind: 'killed', code: null }, 'was stopped by Signalbox'],
  [{ kind: 'lost' }, 'was lost: Signalbox did not see how it ended'],
  [{ kind: 'never-started' }, 'was cancelled before it started'],
  [{ kind: 'unstartable', message: 'gone', permanent: true }, 'could not be started: gone'],
])('an end %j %s', (end, words) => expect(describeEnd(end)).toBe(words));

it.each<[Doom, string]>([
  [{ kind: 'timeout', limitMs: 1000 }, 'ran longer than 1 s'],
  [{ kind: 'idle', limitMs: 1000 }, 'was silent for 1 s'],
  [{ kind: 'stop' }, 'is being stopped with the run'],
  [{ kind: 'withdrawn', asked: true }, 'is being stopped because a person has to answer a question'],
  [{ kind: 'withdrawn' }, 'is being stopped because a person took the task back'],
])('a doom %j %s', (doom, words) => expect(describeDoom(doom)).toBe(words));

it('is a sentence about the task, with a colon before what somebody said', () => {
  expect(describeFailedTask('a', { kind: 'exit', code: 3 })).toBe('a exited with code 3');
  expect(describeFailedTask('a', { kind: 'said', message: 'its process is gone' })).toBe('a: its process is gone');
});
