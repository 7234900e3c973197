import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../../test/how-many.ts';
import { anyPlan, PlainRules } from '../../../test/plain-rules.ts';
import { planOf } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import { createTaskState } from '../state/task-state.ts';
import { dropPreferenceCycles, findCycle, findCycles } from './cycle.ts';

const told = (plan: Plan) => findCycle(plan)?.steps.map(({ from, why, to }) => `${from} ${why} ${to}`) ?? null;

describe('findCycle', () => {
  it.each<[string, string, string[] | null]>([
    ['none', 'a, b → a, c → a b', null],
    ['itself', 'a → a', ['a need a']],
    ['two', 'a → b, b → a', ['a need b', 'b need a']],
    ['behind a way in', 'x → a, a → b, b → c, c → a', ['a need b', 'b need c', 'c need a']],
    ['a group and its own part', 'g { a → g }', ['a need g', 'g part-of a']],
    ['a group that needs its own part', 'g → a { a }', ['g need a', 'a start-of g']],
    ['through two groups', 'g { a → h }, h { b → g }', ['a need h', 'h part-of b', 'b need g', 'g part-of a']],
    ['through an optional part', 'g { a* → x }, x → g', ['a need x', 'x need g', 'g part-of a']],
    ['a need against the order of phases', 'a → b | b', ['a need b', 'b phase a']],
    ['over two phases', 'a → c | b | c', ['a need c', 'c phase b', 'b phase a']],
    ['from inside a group to a later phase', 'g { a → b } | b', ['a need b', 'b phase a']],
    ['a group in a later phase', 'a → b | g { b }', ['a need b', 'b start-of g', 'g phase a']],
    ['not by preferences', 'a ~> b, b → a', null],
  ])('%s: %s', (_, text, steps) => {
    expect(told(planOf(text))).toEqual(steps);
  });

  it.each<[string, string, Plan['order'], string[] | null]>([
    ['none', 'a, b → a, g { c → b, d → c }', 'sequential', null],
    ['a need for what comes later', 'a, b → d, c, d', 'sequential', ['b need d', 'd order b']],
    ['over a phase', 'a → b | b', 'sequential', ['a need b', 'b order a']],
    ['inside a group', 'g { a → b, b }', 'sequential', ['a need b', 'b order a']],
    ['a group and what is behind it', 'g → b { a }, b', 'sequential', ['g need b', 'b order a', 'a start-of g']],
    ['among neighbours with [P] there is none', 'a^ → b, b^', 'spec-kit', null],
    ['behind a run of [P]', 'a^ → c, b^, c', 'spec-kit', ['a need c', 'c order a']],
    ['a later phase', 'a^ → b | b^', 'spec-kit', ['a need b', 'b phase a']],
  ])('%s: %s (%s)', (_, text, order, steps) => {
    expect(told(planOf(text, { order }))).toEqual(steps);
  });

  it('a need against a sequence', () => {
    const sequences = [['a', 'b'].map(taskId)];
    expect(told(planOf('a → b, b', { sequences }))).toEqual(['a need b', 'b order a']);
  });

  it('straight back over 100,000 tasks that follow each other', () => {
    const n = 100_000;
    const chain = Array.from({ length: n }, (_, i) => (i === 0 ? `t0 → t${n - 1}` : `t${i}`)).join(', ');
    expect(told(planOf(chain, { order: 'sequential' }))).toEqual([`t0 need t${n - 1}`, `t${n - 1} order t0`]);
  });

  it('starts with a task when the search began at a gate', () => {
    const plan = planOf('a → c, z | c');
    expect(told({ ...plan, tasks: plan.tasks.toReversed() })).toEqual(['c phase a', 'a need c']);
  });

  it('all that have no need in common, up to a number', () => {
    const plan = planOf('a → b, b → a, c → d, d → c, e → e');
    const starts = (most: number) => findCycles(plan, most).map(({ steps }) => steps[0]!.from);
    expect(starts(10)).toEqual(['a', 'c', 'e']);
    expect(starts(2)).toEqual(['a', 'c']);
    expect(findCycles(planOf('a → b c, b → a, c → b'), 10)).toHaveLength(1);
  });

  it('a chain of 100,000, closed at its end', () => {
    const n = 100_000;
    const chain = Array.from({ length: n }, (_, i) => `t${i} → t${(i + 1) % n}`).join(', ');
    expect(findCycle(planOf(chain))!.steps).toHaveLength(n);
  });
});

describe('dropPreferenceCycles', () => {
  it.each<[string, string, string[]]>([
    ['nothing to drop', 'a, b ~> a', []],
    ['against a need', 'a ~> b, b → a', ['a ~> b']],
    ['against each other: the later one', 'a ~> b, b ~> a', ['b ~> a']],
    ['itself', 'a ~> a', ['a ~> a']],
    ['a part for its own group', 'g { a ~> g }', ['a ~> g']],
    ['a group for its own part', 'g ~> a { a }', ['g ~> a']],
    ['for a later phase', 'a ~> b | b', ['a ~> b']],
    ['two of one task', 'a ~> b c d, b → a, c → a, d', ['a ~> b', 'a ~> c']],
    ['two circles', 'a ~> b, b → a, c ~> d, d → c', ['a ~> b', 'c ~> d']],
  ])('%s: %s', (_, text, expected) => {
    const plan = planOf(text);
    const result = dropPreferenceCycles(plan);
    expect(result.dropped.map(({ task, preferred }) => `${task} ~> ${preferred}`)).toEqual(expected);
    if (expected.length === 0) expect(result.plan).toBe(plan);
    for (const { task, preferred } of result.dropped) {
      expect(result.plan.tasks.find(({ id }) => id === task)!.prefers).not.toContain(preferred);
    }
  });

  it('keeps the other preferences', () => {
    expect(dropPreferenceCycles(planOf('a ~> b d, b → a, d')).plan.tasks[0]!.prefers).toEqual(['d']);
  });
});

/** Whether working it off by the plain rules comes to an end with everything completed. */
function canBeCompleted(plan: Plan): boolean {
  const tasks = plan.tasks.map((task) => createTaskState(task, 0));
  for (;;) {
    const rules = new PlainRules(plan, tasks);
    const ready = rules.leaves.filter((leaf) => rules.ready(leaf));
    if (ready.length === 0) return rules.leaves.every((leaf) => tasks[leaf]!.status === 'completed');
    for (const leaf of ready) tasks[leaf]!.status = 'completed';
  }
}

const untouched = (plan: Plan): Plan => ({ ...plan, tasks: plan.tasks.map(({ ticked: _, ...task }) => task) });
const withoutPreferences = (plan: Plan): Plan => ({
  ...plan,
  tasks: plan.tasks.map(({ prefers: _, ...task }) => task),
});

it('a plan has a cycle exactly when working it off gets nowhere', () => {
  fc.assert(
    fc.property(anyPlan.map(untouched), (plan) => {
      const sound = findCycle(plan) === null;
      expect(sound).toBe(canBeCompleted(withoutPreferences(plan)));
      if (!sound) return;
      const { plan: softened, dropped } = dropPreferenceCycles(plan);
      expect(canBeCompleted(softened)).toBe(true);
      expect(dropped.length === 0).toBe(canBeCompleted(plan));
    }),
    { numRuns: howMany(1_000) },
  );
});

describe('several cycles', () => {
  it('are told apart by their needs; what the order adds is in all of them', () => {
    const plan = planOf('a → c, b → c | c');
    expect(findCycles(plan, 10)).toHaveLength(2);
  });
});
