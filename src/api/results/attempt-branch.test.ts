import { expect, it } from 'vitest';
import { attemptId, taskId } from '../../core/model/ids.ts';
import { attemptBranch } from '../../runner/trees/tree-places.ts';
import { ownerOf } from './attempt-branch.ts';

const isolation = { branch: 'signalbox/plan', base: '', trees: '', prefix: '' };
const recorded = (id: string, number: number) => {
  const task = taskId(id);
  const empty = { token: 1, work: null, end: null, endedAt: 0, merge: null };
  return { ...empty, task, number, attempt: attemptId(task, number), isolation };
};
const attempts = [recorded('api', 3), recorded('1.2', 1), recorded('API', 1), recorded('fix/bug', 2)];
const shared = { ...recorded('shared', 1), isolation: null };

it.each(attempts.map((one) => [one.attempt, one] as const))('%s is found by its branch', (_, one) => {
  const branch = attemptBranch(isolation, one.attempt);
  expect(ownerOf(branch, isolation, attempts)).toBe(one);
  expect(ownerOf(`${branch}.left`, isolation, attempts)).toBe(one);
});

it.each([
  ['signalbox-attempts/plan/api.4', { task: 'api', number: 4 }],
  ['signalbox-attempts/plan/x-ray.2.left', { task: 'x-ray', number: 2 }],
  ['signalbox-attempts/plan/x-ray.2.left-3', { task: 'x-ray', number: 2 }],
  ['signalbox-attempts/plan/shared.1', { task: 'shared', number: 1 }],
  ['signalbox-attempts/other/api.1', null],
  ['signalbox-attempts/plan/api', null],
  ['signalbox/plan', null],
])('%s is not in the log', (branch, owner) => expect(ownerOf(branch, isolation, [...attempts, shared])).toEqual(owner));
