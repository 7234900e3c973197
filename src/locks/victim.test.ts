import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseVictim, type Party, type VictimPolicy } from './victim.ts';

const party = (owner: string, more: Partial<Party> = {}): Party => ({
  owner,
  ours: true,
  firstStartedAt: 10,
  startedAt: 10,
  times: 0,
  id: owner,
  ...more,
});

describe('the victim', () => {
  it.each<[string, VictimPolicy, Party[], string | null, RegExp]>([
    [
      'is who was first started last',
      'youngest',
      [party('a', { firstStartedAt: 11 }), party('b')],
      'a',
      /first started last/,
    ],
    [
      'is not who was retried last',
      'youngest',
      [party('a', { firstStartedAt: 11 }), party('b', { startedAt: 99 })],
      'a',
      /first/,
    ],
    ['is the last by id where all are of one age', 'youngest', [party('a'), party('c'), party('b')], 'c', /by name/],
    ['is compared by code units', 'youngest', [party('1.10'), party('1.9'), party('É')], 'É', /by name/],
    [
      'has done the least',
      'least-progress',
      [party('a', { firstStartedAt: 11 }), party('b', { startedAt: 12 })],
      'b',
      /attempt started last/,
    ],
    [
      'has done the least, and is the youngest of those',
      'least-progress',
      [party('a', { firstStartedAt: 11 }), party('b')],
      'a',
      /first started last/,
    ],
    ['has done the least, is as old, and comes last', 'least-progress', [party('b'), party('a')], 'b', /by name/],
    [
      'is never somebody else’s',
      'youngest',
      [party('a', { ours: false, firstStartedAt: 99 }), party('b')],
      'b',
      /only one that Signalbox may stop/,
    ],
    [
      'was not chosen three times already',
      'youngest',
      [party('a', { times: 3, firstStartedAt: 99 }), party('b', { times: 2 })],
      'b',
      /only one that/,
    ],
    ['may be the only one at all', 'youngest', [party('a')], 'a', /^it is the only one$/],
    ['is nobody where nobody may be', 'youngest', [party('a', { times: 4 }), party('b', { ours: false })], null, /^$/],
    ['is nobody of none', 'least-progress', [], null, /^$/],
  ])('%s', (_, policy, parties, owner, reason) => {
    for (const order of [parties, parties.toReversed()]) {
      const victim = chooseVictim(order, policy);
      expect(victim?.owner ?? null).toBe(owner);
      expect(victim?.reason ?? '').toMatch(reason);
    }
  });

  it('is the same in whatever order the parties are told, and nobody is chosen a fourth time', () => {
    const parties = fc.uniqueArray(
      fc.record({
        owner: fc.string(),
        ours: fc.boolean(),
        firstStartedAt: fc.nat(3),
        startedAt: fc.nat(3),
        times: fc.nat(4),
        id: fc.string(),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(parties, fc.constantFrom<VictimPolicy>('youngest', 'least-progress'), (all, policy) => {
        const victim = chooseVictim(all, policy);
        expect(chooseVictim(all.toReversed(), policy)).toEqual(victim);
        const may = all.filter(({ ours, times }) => ours && times < 3);
        expect(victim === null).toBe(may.length === 0);
        if (victim !== null) expect(may.map(({ owner }) => owner)).toContain(victim.owner);
      }),
    );
  });
});
