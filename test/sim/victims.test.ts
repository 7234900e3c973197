// A bug planted in the choice of victims: nobody is ever exempt. The simulator must see that somebody is stopped a fourth time.
import { expect, it, vi } from 'vitest';
import type * as victim from '../../src/locks/victim.ts';
import { simulate } from './simulate.ts';

vi.mock('../../src/locks/victim.ts', async (original) => {
  const { chooseVictim } = await original<typeof victim>();
  const forgetful: typeof chooseVictim = (parties, policy) =>
    chooseVictim(
      parties.map((party) => ({ ...party, times: 0 })),
      policy,
    );
  return { chooseVictim: forgetful };
});

it('a task that is stopped a fourth time is caught', async () => {
  // A seed in which all agents quarrel about the same few files: only then is a task stopped so often.
  const { violation } = await simulate(106);
  expect(violation?.invariant).toBe('three times at most');
});
