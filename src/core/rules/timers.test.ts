import { describe, expect, it } from 'vitest';
import { running } from '../../../test/lock-stories.ts';
import { begin, dawn, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { deadlineOf, nextTimer } from './timers.ts';

const never = Number.POSITIVE_INFINITY;
const keys = { a: { timeoutMs: 50 }, b: { timeoutMs: 20 }, agent: {}, shell: { run: 'true' }, none: { timeoutMs: 0 } };
const plan = planOf('a, b, agent, shell, none, c', { keys });

describe('deadlineOf', () => {
  it.each<[string, string, Scenario, number]>([
    ['its own', 'a', begin(plan).schedule('a').after(3).start('a'), dawn + 53],
    ['an hour for agents', 'agent', begin(plan).schedule('agent').start('agent'), dawn + 3_600_000],
    ['none for commands', 'shell', begin(plan).schedule('shell').start('shell'), never],
    ['0 is none', 'none', begin(plan).schedule('none').start('none'), never],
    ['not before it starts', 'a', begin(plan).schedule('a'), never],
    ['not while it waits for a lock', 'a', running(plan).lock('b', 'x').lock('a', 'x'), never],
    [
      'later by the time it waited: by each time',
      'a',
      running(planOf('a, b', { keys }))
        .lock('b', 'x')
        .lock('a', 'x')
        .after(7)
        .release('b', 'x')
        .settle()
        .lock('b', 'y')
        .lock('a', 'y')
        .after(4)
        .giveUp('a'),
      dawn + 50 + 11,
    ],
    [
      'two of its subagents wait: until the last one goes on',
      'a',
      running(planOf('a, b', { keys }))
        .lock('b', 'x y')
        .lock('a', 'x')
        .after(3)
        .lock('a', 'y')
        .after(4)
        .release('b', 'x')
        .settle(),
      never,
    ],
    ['not when it is being ended', 'a', begin(plan).schedule('a').start('a').doom('a', { kind: 'stop' }), never],
  ])('%s', (_, id, scenario, expected) => {
    expect(deadlineOf(scenario.plan, scenario.live(id))).toBe(expected);
  });
});

describe('nextTimer: the nearest of', () => {
  it.each<[string, Scenario, number]>([
    ['nothing', begin(plan), never],
    ['backoffs', begin(plan).failOnce('a', 30).failOnce('b', 10), dawn + 10],
    ['deadlines', begin(plan).schedule('a', 'b', 'shell').start('a', 'b', 'shell'), dawn + 20],
    ['both', begin(plan).failOnce('c', 30).schedule('a').start('a'), dawn + 30],
    ['a backoff behind something else is none', begin('a, b ~> a').failOnce('b', 10), never],
  ])('%s', (_, scenario, expected) => {
    expect(nextTimer(scenario.state)).toBe(expected);
  });

  it('what is attended', () => {
    const scenario = begin(plan).schedule('a', 'b').start('a', 'b');
    expect(nextTimer(scenario.state, (token) => token === 1)).toBe(dawn + 50);
  });

  it('all plans', () => {
    const one = begin(plan).failOnce('a', 30);
    log(planOf('b', { path: 'two.md' }), one.state)
      .load()
      .failOnce('b', 20);
    expect(nextTimer(one.state)).toBe(dawn + 20);
  });

  it('is when decide has something to add', () => {
    const scenario = begin(planOf('a', { keys })).schedule('a').start('a');
    scenario.after(nextTimer(scenario.state) - dawn - 1);
    expect(scenario.decide()).toEqual([]);
    expect(scenario.after(1).decide()).toHaveLength(1);
  });
});
