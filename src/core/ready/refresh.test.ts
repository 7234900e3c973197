// What is derived must be the same however it was reached: step by step, from nothing, or by the plain words of the design.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../../test/how-many.ts';
import { PlainRules, soundPlan } from '../../../test/plain-rules.ts';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import { createPlanState } from '../state/plan-state.ts';
import { statusOf } from '../state/questions/status.ts';
import type { PlanState } from '../state/state.ts';

type Step = (scenario: Scenario, id: string) => unknown;
const whenLive =
  (step: Step): Step =>
  (s, id) =>
    s.task(id).live && step(s, id);
const whenIdle =
  (step: Step): Step =>
  (s, id) =>
    !s.task(id).live && step(s, id);
const whenEnded =
  (step: Step): Step =>
  (s, id) =>
    s.task(id).ended && step(s, id);

const steps: Record<string, Step> = {
  schedule: whenIdle((s, id) => s.schedule(id)),
  end: whenLive((s, id) => s.end(id, 1)),
  again: whenEnded((s, id) => s.again(id)),
  'again later': whenEnded((s, id) => s.again(id, 5_000)),
  'end backoff': (s, id) => s.endBackoff(id),
  complete: (s, id) => s.complete(id),
  fail: (s, id) => s.fail(id),
  skip: (s, id) => s.skip(id),
  'treat as done': (s, id) => s.treatAsDone(id),
  suspend: (s, id) => s.suspend(id),
  resume: (s, id) => s.resume(id),
  retry: (s, id) => s.retry(id),
};
const anySteps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat({ max: 20 })), { maxLength: 25 });

function derived(plan: PlanState) {
  const { signals, waiting, bad, counts, counted, live } = plan;
  const backoff = [...plan.backoff.all()].sort((a, b) => a - b);
  const unjudged = [...plan.unjudged].sort((a, b) => a - b);
  return { signals, waiting, bad, counts, counted, live, backoff, unjudged, ready: plan.ready.inOrder() };
}

function expectPlainRules(plan: PlanState) {
  const rules = new PlainRules(plan.plan, plan.tasks);
  const all = plan.plan.tasks.map((_, i) => i);
  expect(all.map((i) => statusOf(plan, i))).toEqual(all.map((i) => rules.status(i)));
  expect({ required: plan.counts.required, optional: plan.counts.optional }).toEqual({
    required: rules.counts(false),
    optional: rules.counts(true),
  });
  expect(rules.leaves.filter((i) => plan.ready.has(i))).toEqual(rules.leaves.filter((i) => rules.ready(i)));
  expect([...plan.backoff.all()].sort((a, b) => a - b)).toEqual(rules.leaves.filter((i) => rules.backingOff(i)));
}

it('incremental = from nothing = the plain rules, for any plan and any history', () => {
  fc.assert(
    fc.property(soundPlan, anySteps, (plan, history) => {
      const scenario = log(plan).load().startRun();
      const firstReady = new Map<number, number>();
      const { leaves } = new PlainRules(plan, scenario.plan.tasks);
      const note = () => {
        for (const leaf of leaves) {
          if (scenario.plan.ready.has(leaf) && !firstReady.has(leaf)) firstReady.set(leaf, scenario.state.seq);
        }
      };
      for (const leaf of scenario.plan.ready.inOrder()) firstReady.set(leaf, 1);
      for (const [step, n] of history) {
        steps[step]!(scenario, plan.tasks[leaves[n % leaves.length]!]!.id);
        note();
        const fresh = createPlanState(
          { ...scenario.plan, decisions: [], tasks: structuredClone(scenario.plan.tasks) },
          0,
        );
        expect(derived(scenario.plan)).toEqual(derived(fresh));
        expectPlainRules(scenario.plan);
      }
      expect(leaves.map((leaf) => scenario.plan.tasks[leaf]!.age)).toEqual(leaves.map((i) => firstReady.get(i) ?? 0));
    }),
    { numRuns: howMany(500) },
  );
});

describe('a need', () => {
  it.each<[string, (s: Scenario) => unknown, string[]]>([
    ['waits while pending', (s) => s, ['a']],
    ['waits while in progress', (s) => s.schedule('a'), []],
    ['is satisfied by completed', (s) => s.complete('a'), ['b']],
    ['is satisfied by skipped as done', (s) => s.treatAsDone('a'), ['b']],
    ['is not by skipped', (s) => s.skip('a'), []],
    ['is not by failed', (s) => s.fail('a'), []],
    ['is not by suspended', (s) => s.suspend('a'), []],
  ])('%s', (_, step, ready) => {
    const scenario = begin('a, b → a');
    step(scenario);
    expect(scenario.ready()).toEqual(ready);
  });
});

describe('a preference', () => {
  it.each<[string, (s: Scenario) => unknown, boolean]>([
    ['waits while pending', (s) => s, false],
    ['waits while in progress', (s) => s.schedule('a'), false],
    ['has ended when completed', (s) => s.complete('a'), true],
    ['has ended badly when failed', (s) => s.fail('a'), true],
    ['has ended badly when skipped', (s) => s.skip('a'), true],
    ['has ended badly when suspended', (s) => s.suspend('a'), true],
    ['has ended badly when blocked', (s) => s.fail('x'), true],
  ])('%s', (_, step, isReady) => {
    const scenario = begin('x, a → x, b ~> a');
    step(scenario);
    expect(scenario.ready().includes('b')).toBe(isReady);
  });
});

describe('phases', () => {
  const two = 'a, o* | b → a, c';
  it.each<[string, (s: Scenario) => unknown, Record<string, string>]>([
    ['pending waits', (s) => s.complete('a'), { completed: 'a', pending: 'o b c' }],
    ['completed passes', (s) => s.complete('a', 'o'), { completed: 'a o', pending: 'b c' }],
    ['an optional failure passes', (s) => s.complete('a').fail('o'), { completed: 'a', failed: 'o', pending: 'b c' }],
    ['a skip passes, but satisfies no need', (s) => s.skip('a', 'o'), { skipped: 'a o', blocked: 'b', pending: 'c' }],
    ['a skip as done satisfies', (s) => s.treatAsDone('a', 'o'), { skipped: 'a o', pending: 'b c' }],
    ['a failure blocks', (s) => s.fail('a'), { failed: 'a', pending: 'o', blocked: 'b c' }],
    ['a suspension blocks', (s) => s.suspend('a'), { suspended: 'a', pending: 'o', blocked: 'b c' }],
  ])('%s', (_, step, statuses) => {
    const scenario = begin(two);
    step(scenario);
    expect(scenario.statuses()).toEqual(statuses);
  });

  it('a failure blocks every phase after it, also over one that has long ended', () => {
    expect(begin('a | +b | c').fail('a').statuses()).toEqual({ failed: 'a', completed: 'b', blocked: 'c' });
  });

  it('[-] in a phase does not block the next', () => {
    expect(begin('-a | b').ready()).toEqual(['b']);
  });

  it('bind the subtasks of a group through the group', () => {
    const scenario = begin('a | g { b, c }');
    expect(scenario.ready()).toEqual(['a']);
    expect(scenario.complete('a').ready()).toEqual(['b', 'c']);
  });
});

describe('groups', () => {
  it('subtasks inherit needs and preferences', () => {
    const scenario = begin('a, p, g → a ~> p { b, h { c } }');
    expect(scenario.ready()).toEqual(['a', 'p']);
    expect(scenario.complete('a').ready()).toEqual(['p']);
    expect(scenario.fail('p').ready()).toEqual(['b', 'c']);
  });

  it('needing a group is needing its end, with its optional parts', () => {
    const scenario = begin('g { a, o* }, z → g');
    expect(scenario.complete('a').ready()).toEqual(['o']);
    expect(scenario.fail('o').ready()).toEqual(['z']);
  });

  it('a group is bad as soon as a required part is, and has ended only when all have', () => {
    const scenario = begin('g { a, b }, needs → g, likes ~> g').fail('a');
    expect(scenario.statuses()).toEqual({ failed: 'a', pending: 'b likes', blocked: 'needs' });
    expect(scenario.ready()).toEqual(['b']);
    expect(scenario.complete('b').ready()).toEqual(['likes']);
  });

  it('an optional group whose part failed satisfies no need, as an optional task does not', () => {
    const scenario = begin('o*, g* { a, b }, x → o, y → g, z ~> g').fail('o', 'a').complete('b');
    expect(scenario.statuses()).toEqual({ failed: 'o a', completed: 'b', blocked: 'x y', pending: 'z' });
  });

  it('inside a required group, an optional group that failed is no harm', () => {
    expect(begin('g { a, h* { b } }, x → g').complete('a').fail('b').ready()).toEqual(['x']);
  });
});

describe('one after the other', () => {
  const sequential = (text: string) => begin(planOf(text, { order: 'sequential' }));
  it('in the order of the file, over groups and phases', () => {
    const scenario = sequential('a, g { b, h { c } } | d');
    for (const id of ['a', 'b', 'c', 'd']) {
      expect(scenario.ready()).toEqual([id]);
      scenario.complete(id);
    }
  });

  it.each<[string, (s: Scenario) => unknown, Record<string, string>]>([
    ['any skip passes', (s) => s.skip('a'), { skipped: 'a', pending: 'b c' }],
    ['a failure blocks what follows', (s) => s.fail('a'), { failed: 'a', blocked: 'b c' }],
    ['a suspension too', (s) => s.suspend('a'), { suspended: 'a', blocked: 'b c' }],
    [
      'also over what has ended long ago',
      (s) => s.complete('b').fail('a'),
      { completed: 'b', failed: 'a', blocked: 'c' },
    ],
    ['until it is repaired', (s) => s.fail('a').retry('a'), { pending: 'a b c' }],
  ])('%s', (_, step, statuses) => {
    const scenario = sequential('a, b, c');
    step(scenario);
    expect(scenario.statuses()).toEqual(statuses);
  });

  it('any end of an optional task passes', () => {
    expect(sequential('a*, b').fail('a').ready()).toEqual(['b']);
  });

  it('waits for all before it, not only for the last one', () => {
    expect(sequential('a, -b, c').ready()).toEqual(['a']);
  });

  it('20,000, one by one', () => {
    const scenario = sequential(Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(', '));
    for (let i = 0; i < 20_000; i++) scenario.complete(`a${i}`);
    expect(scenario.plan.counts.required.completed).toBe(20_000);
  });
});

describe('spec-kit', () => {
  it('neighbours with [P] run together, the others follow each other, a phase waits for the one before', () => {
    const scenario = begin(planOf('a, b^, c^, d, e^ | f^, g^', { order: 'spec-kit' }));
    const seen: string[] = [];
    while (scenario.ready().length > 0) {
      seen.push(scenario.ready().join(' '));
      scenario.complete(...scenario.ready());
    }
    expect(seen).toEqual(['a', 'b c', 'd', 'e', 'f g']);
  });

  it('a task behind a run of [P] waits for all of it', () => {
    const scenario = begin(planOf('a^, b^, c', { order: 'spec-kit' })).complete('b');
    expect(scenario.ready()).toEqual(['a']);
    expect(scenario.fail('a').statuses()).toEqual({ completed: 'b', failed: 'a', blocked: 'c' });
  });
});

it('a sequence holds beside the order', () => {
  const scenario = begin(planOf('a, b, c, d', { sequences: [['b', 'd'].map(taskId)] }));
  expect(scenario.ready()).toEqual(['a', 'b', 'c']);
  expect(scenario.skip('b').ready()).toEqual(['a', 'c', 'd']);
});

it('an age is that of the first moment of readiness, also when one change lifts and adds obstacles at once', () => {
  const scenario = begin('x, g { m → x }, b → x, d → x ~> b').fail('x');
  expect(scenario.statuses()).toMatchObject({ blocked: 'm b d' });
  scenario.treatAsDone('x');
  expect([scenario.task('b').age, scenario.task('d').age]).toEqual([scenario.state.seq, 0]);
});

it('20,000 tasks behind one gate are settled in one ripple', () => {
  const wide = Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(', ');
  const scenario = begin(planOf(`${wide} | ${wide.replaceAll('a', 'b')}`));
  for (let i = 0; i < 20_000; i++) scenario.complete(`a${i}`);
  expect(scenario.plan.ready.size).toBe(20_000);
});
