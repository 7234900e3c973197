import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HistoryRun, keyNames, modes, ownerNames, type Step, verbs } from './lock-history.ts';

const want = fc.record({ key: fc.constantFrom(...keyNames), mode: fc.constantFrom(...modes) });
const step: fc.Arbitrary<Step> = fc.record({
  // What makes people wait is drawn most often.
  verb: fc.constantFrom(...verbs, 'ask', 'ask', 'ask', 'grant', 'grant', 'force'),
  owner: fc.constantFrom(...ownerNames),
  wants: fc.array(want, { minLength: 1, maxLength: 3 }),
  pick: fc.nat(15),
});

it.each([
  ['in orderly histories', true],
  ['whatever is recorded', false],
])(
  'the quick table answers like the plain one %s',
  (_, isOrderly) => {
    const seen = { grants: 0, passes: 0, deadlocks: 0, foreseen: 0, longest: 0, waits: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25, size: 'max' }), (steps) => {
        const run = HistoryRun.of({ isOrderly, steps });
        for (const what of Object.keys(seen) as (keyof typeof seen)[]) seen[what] += run.seen[what];
      }),
      { numRuns: 1000 },
    );
    // What never happens proves nothing.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  },
  120_000,
);
