import { describe, expect, it } from 'vitest';
import { brief, overAndPutBack, running } from '../../../../test/lock-stories.ts';
import { begin, planOf, type Scenario } from '../../../../test/scenario.ts';
import type { AttemptEnd } from '../../model/failure.ts';
import { decide } from '../decide.ts';
import { giveUpWaits, isHeldBack, releaseAll } from './lock-rules.ts';

const settled = (scenario: Scenario) => scenario.decide().map(brief);
const killed: AttemptEnd = { kind: 'killed', code: null };

describe('what is released goes to the next in line', () => {
  it('in the order in which they came', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('c', 'x').lock('b', 'x').release('a', 'x');
    expect(settled(scenario)).toEqual(['lock-acquired c#1 x']);
    expect(scenario.locks()).toBe('c#1 x, b#1 waits x');
  });

  it('to all at once who only read', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('b', '~x').lock('c', '~x').release('a', 'x');
    expect(settled(scenario)).toEqual(['lock-acquired b#1 x', 'lock-acquired c#1 x']);
  });

  it('all of a request or none', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('b', 'y').lock('c', 'x y').release('a', 'x');
    expect(settled(scenario)).toEqual([]);
    expect(settled(scenario.release('b', 'y'))).toEqual(['lock-acquired c#1 x', 'lock-acquired c#1 y']);
  });

  it('with the ticket that it waited with, a greater token than any before, and whom it passes', () => {
    const scenario = running('a, b, c')
      .lock('a', 'x')
      .lock('a', 'y')
      .lock('ann', 'z')
      .lock('b', 'x z')
      .lock('c', 'y x');
    const [first, second] = [...scenario.state.locks.table.requests()].map(({ ticket }) => ticket);
    scenario.release('a', 'x').release('a', 'y').decide();
    const granted = scenario.events.filter(({ type, seq }) => type === 'lock-acquired' && seq > second!);
    expect(granted).toMatchObject([{ ticket: second, passes: [first] }, { ticket: second }]);
    expect(granted[1]).not.toHaveProperty('passes');
    const fences = scenario.state.locks.table.holdsOf('#3').map(({ fence }) => fence);
    expect(Math.min(...fences)).toBeGreaterThan(second!);
  });

  it('also without a runner: every command does it', () => {
    const scenario = running().lock('a', 'x').lock('b', 'x').release('a', 'x');
    expect(decide(scenario.state, scenario.time, null).map(brief)).toEqual(['lock-acquired b#1 x']);
  });

  it('not to one that is being ended: it gets nothing more', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('b', 'x').lock('c', 'x').doom('b', { kind: 'stop' });
    expect(settled(scenario.release('a', 'x'))).toEqual(['lock-wait-ended b#1', 'lock-acquired c#1 x']);
  });

  it('a victim learns why it gets nothing', () => {
    const scenario = running('a, b')
      .lock('ann', 'v')
      .lock('a', 'x')
      .lock('b', 'y')
      .lock('b', 'v')
      .lock('a', 'y')
      .lock('b', 'x');
    scenario.release('ann', 'v').decide();
    expect(scenario.events.at(-1)).toMatchObject({ type: 'lock-wait-ended', attempt: 'b#1', because: 'deadlock' });
  });
});

describe('the locks of an attempt that has ended', () => {
  const holding = () => running('a, b').lock('a', 'x y').lock('b', 'x');

  it('are released in the transaction of its judgement, not before', () => {
    const scenario = holding().end('a', 0);
    expect(decide(scenario.state, scenario.time, scenario.me).map(brief)).toEqual(['task-completed a#1']);
    expect(settled(scenario)).toEqual([
      'task-completed a#1',
      'lock-released a#1 x',
      'lock-released a#1 y',
      'lock-acquired b#1 x',
    ]);
    expect(scenario.events.findLast(({ type }) => type === 'lock-released')).toMatchObject({ because: 'ended' });
  });

  it.each<[string, AttemptEnd, string]>([
    ['failed', { kind: 'exited', code: 1 }, 'retry-scheduled a#1 failed'],
    ['never started', { kind: 'never-started' }, 'retry-scheduled a#1 stopped'],
  ])('so too when it %s', (_, end, judged) => {
    expect(settled(holding().end('a', end)).slice(0, 2)).toEqual([judged, 'lock-released a#1 x']);
  });

  it('its waiting ends with them', () => {
    const scenario = running().lock('a', 'x').lock('b', 'x').end('b', 0);
    expect(settled(scenario)).toEqual(['task-completed b#1', 'lock-wait-ended b#1']);
    expect(scenario.events.at(-1)).toMatchObject({ because: 'ended' });
  });

  it('one that ends while it is the next in line gets nothing', () => {
    const scenario = running().lock('a', 'x').lock('b', 'x').release('a', 'x').end('b', 0);
    expect(settled(scenario)).toEqual(['lock-wait-ended b#1', 'task-completed b#1']);
  });

  it.each<[string, (scenario: Scenario) => Scenario]>([
    ['was lost', (s) => s.end('a', { kind: 'lost' })],
    ['was killed, and nobody knows by whom', (s) => s.end('a', killed)],
    ['was withdrawn by a skip', (s) => s.skip('a').doom('a', { kind: 'withdrawn' }).end('a', killed)],
    ['was withdrawn by a suspend', (s) => s.suspend('a').doom('a', { kind: 'withdrawn' }).end('a', killed)],
  ])('stay until its files are put back when it %s', (_, step) => {
    const scenario = step(holding());
    expect(settled(scenario)).toEqual([]);
    expect(settled(scenario.saveWork(1))).toEqual([]);
    const judged = scenario.task('a').ended ? ['retry-scheduled a#1 lost'] : [];
    expect(settled(scenario.putBack(1))).toEqual([
      ...judged,
      'lock-released a#1 x',
      'lock-released a#1 y',
      'lock-acquired b#1 x',
    ]);
    expect(scenario.locks()).toBe('b#1 x');
  });

  it.each<[string, (scenario: Scenario) => Scenario]>([
    ['was stopped with its run', (s) => s.doom('a', { kind: 'stop' }).end('a', killed)],
    ['took too long', (s) => s.doom('a', { kind: 'timeout', limitMs: 1 }).end('a', killed)],
    ['was lost, and had none', (s) => s.release('a', 'x y').end('a', { kind: 'lost' })],
  ])('nothing is put back when it %s', (_, step) => {
    const scenario = step(holding());
    scenario.decide();
    expect([scenario.locks(), scenario.state.salvage.size]).toEqual(['b#1 x', 0]);
  });

  it('those of an attempt whose run is dead stay with it: it may live', () => {
    const scenario = running().lock('a', 'x').lock('b', 'x');
    expect(scenario.record({ ...lastRunEnded(scenario) }).decide(null)).toEqual([]);
    expect(scenario.locks()).toBe('a#1 x, b#1 waits x');
  });
});

const lastRunEnded = (scenario: Scenario) =>
  ({
    type: 'run-ended',
    v: 1,
    plan: scenario.plan.path,
    run: scenario.plan.run!.run,
    outcome: 'aborted',
    exitCode: 143,
    summary: {
      totalTasks: 2,
      completed: 0,
      pending: 0,
      in_progress: 2,
      failed: 0,
      blocked: 0,
      suspended: 0,
      skipped: 0,
    },
  }) as const;

describe('a run does not end', () => {
  it('before the files of its last attempt are put back', () => {
    const scenario = begin('a').schedule('a').start('a').lock('a', 'x').skip('a').doom('a', { kind: 'withdrawn' });
    expect(settled(scenario.end('a', killed))).toEqual([]);
    expect(settled(scenario.saveWork(1).putBack(1))).toEqual(['lock-released a#1 x', 'run-ended complete']);
  });

  it('but does not wait for those of another plan', () => {
    const one = begin('a').schedule('a').start('a').lock('a', 'x').skip('a').doom('a', { kind: 'withdrawn' });
    one.end('a', killed);
    const two = begin(planOf('+b', { path: 'two.md' }));
    two.state.salvage.set(1, one.state.salvage.get(1)!);
    expect(settled(two)).toEqual(['run-ended complete']);
  });
});

it('somebody who is gone loses everything', () => {
  const scenario = running().lock('ann', 'x').lock('a', 'y').lock('ann', 'y');
  const ann = scenario.owner('ann');
  const events = [...releaseAll(scenario.state, ann, 'expired'), ...giveUpWaits(scenario.state, ann, 'died')];
  expect(events.map(brief)).toEqual(['lock-released ann x', 'lock-wait-ended ann']);
  expect(scenario.record(...events).state.locks.owners.has('ann')).toBe(false);
});

it('who holds something else holds nobody back', () => {
  const { state } = running().lock('a', 'x');
  expect(['x', 'y'].map((resource) => isHeldBack(state, { owner: '#1', resource }))).toEqual([true, false]);
  expect(isHeldBack(state, { owner: '#9', resource: 'x' })).toBe(false);
});

it('what was told to nobody is put back once', () => {
  const scenario = overAndPutBack(running().lock('a', 'x').suspend('a').doom('a', { kind: 'withdrawn' }), 'a');
  expect(settled(scenario)).toEqual(['lock-released a#1 x']);
  expect(settled(scenario)).toEqual([]);
});
