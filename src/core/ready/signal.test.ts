import { expect, it } from 'vitest';
import { BARRIER, EXTRA, MEMBER, NEED, PREFER, START } from './graph.ts';
import { BAD, ENDED, GOOD, SKIPPED, spoils, waits } from './signal.ts';

const signals = {
  nothingYet: 0,
  good: ENDED | GOOD,
  failed: ENDED | BAD,
  skipped: ENDED | BAD | SKIPPED,
  treatedAsDone: ENDED | GOOD | SKIPPED,
  /** A group one part of which failed while others go on. */
  badAlready: BAD,
};
type Name = keyof typeof signals;
const names = Object.keys(signals) as Name[];

it.each<[string, number, Name[], Name[], Name[]]>([
  // edge, kind, waits for, spoiled by, spoiled by when that is optional
  ['need', NEED, ['nothingYet'], ['failed', 'skipped', 'badAlready'], ['failed', 'skipped', 'badAlready']],
  ['start', START, ['nothingYet'], ['failed', 'skipped', 'badAlready'], ['failed', 'skipped', 'badAlready']],
  ['preference', PREFER, ['nothingYet', 'badAlready'], [], []],
  ['barrier', BARRIER, ['nothingYet', 'badAlready'], ['failed', 'badAlready'], []],
  [
    'member',
    MEMBER,
    ['nothingYet', 'badAlready'],
    ['failed', 'skipped', 'badAlready'],
    ['failed', 'skipped', 'badAlready'],
  ],
  ['extra', EXTRA, ['nothingYet', 'badAlready'], [], []],
])('%s', (_, kind, waitsFor, spoiledBy, spoiledByOptional) => {
  expect(names.filter((name) => waits(kind, signals[name]) === 1)).toEqual(waitsFor);
  expect(names.filter((name) => spoils(kind, signals[name], 0) === 1)).toEqual(spoiledBy);
  expect(names.filter((name) => spoils(kind, signals[name], 1) === 1)).toEqual(spoiledByOptional);
});
