import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { idleTimeoutMsOf, limitsFor, retriesOf, timeoutMsOf } from './defaults.ts';
import type { Plan, TaskKeys } from './plan.ts';
import type { Settings } from './settings.ts';

const settings = (change: Partial<Settings> = {}): Settings => ({
  agents: {},
  defaults: {},
  unsupported: [],
  ...change,
});
const task = (keys: TaskKeys) => planOf('a', { keys: { a: keys } }).tasks[0]!;
const hour = 3_600_000;

it.each<[string, TaskKeys, number, number, number]>([
  // keys, retries, timeout, idle timeout
  ['an agent', {}, 2, hour, hour / 2],
  ['a command', { run: 'make' }, 2, 0, hour / 2],
  ['as the task says', { retries: 0, timeoutMs: 7, idleTimeoutMs: 0 }, 0, 7, 0],
  ['a command with a limit', { run: 'make', timeoutMs: 9, idleTimeoutMs: 3, retries: 4 }, 4, 9, 3],
])('%s', (_, keys, retries, timeoutMs, idleTimeoutMs) => {
  const of = task(keys);
  expect([retriesOf(of), timeoutMsOf(of), idleTimeoutMsOf(of)]).toEqual([retries, timeoutMs, idleTimeoutMs]);
});

describe('limitsFor', () => {
  const pools = { haiku: 5, sonnet: 3, opus: 1 };
  it.each<[string, Partial<Plan>, Partial<Settings>, number | undefined, object]>([
    ['nothing said', {}, {}, undefined, { plan: 3, pools }],
    ['the plan', { maxParallel: 8 }, {}, undefined, { plan: 8, pools }],
    ['the settings', {}, { maxParallel: 4 }, undefined, { plan: 4, workspace: 4, pools }],
    ['both: each limits its own', { maxParallel: 8 }, { maxParallel: 4 }, undefined, { plan: 8, workspace: 4, pools }],
    ['the command line over everything', { maxParallel: 8 }, { maxParallel: 4 }, 6, { plan: 6, workspace: 6, pools }],
    ['0 is a limit, not nothing', { maxParallel: 0 }, {}, undefined, { plan: 0, pools }],
    [
      'pools merge by name',
      { pools: { opus: 2, db: 1 } },
      { pools: { opus: 4, haiku: 0 } },
      undefined,
      { plan: 3, pools: { haiku: 0, sonnet: 3, opus: 2, db: 1 } },
    ],
    ['attempts: the plan', { maxAttempts: 5 }, { maxAttempts: 9 }, undefined, { plan: 3, pools, maxAttempts: 5 }],
    ['attempts: the settings', {}, { maxAttempts: 9 }, undefined, { plan: 3, pools, maxAttempts: 9 }],
    ['budget: the plan', { budgetUsd: 5 }, { budgetUsd: 9 }, undefined, { plan: 3, pools, budgetUsd: 5 }],
    ['budget: the settings', {}, { budgetUsd: 9 }, undefined, { plan: 3, pools, budgetUsd: 9 }],
  ])('%s', (_, plan, known, maxParallel, expected) => {
    expect(
      limitsFor({ ...planOf('a'), ...plan }, settings(known), maxParallel === undefined ? {} : { maxParallel }),
    ).toEqual(expected);
  });

  it('budget: the command line', () => {
    const limits = limitsFor({ ...planOf('a'), budgetUsd: 5 }, settings({ budgetUsd: 9 }), { budgetUsd: 1 });
    expect(limits.budgetUsd).toBe(1);
  });

  it('budgets of attempts, by the name of their agent', () => {
    const agent = { kind: 'claude', command: [], args: [], env: {}, line: 1 };
    const agents = { ann: { ...agent, budgetUsd: 2 }, bob: agent };
    expect(limitsFor(planOf('a'), settings({ agents })).attemptUsd).toEqual({ ann: 2 });
  });
});
