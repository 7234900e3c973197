import { describe, expect, it } from 'vitest';
import { begin, type Scenario } from '../../../../test/scenario.ts';
import type { Status } from '../state.ts';
import { leavesOf } from './status.ts';

describe('a group is', () => {
  it.each<[string, Scenario, Status]>([
    ['pending', begin('g { a, b }'), 'pending'],
    ['pending while none was touched, though one is blocked', begin('x, g { a, b → x }').fail('x'), 'pending'],
    ['in progress', begin('g { a, b }').schedule('a'), 'in_progress'],
    ['in progress between two parts', begin('g { a, b }').complete('a'), 'in_progress'],
    ['in progress while others go on after a failure', begin('g { a, b }').fail('a'), 'in_progress'],
    ['completed', begin('g { a, b }').complete('a', 'b'), 'completed'],
    ['completed with some treated as done', begin('g { a, b }').complete('a').treatAsDone('b'), 'completed'],
    ['completed with an optional failure', begin('g { a, b* }').complete('a').fail('b'), 'completed'],
    ['not completed before its optional parts end', begin('g { a, b* }').complete('a'), 'in_progress'],
    ['failed', begin('g { a, b, c, d }').fail('a').suspend('b').skip('c').complete('d'), 'failed'],
    ['blocked', begin('x, g { a, b, c → x }').fail('x').suspend('a').skip('b'), 'blocked'],
    ['blocked by its own needs', begin('x, g → x { a, h { b } }').fail('x'), 'blocked'],
    ['suspended', begin('g { a, b, c }').suspend('a').skip('b').complete('c'), 'suspended'],
    ['skipped', begin('g { a, b }').skip('a').complete('b'), 'skipped'],
    ['as its required parts, not its optional ones', begin('g { a, b* }').skip('a').fail('b'), 'skipped'],
    ['failed, when it is optional itself', begin('g* { a, b }').fail('a').complete('b'), 'failed'],
    ['as the groups in it', begin('g { h { a }, i* { b } }').suspend('a').fail('b'), 'suspended'],
  ])('%s', (_, scenario, expected) => {
    expect(scenario.status('g')).toBe(expected);
  });
});

it('a leaf is as recorded, but for blocked', () => {
  const scenario = begin('a, b → a, c, +d, -e, f, h').fail('a').suspend('f').schedule('h');
  const told = ['a', 'b', 'c', 'd', 'e', 'f', 'h'].map((id) => scenario.status(id));
  expect(told).toEqual(['failed', 'blocked', 'pending', 'completed', 'skipped', 'suspended', 'in_progress']);
});

it('leavesOf', () => {
  const { plan } = begin('x, g { a, h { b, c } }, y');
  expect([leavesOf(plan, 1), leavesOf(plan, 3), leavesOf(plan, 0)]).toEqual([[2, 4, 5], [4, 5], [0]]);
});
