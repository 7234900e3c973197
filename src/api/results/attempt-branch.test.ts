import { expect, it } from 'vitest';
import { taskId } from '../../core/model/ids.ts';
import { ownerOf } from './attempt-branch.ts';

const isolation = { branch: 'signalbox/plan', base: '', trees: '', prefix: '' };
const tasks = ['api', '1.2', 'API', 'fix bug', 'a b', 'a-b', 'x'].map(taskId);

it.each([
  ['signalbox-attempts/plan/api.3', { task: 'api', number: 3 }],
  ['signalbox-attempts/plan/1.2.1', { task: '1.2', number: 1 }],
  ['signalbox-attempts/plan/1-2.1', { task: '1.2', number: 1 }],
  ['signalbox-attempts/plan/fix%20bug.1', { task: 'fix bug', number: 1 }],
  ['signalbox-attempts/plan/x-09af12.2', { task: 'x', number: 2 }],
  ['signalbox-attempts/plan/x-ray.2', { task: 'x-ray', number: 2 }],
  ['signalbox-attempts/plan/a_b.1', { task: 'a_b', number: 1 }],
  ['signalbox-attempts/plan/a-b.1', { task: 'a-b', number: 1 }],
  ['signalbox-attempts/other/api.1', null],
  ['signalbox-attempts/plan/api', null],
  ['signalbox/plan', null],
])('%s', (branch, owner) => expect(ownerOf(branch, isolation, tasks)).toEqual(owner));
