// Locks of those who work on a task by hand: what the plan declares for the task, they have too.
import { describe, expect, it } from 'vitest';
import { since } from '../../../test/lock-stories.ts';
import { log, planOf, type Scenario } from '../../../test/scenario.ts';
import { restoreLocks, snapshotLocks } from '../state/lock-state.ts';
import { handsOf } from './lock-request.ts';
import { markStarted } from './mark-task.ts';

const keys = { a: { files: ['src/**'], reads: ['docs'] }, b: { files: ['lib/*'] } };

/** Ann works on these. */
function atWork(...ids: string[]): Scenario {
  const s = log(planOf('a, b, c', { keys })).load();
  for (const id of ids) {
    const answer = markStarted(s.state, s.plan, s.index(id), { by: 'ann' });
    if (!answer.ok) throw new Error(answer.because);
    s.record(...answer.events);
  }
  return s;
}

/** The kind of the answer, and what was recorded. */
function asked(s: Scenario, who: string, wants: string, queue = true): [string, string[]] {
  const { seq } = s.state;
  return [s.ask(who, wants, queue).kind, since(s.events, seq)];
}

describe('whoever works on it by hand', () => {
  it.each<[string, string, string[]]>([
    ['has what it declares', 'src/**', []],
    ['has it to read, too', '~src/**', []],
    ['has what it reads', '~docs', []],
    ['gets what overlaps only that, as the task', 'src/a.ts', ['lock-acquired a#1 src/a.ts']],
    ['may write what the task reads, where nobody else does', 'docs', ['lock-acquired a#1 docs']],
    ['gets everything else under their own name', 'test', ['lock-acquired ann test']],
    ['gets what is missing', 'src/** test', ['lock-acquired ann test']],
  ])('%s', (_, wants, events) => {
    expect(asked(atWork('a'), 'ann', wants)).toEqual(['granted', events]);
    expect(asked(atWork('a'), 'ann', wants, false)).toEqual(['granted', events]);
  });

  it('of several tasks, as the one that is in the way', () => {
    expect(asked(atWork('b', 'a'), 'ann', 'src')).toEqual(['granted', ['lock-acquired a#1 src']]);
  });

  it('waits for others who are in the way, and for nobody else', () => {
    const s = atWork('a').lock('bob', 'test');
    expect(asked(s, 'ann', 'src/** test')).toEqual(['waiting', ['lock-waiting ann']]);
    s.release('bob', 'test').settle();
    expect(s.locks()).toBe('a#1 src/**, a#1 ~docs, ann test');
  });

  it.each(['docs', '**'])('waits for those who read it too, though the task itself is in the way: %s', (wants) => {
    const s = atWork('a').lock('bob', '~docs');
    expect(s.ask('ann', wants, false)).toMatchObject({ kind: 'busy', obstacles: [{ owner: 'bob' }] });
    expect(asked(s, 'ann', wants)).toEqual(['waiting', ['lock-waiting ann']]);
    s.release('bob', '~docs').settle();
    expect(s.locks()).toBe(`a#1 src/**, a#1 ~docs, ann ${wants}`);
  });

  it('gets what overlaps the locks of several tasks', () => {
    expect(asked(atWork('b', 'a'), 'ann', 'src/x lib/y')).toEqual([
      'granted',
      ['lock-acquired b#1 src/x', 'lock-acquired b#1 lib/y'],
    ]);
  });

  it('is known from a snapshot too', () => {
    const s = atWork('a');
    const locks = restoreLocks(JSON.parse(JSON.stringify(snapshotLocks(s.state.locks))));
    const hands = handsOf({ ...s.state, locks }, { token: 0, name: 'ann' });
    expect(hands).toMatchObject([{ name: 'a#1', by: 'ann' }]);
  });
});

it.each(['bob', 'c'])('nobody else has it: %s', (who) => {
  const s = atWork('a').startRun().schedule('c').start('c');
  expect(s.ask(who, 'src/**', false).kind).toBe('busy');
});

it('a task of that name is not a person', () => {
  const s = atWork('a').startRun().schedule('c').start('c');
  expect(handsOf(s.state, { token: s.live('c').token, name: 'ann' })).toEqual([]);
});
