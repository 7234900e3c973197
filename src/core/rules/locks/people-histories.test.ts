// Any history of attempts, of people who lock by name and work by hand, and of others: after every step, whoever waits gets what they
// wait for once those who do not wait have let go; and where somebody was refused or stopped, it would not have been so without that.
// No graph is looked at to judge: everybody who can go on lets go of everything, again and again, until nothing moves.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { howMany } from '../../../../test/how-many.ts';
import { here, log, planOf, type Scenario } from '../../../../test/scenario.ts';
import type { Want } from '../../../locks/lock-table.ts';
import { parseResource } from '../../../locks/resource.ts';
import { isHeld } from '../../commands/lock-request.ts';
import { markCompleted, markFailed, markStarted } from '../../commands/mark-task.ts';
import type { Event } from '../../model/event.ts';
import { type LockOwner, ownerIn, partyOf } from '../../state/lock-state.ts';
import { decide } from '../decide.ts';
import { giveUpWaits, moveLocks, releaseAll } from './lock-rules.ts';
import { pollsAt } from './polls.ts';

const tasks = ['a', 'b', 'c', 'd'];
const attempts = ['r', 's', 't'];
const people = ['ann', 'bob', 'carl'];
const keys = ['x', 'x', 'y', 'y', 'z', '~y', 'p/**', 'p/1', 'p/2'];
const definition = planOf('a, b, c, d, r, s, t', {
  keys: {
    a: { files: ['x'] },
    b: { files: ['p/1'] },
    c: { reads: ['y'], files: ['z'] },
    d: { files: ['y'], review: 'human' },
  },
});

const begin = (): Scenario => {
  const s = log(definition).load().startRun();
  for (const id of attempts) s.schedule(id).start(id).after(1);
  return s;
};

/** The same history again, somewhere else. */
function copy(events: readonly Event[]): Scenario {
  return log(definition).record(...events);
}

type Step =
  | { readonly does: 'wait' | 'try'; readonly who: string; readonly keys: readonly string[] }
  | { readonly does: 'release' | 'give up'; readonly who: string }
  | { readonly does: 'start' | 'complete' | 'fail'; readonly task: string; readonly by: string };

const who = fc.constantFrom(...attempts, ...people, ...people);
/** @param most how many keys one waits for. */
const stepOf = (most: number): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        does: fc.constant('wait' as const),
        who,
        keys: fc.uniqueArray(fc.constantFrom(...keys), {
          minLength: 1,
          maxLength: most,
          selector: (key) => key.replace('~', ''),
        }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('try' as const),
        who,
        keys: fc.uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 1 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('release' as const, 'give up' as const), who }) },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('start' as const),
        task: fc.constantFrom(...tasks),
        by: fc.constantFrom('ann', 'ann', 'bob'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constantFrom('complete' as const, 'fail' as const),
        task: fc.constantFrom(...tasks),
        by: fc.constantFrom('ann', 'bob'),
      }),
    },
  );

const histories = fc
  .constantFrom(1, 2)
  .chain((most) => fc.tuple(fc.constant(most === 1), fc.array(stepOf(most), { minLength: 20, maxLength: 40 })));

/** What the step records by itself, and whether it was refused as a deadlock. */
function perform(s: Scenario, one: Step): boolean {
  if ('who' in one && attempts.includes(one.who) && !s.task(one.who).live) return false;
  // Who waits does nothing else: then a grant frees somebody, and closes no circle that was not there.
  if ('keys' in one && s.state.locks.table.waitsOf(s.owner(one.who).owner).length > 0) return false;
  switch (one.does) {
    case 'wait':
    case 'try':
      return s.ask(one.who, one.keys.join(' '), one.does === 'wait').kind === 'deadlock';
    case 'release':
      s.record(...releaseAll(s.state, s.owner(one.who), 'released'));
      return false;
    case 'give up':
      s.giveUp(one.who);
      return false;
    default: {
      const { by } = one;
      const i = s.index(one.task);
      const answer =
        one.does === 'start'
          ? markStarted(s.state, s.plan, i, { by })
          : one.does === 'complete'
            ? markCompleted(s.state, s.plan, i, { by, checks: 0 })
            : markFailed(s.state, s.plan, i, { by, error: 'no', now: s.time });
      if (answer.ok) s.record(...answer.events);
      return false;
    }
  }
}

/** Nobody is refused or stopped for it. */
function performAnyhow(s: Scenario, one: Step): void {
  if (one.does !== 'wait' && one.does !== 'try') return void perform(s, one);
  const owner = s.owner(one.who);
  queue(
    s,
    owner,
    one.keys.map(wantOf).filter((want) => !isHeld(s.state, owner, want)),
  );
}

function queue(s: Scenario, owner: LockOwner, wants: readonly Want[]): void {
  s.record({
    type: 'lock-waiting',
    v: 1,
    ...partyOf(owner),
    resource: wants[0]!.key,
    wants,
    blockedBy: [],
    process: here,
  });
}

function wantOf(text: string): Want {
  const read = parseResource(text.replace('~', ''));
  if (!read.ok) throw new Error(text);
  return { key: read.resource.key, mode: text.startsWith('~') ? 'shared' : 'exclusive' };
}

/** Whoever polls stands in line too. */
function queuePolls(s: Scenario): Scenario {
  for (const { owner, wants } of pollsAt(s.state, s.time)) queue(s, ownerIn(s.state, owner), wants);
  return s;
}

/** Who waits for ever. */
function waitForEver(s: Scenario): string[] {
  const { table, owners } = s.state.locks;
  for (let seq = -1; seq !== s.state.seq; ) {
    seq = s.state.seq;
    for (let events = moveLocks(s.state); events; events = moveLocks(s.state)) s.record(...events);
    for (const owner of [...owners.values()]) {
      const isEnding =
        owner.token !== 0 && !s.state.hands.has(owner.token) && s.state.live.get(owner.token)?.doom !== null;
      if (isEnding) s.record(...giveUpWaits(s.state, owner, 'ended'));
      const isWaiting =
        table.waitsOf(owner.owner).length > 0 || (isAtWork(s, owner) && table.waitsOf(owner.by!).length > 0);
      if (!isWaiting && !hasHandsThatWait(s, owner)) s.record(...releaseAll(s.state, owner, 'ended'));
    }
  }
  return Array.from(table.requests(), ({ owner }) => owner);
}

const isAtWork = (s: Scenario, { by, token }: LockOwner) => by !== undefined && s.state.hands.has(token);
const hasHandsThatWait = (s: Scenario, { name, token }: LockOwner) =>
  token === 0 &&
  [...s.state.locks.owners.values()].some(
    (one) => one.by === name && isAtWork(s, one) && s.state.locks.table.waitsOf(one.owner).length > 0,
  );

function settle(s: Scenario): void {
  for (let left = 200; ; left--) {
    const events = decide(s.state, s.time, null, new Set(s.state.plans.keys()));
    if (events.length === 0) return;
    if (left === 0) throw new Error('the rules do not come to rest');
    s.record(...events);
  }
}

/** Its files are what they were, where it had any. */
function end(s: Scenario, id: string): void {
  const { token } = s.live(id);
  s.end(id, { kind: 'killed', code: null });
  if (s.state.salvage.has(token)) s.saveWork(token).putBack(token);
}

it('everybody who waits gets it in the end, and nobody is stopped for nothing', () => {
  const seen = { found: 0, refused: 0, throughHands: 0 };
  fc.assert(
    fc.property(histories, ([isSimple, steps]) => {
      const s = begin();
      for (const one of steps) {
        const before = [...s.events];
        const isRefused = perform(s, one);
        settle(s);
        const news = s.events.slice(before.length);
        const found = news.filter(({ type }) => type === 'deadlock-detected' || type === 'lock-refused');
        if (isRefused || found.length > 0) {
          const other = copy(before);
          performAnyhow(other, one);
          // A request for many reserves parts that come free once their holder goes on: the table is careful there.
          if (isSimple) expect(waitForEver(queuePolls(other)), 'would wait for ever').not.toEqual([]);
          seen[isRefused ? 'refused' : 'found']++;
          if (found.some((event) => 'words' in event && event.words.includes('('))) seen.throughHands++;
        }
        for (const id of attempts) if (s.task(id).live?.doom) end(s, id);
        settle(s);
        expect(waitForEver(copy(s.events)), 'wait for ever').toEqual([]);
      }
    }),
    { numRuns: howMany(400) },
  );
  expect(Math.min(seen.found, seen.refused, seen.throughHands), JSON.stringify(seen)).toBeGreaterThan(10);
});
