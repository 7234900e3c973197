// The judge of the stress is judged: it sees two holders, and is not misled by what a killed process says last.
import { expect, it } from 'vitest';
import { checkLedgers } from './check-ledgers.ts';
import type { Entry, Said } from './ledger.ts';

const entries = (...said: readonly [who: string, pid: number, said: Said][]): Entry[] =>
  said.map(([who, pid, rest], at) => ({ who, pid, at, ...rest }));
const enter = (file: string): Said => ({ what: 'enter', file, mode: 'exclusive' });
const end: Said = { what: 'end' };

it('two in one file are told', () => {
  const { wrong } = checkLedgers(entries(['p1', 1, enter('a')], ['p2', 2, enter('a')], ['p1', 1, end]), ['p1']);
  expect(wrong).toEqual(['p2 entered a while p1 was in it']);
});

it('a process that enters between the order to die and its death does not stay inside for ever', () => {
  const child = 9;
  const ask: Said = { what: 'ask', how: 'wait', resources: ['b'], mode: 'exclusive' };
  const { wrong, kills } = checkLedgers(
    entries(
      ['p1', 1, { what: 'kill', child }],
      ['p1-child0', child, enter('a')],
      ['p1-child0', child, ask],
      ['p2', 2, enter('a')],
      ['p1', 1, end],
    ),
    ['p1'],
  );
  expect([wrong, kills]).toEqual([[], 1]);
});

it('a process that was told to die and enters where another is already is told', () => {
  const child = 9;
  const said = entries(['p2', 2, enter('a')], ['p1', 1, { what: 'kill', child }], ['p1-child0', child, enter('a')]);
  expect(checkLedgers(said, []).wrong).toEqual(['p1-child0 entered a while p2 was in it']);
});
