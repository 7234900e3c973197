import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { PlainRules, soundPlan } from '../../../test/plain-rules.ts';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Limits } from '../model/run-event.ts';
import { RootCauses } from './root-causes.ts';

/** `a failed, b suspended`; a limit of 0 as `c pending (opus)`. */
function causes(scenario: Scenario, id: string, limits: Limits | null = scenario.plan.run?.limits ?? null): string {
  return new RootCauses(scenario.plan, limits)
    .of(scenario.index(id))
    .map(({ task, status, limit }) => `${task} ${status}${limit === undefined ? '' : ` (${limit})`}`)
    .join(', ');
}

type Case = [string, Scenario, Record<string, string>];

describe.each<Case>([
  [
    'A failed, B → A, C → B, D independent',
    begin('a, b → a, c → b, d').fail('a'),
    { a: 'a failed', b: 'a failed', c: 'a failed', d: '' },
  ],
  ['a suspended one', begin('a, b → a, c → b').suspend('a'), { a: 'a suspended', b: 'a suspended', c: 'a suspended' }],
  ['a skipped one', begin('a, b → a').skip('a'), { b: 'a skipped' }],
  ['skipped as done', begin('a, b → a').treatAsDone('a'), { a: '', b: '' }],
  [
    'completed, running, ready, backing off',
    begin('+a, b, c, d').schedule('b').failOnce('c', 9),
    { a: '', b: '', c: '', d: '' },
  ],
  [
    'two causes',
    begin('a, b, c → a b, d → c').fail('b').suspend('a'),
    { c: 'a suspended, b failed', d: 'a suspended, b failed' },
  ],
  [
    'two causes, one of them repaired',
    begin('a, b, c → a b, d → c').fail('a', 'b').retry('a'),
    { c: 'b failed', d: 'b failed' },
  ],
  ['two causes, both repaired', begin('a, b, c → a b').fail('a', 'b').retry('a').treatAsDone('b'), { c: '' }],
  ['a diamond', begin('a, b → a, c → a, d → b c').fail('a'), { d: 'a failed' }],
  ['a need that failed and one still to come', begin('a, x, y → x, b → a y').fail('a'), { b: 'a failed' }],
  ['a preference that ended badly is no cause', begin('a, b ~> a').fail('a'), { b: '' }],
  ['a group one part of which failed', begin('g { a, b }, c → g').fail('b'), { g: 'b failed', c: 'b failed', a: '' }],
  [
    'inherited from the group around',
    begin('x, g → x { a { b } }').fail('x'),
    { b: 'x failed', a: 'x failed', g: 'x failed' },
  ],
  ['an optional part is none of a required group', begin('g { a*, b }, c → g').fail('a'), { c: '' }],
  ['the phase before', begin('a, b | c | d').fail('b'), { c: 'b failed', d: 'b failed', a: '' }],
  ['a skip in the phase before is none', begin('a, b | c').skip('a').fail('b'), { c: 'b failed' }],
  ['an optional failure in the phase before is none', begin('a*, b | c').fail('a', 'b'), { c: 'b failed' }],
  ['an unknown limit', log(planOf('a, b → a')).load(), { a: '', b: '' }],
  [
    'only the check of a group',
    begin(planOf('g { a }', { keys: { g: { check: ['false'] } } }))
      .complete('a')
      .fail('g:check'),
    { g: 'g:check failed', 'g:check': 'g:check failed', a: '' },
  ],
  ['a limit of 0', begin('a, b → a, c', { plan: 0 }), { a: 'a pending (plan)', b: 'a pending (plan)' }],
  [
    'a limit of 0 behind a preference',
    begin(planOf('a, b ~> a', { keys: { a: { model: 'opus' } } }), { pools: { opus: 0 } }),
    { a: 'a pending (opus)', b: 'a pending (opus)' },
  ],
  [
    'a limit of 0 beside a failure',
    begin(planOf('a, b, c → a b', { keys: { a: { uses: ['db'] } } }), { pools: { db: 0 } }).fail('b'),
    { c: 'a pending (db), b failed' },
  ],
])('%s', (_, scenario, expected) => {
  it.each(Object.entries(expected))('%s: %s', (id, told) => {
    expect(causes(scenario, id)).toBe(told);
  });
});

it('each task is worked out once, in whatever order it is asked for', () => {
  const scenario = begin('a, b, c → a, d → b, e → c d').fail('a').suspend('b');
  const known = new RootCauses(scenario.plan, null);
  const ids = (id: string) => known.of(scenario.index(id)).map(({ task }) => task);
  expect([ids('e'), ids('c'), ids('d'), ids('e')]).toEqual([['a', 'b'], ['a'], ['b'], ['a', 'b']]);
});

/** Every way from the task to what stands in its way by itself, followed one by one. */
function plainCauses(scenario: Scenario, start: number): number[] {
  const { plan, tasks } = scenario.plan;
  const rules = new PlainRules(plan, tasks);
  const found = new Set<number>();
  const seen = new Set<number>();
  const look = (i: number) => {
    if (seen.has(i)) return;
    seen.add(i);
    const task = plan.tasks[i]!;
    if (task.group) {
      rules
        .parts(i)
        .filter((part) => !rules.harmless(i, part))
        .forEach(look);
    } else if (tasks[i]!.status === 'pending') {
      rules
        .named(i, 'needs')
        .filter((need) => !rules.satisfied(need))
        .forEach(look);
      rules
        .named(i, 'prefers')
        .filter((preferred) => !rules.ended(preferred))
        .forEach(look);
      rules
        .leavesBefore(i)
        .filter((earlier) => !rules.passesBarrier(earlier))
        .forEach(look);
    } else if (rules.endedBadly(i)) found.add(i);
  };
  look(start);
  return [...found].sort((a, b) => a - b);
}

it('finds what following every way finds, for any plan', () => {
  const ends = fc.array(fc.tuple(fc.constantFrom('complete', 'fail', 'suspend', 'skip', 'treatAsDone'), fc.nat()), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(soundPlan, ends, (plan, history) => {
      const scenario = begin(plan);
      const leaves = plan.tasks.filter((task) => !task.group);
      for (const [step, n] of history) scenario[step](leaves[n % leaves.length]!.id);
      const known = new RootCauses(scenario.plan, null);
      const all = plan.tasks.map((_, i) => i);
      const found = all.map((i) => known.of(i).map(({ task }) => scenario.index(task)));
      expect(found).toEqual(all.map((i) => plainCauses(scenario, i)));
    }),
    { numRuns: 300 },
  );
});

describe('however deep or wide', () => {
  const chain = (n: number) =>
    planOf(Array.from({ length: n }, (_, i) => `t${i}${i ? ` → t${i - 1}` : ''}`).join(', '));

  it.each([1_000, 100_000])('a chain of %i', (n) => {
    const scenario = begin(chain(n)).fail('t0');
    const known = new RootCauses(scenario.plan, null);
    const began = ownNow();
    expect(known.of(n - 1)).toEqual([{ task: 't0', status: 'failed' }]);
    expect(scenario.plan.plan.tasks.every((_, i) => known.of(i).length === 1)).toBe(true);
    expect(ownNow() - began).toBeLessThan(8_000);
  });

  it('a phase of 150,000 of which half failed, and one task behind it', () => {
    const n = 150_000;
    const first = Array.from({ length: n }, (_, i) => `a${i}`);
    const scenario = begin(planOf(`${first.join(', ')} | z`));
    for (let i = 0; i < n; i += 2) scenario.fail(`a${i}`);
    const began = ownNow();
    expect(new RootCauses(scenario.plan, null).of(n)).toHaveLength(n / 2);
    expect(ownNow() - began).toBeLessThan(8_000);
  });
});
