import { describe, expect, it } from 'vitest';
import { begin, dawn, type Scenario } from '../../../test/scenario.ts';
import { type WriteFinding, worstFirst } from '../model/failure.ts';
import { findingsAbout, othersAtWork } from './write-findings.ts';

const working = () => begin('a, b').schedule('a', 'b').start('a', 'b');
const tokenOf = (scenario: Scenario, id: string) => scenario.live(id).token;

/** About one file that changed under a. */
function found(scenario: Scenario, path: string, others: readonly string[] = []): string {
  const busy = new Set(others.map((id) => tokenOf(scenario, id)));
  const [about] = findingsAbout(scenario.state, tokenOf(scenario, 'a'), [{ path, key: path }], busy);
  if (about === undefined) return 'nothing';
  return about.holder === undefined ? about.finding : `${about.finding} ${about.holder}`;
}

describe('a file that changed under an attempt', () => {
  it.each<[string, (scenario: Scenario) => Scenario, string[], string]>([
    ['was its own', (s) => s.lock('a', 'src/x'), [], 'nothing'],
    ['was its own by a pattern', (s) => s.lock('a', 'src/**'), ['b'], 'nothing'],
    ['may only be read by it', (s) => s.lock('a', '~src/x'), [], 'late'],
    ['is no named resource', (s) => s.lock('a', 'db:src'), [], 'late'],
    ['is nobody’s', (s) => s, [], 'late'],
    ['is nobody’s, while another works', (s) => s, ['b'], 'suspect'],
    ['is a person’s', (s) => s.lock('ann', 'src'), [], 'foreign ann'],
    ['is a person’s, while another works', (s) => s.lock('ann', 'src/x'), ['b'], 'foreign ann'],
    ['is another’s, which rests', (s) => s.lock('b', 'src/x'), [], 'foreign b#1'],
    ['is another’s, which works', (s) => s.lock('b', 'src/x'), ['b'], 'suspect b#1'],
    ['is waited for', (s) => s.lock('ann', '~src/x').lock('b', 'src/x').release('ann', '~src/x'), [], 'suspect'],
  ])('%s', (_, story, others, expected) => {
    expect(found(story(working()), 'src/x', others)).toBe(expected);
  });
});

describe('who was at work beside an attempt', () => {
  const others = (scenario: Scenario, since: number, isBusy = false) =>
    [...othersAtWork(scenario.state, { token: tokenOf(scenario, 'a'), since }, () => isBusy)].length;

  it('those that are alive and busy', () => {
    const scenario = working();
    expect([others(scenario, dawn, true), others(scenario, dawn)]).toEqual([1, 0]);
  });

  it('those that have ended since, however', () => {
    const done = working().after(100).end('b', 0).complete('b');
    expect([others(done, dawn), others(done, dawn + 100), others(done, dawn + 101)]).toEqual([1, 1, 0]);
    const failed = working().after(100).end('b', 1).again('b', 50, 'failed', { kind: 'exit', code: 1 });
    expect([others(failed, dawn + 100), others(failed, dawn + 101)]).toEqual([1, 0]);
  });
});

it('what matters comes first, in the order in which it was found', () => {
  const of = (path: string, finding: WriteFinding['finding']) => ({ path, finding });
  const files = [of('a', 'late'), of('b', 'foreign'), of('c', 'suspect'), of('d', 'unlocked'), of('e', 'foreign')];
  expect(worstFirst(files).map(({ path }) => path)).toEqual(['b', 'e', 'd', 'c', 'a']);
});
