// Two that poll with `try` in opposite order, as the table in polls.ts says.
import { describe, expect, it } from 'vitest';
import { overAndPutBack, running, since } from '../../../../test/lock-stories.ts';
import { restored } from '../../../../test/restored.ts';
import type { Scenario } from '../../../../test/scenario.ts';
import { pollingMs } from '../../model/defaults.ts';
import { decide } from '../decide.ts';
import { pollsAt } from './polls.ts';

const tries = (s: Scenario, who: string, keys: string) => s.ask(who, keys, false).kind;

function tried(s: Scenario, who: string, keys: string): [string, string[]] {
  const { seq } = s.state;
  return [tries(s, who, keys), since(s.events, seq)];
}

/** `a` has x, `b` has y, and `a` was refused y twice: what is left is that `b` polls for x. */
function polling(): Scenario {
  const s = running().lock('a', 'x').lock('b', 'y');
  for (const _ of ['first', 'second']) tries(s.after(1000), 'a', 'y');
  return s;
}

const stopped = ['deadlock-detected b#1', 'attempt-doomed b#1 deadlock'];

describe('who asks with `try` again and again', () => {
  it('waits from the second time on, and closes a circle like any other', () => {
    const s = polling();
    expect(tried(s, 'b', 'x')).toEqual(['deadlock', ['lock-tried b#1']]);
    expect(tried(s, 'b', 'x')).toEqual(['victim', ['lock-tried b#1', ...stopped]]);
    expect(s.events.at(-2)).toMatchObject({
      cycle: ['b#1', 'a#1'],
      words: 'b#1 holds y and waits for x, held by a#1, which waits for y',
      blockedOn: 'x',
      blocker: 'a#1',
      blockerTask: 'a',
    });
    // The other hears that it is busy until the victim is gone, and then gets it.
    expect(tries(s, 'a', 'y')).toBe('busy');
    overAndPutBack(s, 'b').settle();
    expect(tries(s, 'a', 'y')).toBe('granted');
    expect(pollsAt(s.state, s.time)).toEqual([]);
  });

  it('stops the other one where that is the younger', () => {
    const s = running().lock('a', 'x').lock('b', 'y');
    for (const _ of ['first', 'second']) tries(s, 'b', 'x');
    tries(s, 'a', 'y');
    expect(tried(s, 'a', 'y')).toEqual(['busy', ['lock-tried a#1', ...stopped]]);
    expect(tries(s, 'b', 'x')).toBe('victim');
  });

  it('is found by who waits in the queue', () => {
    const s = polling();
    const { seq } = s.state;
    expect([s.ask('b', 'x').kind, since(s.events, seq)]).toEqual(['victim', stopped]);
  });

  it('is found where a grant closes the circle', () => {
    // c has z, which b waits for; a polls for z too, and b gets it while it waits for x of a.
    const s = running('a, b, c').lock('a', 'x').lock('b', 'y').lock('c', 'z').lock('b', 'z');
    for (const _ of ['first', 'second']) tries(s, 'a', 'z');
    s.lock('b', 'x');
    expect(s.state.victims.size).toBe(1);
  });

  it('counts for nothing after one refusal, however long somebody waits for it', () => {
    const s = running().lock('a', 'x').lock('b', 'y');
    tries(s, 'a', 'y');
    expect(tried(s, 'b', 'x')).toEqual(['busy', ['lock-tried b#1']]);
    expect(s.after(pollingMs).ask('b', 'x').kind).toBe('waiting');
    expect(s.decide()).toEqual([]);
  });

  it.each([
    ['30 s pass without another', (s: Scenario) => s.after(pollingMs)],
    ['it is granted', (s: Scenario) => s.release('b', 'y').lock('a', 'y').release('a', 'y').lock('b', 'y')],
    ['its attempt is stopped', (s: Scenario) => s.doom('a', { kind: 'stop' })],
    ['its attempt ends', (s: Scenario) => s.end('a', 0)],
  ])('does not wait any more when %s', (_, over) => {
    const s = over(polling());
    expect(pollsAt(s.state, s.time)).toEqual([]);
    s.lock('b', 'x').settle();
    expect(s.state.victims.size).toBe(0);
  });

  it('has no place in the queue: others go before it, and nobody stands behind it', () => {
    const s = running('a, b, c').lock('a', 'x').lock('b', 'y');
    for (const _ of ['first', 'second', 'third']) expect(tries(s, 'a', 'y')).toBe('busy');
    expect(s.ask('c', 'y').kind).toBe('waiting');
    s.release('b', 'y').settle();
    expect(s.locks()).toBe('a#1 x, c#1 y');
    expect(s.live('a').parkedSince).toBe(0);
  });

  it('begins anew after 30 s: the next refusal counts as the first', () => {
    const s = polling().after(pollingMs);
    expect(tried(s, 'a', 'y')).toEqual(['busy', ['lock-tried a#1']]);
    expect(pollsAt(s.state, s.time)).toEqual([]);
    tries(s, 'a', 'y');
    expect(pollsAt(s.state, s.time)).toHaveLength(1);
  });

  it('is recorded twice, and then only now and then', () => {
    const s = running().lock('a', 'x').lock('b', 'y');
    for (let i = 0; i < 100; i++) tries(s.after(200), 'a', 'y');
    expect(s.events.filter(({ type }) => type === 'lock-tried')).toHaveLength(3);
    // The same keys in another order are the same.
    expect(tried(s, 'a', 'y z')).toEqual(['busy', ['lock-tried a#1']]);
    expect(tried(s, 'a', 'z y')).toEqual(['busy', ['lock-tried a#1']]);
    expect(tried(s, 'a', 'y z')).toEqual(['busy', []]);
  });

  it('is not recorded of somebody whom nobody can wait for', () => {
    const s = running().lock('b', 'y');
    expect(tried(s, 'a', 'y')).toEqual(['busy', []]);
    expect(tried(s, 'a', 'y')).toEqual(['busy', []]);
  });

  it('is told of the deadlock each time where nobody may be stopped, and nothing more is recorded', () => {
    const s = running('a').lock('ann', 'x').lock('bob', 'y');
    for (const _ of ['first', 'second']) expect(tries(s, 'ann', 'y')).toBe('busy');
    expect(tried(s, 'bob', 'x')).toEqual(['deadlock', ['lock-tried']]);
    expect(tried(s, 'bob', 'x')).toEqual(['deadlock', ['lock-tried']]);
    expect(tried(s, 'bob', 'x')).toEqual(['deadlock', []]);
    expect(tried(s, 'ann', 'y')).toEqual(['deadlock', []]);
    // A runner that looks finds nothing to do: they are told.
    expect(decide(s.state, s.time, null, new Set(s.state.plans.keys()))).toEqual([]);
    // Who waits in the queue is refused, as always.
    expect(s.ask('bob', 'x').kind).toBe('deadlock');
  });

  it('is left alone by a run that looks for no deadlocks', () => {
    const s = running('a, b', { detect: false, victim: 'youngest' }).lock('a', 'x').lock('b', 'y');
    for (const _ of ['first', 'second', 'third']) {
      expect(tries(s, 'a', 'y')).toBe('busy');
      expect(tries(s, 'b', 'x')).toBe('busy');
    }
    expect(s.decide()).toEqual([]);
  });

  it('is known after a restart', () => {
    const s = polling();
    const again = restored(s.state, s.events);
    expect(pollsAt(again, s.time)).toEqual([{ owner: '#1', wants: [{ key: 'y', mode: 'exclusive' }] }]);
  });
});
