import { describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { begin, firstRun, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { blockedTasks, planStuck } from './stuck.ts';

const told = (scenario: Scenario) =>
  Object.fromEntries(
    blockedTasks(scenario.plan).map(({ task, causes }) => [task, causes.map((c) => c.task).join(' ')]),
  );

describe('blockedTasks', () => {
  it.each<[string, Scenario, Record<string, string>]>([
    ['what has ended is not', begin('+a, -b, c').fail('c'), {}],
    ['what runs is not', begin('a').schedule('a'), {}],
    ['behind a failure', begin('a, b → a, c → b, +d').fail('a'), { b: 'a', c: 'a' }],
    ['a suspended task is its own cause', begin('a, b → a').suspend('a'), { a: 'a', b: 'a' }],
    ['a limit of 0', begin('a, b → a', { plan: 0 }), { a: 'a', b: 'a' }],
    ['a limit of 0 for an optional task', begin('a*', { plan: 0 }), { a: 'a' }],
    ['an optional task that is blocked is a warning', begin('a, b* → a, c → a').fail('a'), { c: 'a' }],
    ['an optional task that is suspended, too', begin('a*').suspend('a'), {}],
    ['groups are not tasks of their own', begin('a, g → a { b, c }').fail('a'), { b: 'a', c: 'a' }],
    ['without a run no limit is known', log(planOf('a')).load(), { a: '' }],
  ])('%s', (_, scenario, expected) => {
    expect(told(scenario)).toEqual(expected);
  });
});

it('planStuck tells how many, and every root cause once', () => {
  const scenario = begin('a, b, c → a, d → a b, e → d').fail('a').suspend('b');
  expect(planStuck(scenario.plan)).toEqual({
    type: 'plan-stuck',
    v: 1,
    plan: 'plan.md',
    run: firstRun,
    blocked: 4,
    causes: [
      { task: 'b', status: 'suspended' },
      { task: 'a', status: 'failed' },
    ],
  });
});

it('planStuck names a hundred causes at most', () => {
  const many = Array.from({ length: 150 }, (_, i) => `t${i}`);
  const { blocked, causes } = planStuck(begin(many.join(', '), { workspace: 0 }).plan);
  expect([blocked, causes.length, causes[0]]).toEqual([
    150,
    100,
    { task: 't0', status: 'pending', limit: 'workspace' },
  ]);
});

it('20,000 behind a phase of which 5,000 failed', () => {
  const phase = (letter: string, n: number) => Array.from({ length: n }, (_, i) => `${letter}${i}`);
  const scenario = begin(planOf(`${phase('a', 5_000).join(', ')} | ${phase('b', 20_000).join(', ')}`));
  scenario.fail(...phase('a', 5_000));
  const began = ownNow();
  const { blocked, causes } = planStuck(scenario.plan);
  expect([blocked, causes.length]).toEqual([20_000, 100]);
  expect(ownNow() - began).toBeLessThan(8_000);
});
