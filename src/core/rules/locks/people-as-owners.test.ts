// Circles through a person: what they took by name, and what the tasks have that they work on by hand.
//
//   the circle goes through                              and
//   the wait by name, and a task's lock                  an attempt in it is stopped, whoever closes it
//   the second of several tasks                          the same
//   a lock by name, beside a task                        the same: as for anybody
//   two people, or somebody whom Signalbox did not start nobody can be stopped: who closes it is refused
//   a task that was handed in                            is none: the task lets go by itself
//   a task that is started only then                     it is found where it starts
import { describe, expect, it } from 'vitest';
import { brief, running, since } from '../../../../test/lock-stories.ts';
import { log, planOf, type Scenario } from '../../../../test/scenario.ts';
import type { Answer } from '../../commands/accept-or-refuse.ts';
import { markCompleted, markStarted } from '../../commands/mark-task.ts';
import type { Event } from '../../model/event.ts';
import { decide } from '../decide.ts';
import { People } from './people-as-owners.ts';

const keys = { a: { files: ['y'], review: 'human' as const }, b: { files: ['z'] }, c: { reads: ['q'] } };

function does(s: Scenario, answer: Answer): Scenario {
  if (!answer.ok) throw new Error(answer.because);
  return s.record(...answer.events);
}

const start = (s: Scenario, id: string, by: string) => does(s, markStarted(s.state, s.plan, s.index(id), { by }));
const handIn = (s: Scenario, id: string, by: string) =>
  does(s, markCompleted(s.state, s.plan, s.index(id), { by, checks: 0 })).settle();

/** `r` and `s` run; each of the others is started by hand: `a by ann`. */
function story(...hands: string[]): Scenario {
  const s = log(planOf('a, b, c, r, s', { keys })).load().startRun();
  for (const id of ['r', 's']) s.schedule(id).start(id).after(1);
  for (const hand of hands) start(s, hand.split(' by ')[0]!, hand.split(' by ')[1]!);
  return s;
}

function asked(s: Scenario, who: string, wants: string, queue = true): [string, string[]] {
  const { seq } = s.state;
  return [s.ask(who, wants, queue).kind, since(s.events, seq)];
}

const stopped = ['deadlock-detected r#1', 'attempt-doomed r#1 deadlock'];

describe('a circle through a person', () => {
  it('stops the attempt that closes it', () => {
    const s = story('a by ann').lock('r', 'x').lock('ann', 'x');
    expect(asked(s, 'r', 'y')).toEqual(['victim', stopped]);
    expect(s.events.at(-2)).toMatchObject({
      cycle: ['r#1', 'ann'],
      words: 'r#1 holds x and waits for y, held by ann (a#1), which waits for x',
      blockedOn: 'y',
      blocker: 'a#1',
      blockerTask: 'a',
      reason: 'it is the only one that Signalbox may stop',
    });
  });

  it('stops the attempt where the person closes it, who waits then', () => {
    const s = story('a by ann').lock('r', 'x').lock('r', 'y');
    expect(s.ask('ann', 'x', false)).toEqual({
      kind: 'deadlock',
      words: 'ann holds y and waits for x, held by r#1, which waits for y',
      cycle: ['ann', 'r#1'],
    });
    expect(asked(s, 'ann', 'x')).toEqual(['waiting', [...stopped, 'lock-waiting ann']]);
  });

  it('goes through any of several tasks', () => {
    const s = story('a by ann', 'b by ann').lock('r', 'x').lock('ann', 'x');
    expect(asked(s, 'r', 'z')).toEqual(['victim', stopped]);
  });

  it.each([
    ['before', (s: Scenario) => start(s.lock('ann', 'w'), 'a', 'ann')],
    ['after', (s: Scenario) => start(s, 'a', 'ann').lock('ann', 'w')],
  ])('goes through what they took by name %s the start', (_, begin) => {
    const s = begin(story()).lock('r', 'x').lock('ann', 'x');
    expect(asked(s, 'r', 'w')).toEqual(['victim', stopped]);
  });

  it('goes on through others', () => {
    const s = story('a by ann').lock('r', 'x').lock('s', 'v').lock('ann', 'x').lock('r', 'v');
    expect(asked(s, 's', 'y')).toEqual(['victim', ['deadlock-detected s#1', 'attempt-doomed s#1 deadlock']]);
  });

  it('and another is refused: nobody can be stopped', () => {
    const s = story('a by ann', 'b by bob').lock('ann', 'z');
    expect(asked(s, 'bob', 'y')).toEqual(['deadlock', ['lock-refused bob']]);
    expect(s.events.at(-1)).toMatchObject({
      cycle: ['bob', 'ann'],
      words: 'bob holds z and waits for y, held by ann (a#1), which waits for z',
    });
    const guest = story('a by ann').lock('carl', 'x').lock('ann', 'x');
    expect(asked(guest, 'carl', 'y')).toEqual(['deadlock', ['lock-refused carl']]);
    expect(asked(guest, 'carl', 'y', false)).toEqual(['deadlock', ['lock-tried']]);
  });

  it('who upgrades what both read', () => {
    const s = story('c by ann', 'c by ann'.replace('c', 'b')).lock('bob', '~q').lock('ann', 'q');
    expect(asked(s, 'bob', 'q')).toEqual(['deadlock', ['lock-refused bob']]);
  });

  it('is none when the task was handed in', () => {
    const s = handIn(story('a by ann', 'b by ann'), 'a', 'ann').lock('r', 'x').lock('ann', 'x');
    expect(s.locks()).toContain('a#1 y');
    expect(asked(s, 'r', 'y')).toEqual(['waiting', ['lock-waiting r#1']]);
    // It is not theirs any more, so they wait for it like everybody.
    expect(asked(s, 'ann', 'y', false)[0]).toBe('busy');
  });

  it('is none when they wait for nothing, or are somebody else', () => {
    expect(asked(story('a by ann').lock('r', 'x'), 'r', 'y')[0]).toBe('waiting');
    expect(asked(story('a by ann').lock('r', 'x').lock('bob', 'x'), 'r', 'y')[0]).toBe('waiting');
  });

  it('is found where a task is started that closes it', () => {
    // Of two that `r` waits for one is free, and so others may have it first.
    const s = story().lock('carl', 'v').lock('r', 'x').lock('ann', 'x').lock('r', 'y v');
    start(s, 'a', 'ann');
    expect(decide(s.state, s.time, null, new Set(s.state.plans.keys())).map(brief)).toEqual(stopped);
    expect(decide(s.state, s.time, s.me).map(brief)).toEqual(stopped);
  });

  it('is found where it is closed by what the task had not yet: nobody can be stopped', () => {
    const s = story().lock('carl', 'v').lock('dora', 'x').lock('ann', 'x').lock('dora', 'y v');
    start(s, 'a', 'ann');
    const events = decide(s.state, s.time, null, new Set(s.state.plans.keys()));
    expect(events.map(brief)).toEqual(['lock-refused dora', 'lock-wait-ended dora']);
    expect(events[0]).toMatchObject({ words: 'dora holds x and waits for y, held by ann (a#1), which waits for x' });
  });

  it('is found where nobody else in it has anything that others wait for', () => {
    const s = log(planOf('a, r, s', { keys: { a: { files: ['p/1'] } } }))
      .load()
      .startRun();
    for (const id of ['r', 's']) s.schedule(id).start(id).after(1);
    // Each is in line behind the next, and only the last one waits for what somebody has.
    s.lock('carl', 'w').lock('carl', 'q').lock('r', 'p/** w').lock('s', 'p/2 q').lock('ann', 'q');
    start(s, 'a', 'ann');
    expect(decide(s.state, s.time, null, new Set(s.state.plans.keys()))[0]).toMatchObject({
      words: expect.stringContaining('ann holds p/1 and waits for q, for which s#1 waits before it'),
      victim: 's#1',
    });
  });

  it('is not closed by somebody who calls themselves like an attempt', () => {
    const s = story();
    const { token } = s.live('r');
    start(s, 'a', `#${token}`).lock('r', 'x').lock('s', 'x');
    expect(asked(s, 'r', 'y')[0]).toBe('waiting');
  });
});

describe('a person may pass', () => {
  it('who waits for a task of theirs', () => {
    const s = log(planOf('a, r', { keys: { a: { files: ['src/a.ts'] } } }))
      .load()
      .startRun();
    start(s.schedule('r').start('r'), 'a', 'ann').lock('r', 'src/**');
    const ticket = s.state.seq;
    expect(asked(s, 'ann', 'src/b.ts')).toEqual(['granted', ['lock-acquired ann src/b.ts']]);
    expect(s.events.at(-1)).toMatchObject({ passes: [ticket] });
    expect(asked(s, 'bob', 'src/c.ts', false)[0]).toBe('busy');
  });

  it('them after others, too', () => {
    const s = log(planOf('a, r', { keys: { a: { files: ['src/a.ts'] } } }))
      .load()
      .startRun();
    start(s.schedule('r').start('r'), 'a', 'ann').lock('carl', 'src/b.ts').lock('r', 'src/**').lock('ann', 'src/b.ts');
    const ticket = s.state.seq - 1;
    expect(s.live('r').doom).toBeNull();
    s.release('carl', 'src/b.ts').settle();
    expect(s.locks()).toBe('a#1 src/a.ts, ann src/b.ts, r#1 waits src/**');
    expect(s.events.at(-1)).toMatchObject({ type: 'lock-acquired', ticket: ticket + 1, passes: [ticket] });
  });

  it('those who are in the way of none of theirs', () => {
    const s = log(planOf('a, b, r, s', { keys: { a: { files: ['p/a'] }, b: { files: ['q/b'] } } }))
      .load()
      .startRun();
    for (const id of ['r', 's']) s.schedule(id).start(id);
    start(start(s, 'a', 'ann'), 'b', 'ann')
      .lock('r', 'p/**')
      .lock('s', 'q/**')
      .lock('ann', 'w');
    expect(asked(s, 'ann', 'p/x q/y w')[0]).toBe('granted');
    expect(
      new People(s.state, 'ann').passesOf({ owner: 'ann', wants: [{ key: 'p/z', mode: 'exclusive' }] }),
    ).toHaveLength(1);
  });

  it('but not who waits for something else', () => {
    const s = story('a by ann').lock('carl', 'src/b').lock('r', 'src/**');
    expect(asked(s, 'ann', 'src/c', false)[0]).toBe('busy');
  });

  it('their own earlier request, of another terminal', () => {
    const s = story('c by ann').lock('bob', '~q').lock('ann', 'q');
    expect(s.locks()).toBe('bob ~q, c#1 ~q, ann waits q');
    expect(asked(s, 'ann', '~q/x')).toEqual(['granted', ['lock-acquired ann q/x']]);
    expect((s.events.at(-1) as Extract<Event, { type: 'lock-acquired' }>).passes).toBeUndefined();
  });
});

it('with nobody at work by hand, every answer is that of the table', () => {
  const s = running().lock('a', 'x').lock('b', 'y').lock('a', 'y');
  const { table } = s.state.locks;
  const people = new People(s.state);
  const wants = [{ key: 'x', mode: 'exclusive' as const }];
  const asks = { owner: '#2', wants };
  expect(people.wouldDeadlock(asks)).toEqual(table.wouldDeadlock(asks));
  expect(people.findDeadlock('#1')).toEqual(table.findDeadlock('#1'));
  expect(people.obstaclesOf(asks)).toEqual(table.obstaclesOf(asks));
  expect(people.knots()).toEqual(table.knots());
  expect(people.nextGrant()).toEqual(table.nextGrant());
});
