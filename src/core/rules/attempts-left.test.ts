import { expect, it } from 'vitest';
import { createTaskState } from '../state/task-state.ts';
import { attemptsLeft } from './attempts-left.ts';

it.each([
  ['nothing happened yet', {}, 2],
  ['a failure uses a retry', { failures: 1 }, 1],
  ['a rejection uses none', { rejections: 3 }, 2],
  ['five failures and rejections together are the end', { failures: 1, rejections: 4 }, 0],
  ['five rejections alone too', { rejections: 5 }, 0],
  ['a person grants one more, over the cap too', { rejections: 5, granted: 1 }, 1],
  ['which may be used up', { failures: 1, rejections: 5, granted: 1 }, 0],
])('attempts left: %s', (_, state, left) => {
  const task = { keys: { retries: 1 } } as never;
  expect(attemptsLeft(task, { ...createTaskState({}, 0), ...state })).toBe(left);
});
