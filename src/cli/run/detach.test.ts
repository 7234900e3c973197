// The command line of a run that goes on by itself: everything that was typed, and nothing that was not.
import { expect, it } from 'vitest';
import type { Flags } from '../request.ts';
import { flagWords } from './detach.ts';

const usual: Flags = { reload: true, deadlockDetection: true, detach: true };

it.each<[Flags, string]>([
  [{}, ''],
  [{ plan: 'plan.md' }, ''],
  [{ maxParallel: 0, budgetUsd: 1.5 }, '--max-parallel 0 --budget-usd 1.5'],
  [{ only: ['a', 'b'], from: 'c' }, '--only a,b --from c'],
  [{ fresh: true, yes: true, tick: true, json: true }, '--fresh --yes --tick --json'],
  [{ reload: false, deadlockDetection: false }, '--no-reload --no-deadlock-detection'],
  [{ includeChanges: true, isolation: 'worktree' }, '--include-changes --isolation worktree'],
])('%j', (flags, words) => {
  expect(flagWords({ ...usual, ...flags }).join(' ')).toBe(words);
});
