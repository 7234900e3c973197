import { expect, it } from 'vitest';
import type { WorkerWord } from '../../agents/process/journal.ts';
import { unrecordedEnd } from './unrecorded-end.ts';

it.each([
  [137, 'signal 9', true],
  [1, 'exit code 1', true],
  ['cd', 'its working directory is not there or cannot be entered', true],
  [0, 'exit code 0', false],
  ['claim', 'it was never started', false],
] as [WorkerWord, string, boolean][])('an end with %s is told, and fails only what failed', (word, how, fails) => {
  const { message, failure } = unrecordedEnd(word, { kind: 'attempt' });
  expect(message).toBe(
    `its process is gone, its runner too; how it ended (${how}) was never recorded; signalbox run takes that in`,
  );
  expect(failure).toEqual(fails ? `its runner is gone, and so is its process (${how})` : null);
});

it('what a check or a review says is left to a run', () => {
  expect(unrecordedEnd(1, { kind: 'check', check: 0 }).failure).toBeNull();
  expect(unrecordedEnd(1, { kind: 'review' }).failure).toBeNull();
});
