import { expect, it } from 'vitest';
import { isNeverKept, isTreePath, neverKeep } from './tree-path.ts';

it('what Signalbox writes for other programs is never kept, wherever the settings have it', () => {
  expect(['docs/plan-outputs', 'docs/plan-outputs/p/status.json'].map(isNeverKept)).toEqual([true, true]);
  expect(['docs', 'docs/plan-outputs-of-mine', 'out/plans/p/status.json'].map(isNeverKept)).toEqual([
    false,
    false,
    false,
  ]);
  neverKeep('out/plans');
  expect(['out/plans/p/status.json', 'docs/plan-outputs', 'out/plans2', 'out'].map(isNeverKept)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isTreePath('out/plans/p/status.json')).toBe(false);
  // The next workspace of this process has them elsewhere.
  neverKeep('status');
  expect(['status/p', 'out/plans/p/status.json'].map(isNeverKept)).toEqual([true, false]);
});
