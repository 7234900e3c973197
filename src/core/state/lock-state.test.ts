import { describe, expect, it } from 'vitest';
import { deadlocked, running } from '../../../test/lock-stories.ts';
import { dawn, firstRun, here, planOf } from '../../../test/scenario.ts';
import { planPath } from '../model/ids.ts';
import { heldSince, ownerOf, partyOf } from './lock-state.ts';

describe('who holds or waits', () => {
  it('is known by what was recorded of it', () => {
    const { state } = running().lock('a', 'x').lock('b', 'x');
    expect([...state.locks.owners.values()]).toEqual([
      { owner: '#1', name: 'a#1', plan: 'plan.md', task: 'a', token: 1, run: firstRun, until: 0, process: null },
      { owner: '#2', name: 'b#1', plan: 'plan.md', task: 'b', token: 2, run: firstRun, until: 0, process: null },
    ]);
  });

  it('is forgotten with its last hold and its last wait', () => {
    const scenario = running().lock('a', 'x').lock('a', 'y').lock('b', 'x');
    const known = () => [...scenario.state.locks.owners.keys()];
    scenario.release('a', 'y');
    expect(known()).toEqual(['#1', '#2']);
    scenario.giveUp('b');
    expect(known()).toEqual(['#1']);
    scenario.release('a', 'x');
    expect([known(), scenario.state.locks.since.size, scenario.state.locks.waiting.size]).toEqual([[], 0, 0]);
  });

  it('since when: each by itself, and again after an upgrade', () => {
    const scenario = running('a').lock('a', '~x').after(5).lock('a', 'y');
    const since = () => ['x', 'y', 'z'].map((key) => heldSince(scenario.state.locks, '#1', key));
    expect(since()).toEqual([dawn + 1, dawn + 6, 0]);
    scenario.after(3).lock('a', 'x');
    expect(since()).toEqual([dawn + 9, dawn + 6, 0]);
  });

  it('that wait: the process that does, and since when', () => {
    const { state, time } = running().lock('a', 'x').after(2).lock('b', 'x');
    expect([...state.locks.waiting]).toEqual([[state.seq, { process: here, since: time }]]);
  });

  it('nobody ends the waiting of another', () => {
    const scenario = running().lock('a', 'x').lock('b', 'x');
    const ticket = scenario.state.seq;
    const party = partyOf(scenario.owner('a'));
    scenario.record({ type: 'lock-wait-ended', v: 1, ...party, ticket, because: 'given-up' });
    scenario.record({ type: 'lock-acquired', v: 1, ...party, resource: 'y', mode: 'exclusive', ticket });
    expect(scenario.locks()).toBe('a#1 x, a#1 y, b#1 waits x');
  });
});

describe('somebody whom Signalbox did not start', () => {
  const plan = planPath('');
  const ann = { v: 1, plan, owner: 'ann', agent: 'ann' } as const;
  const take = { type: 'lock-acquired', ...ann, resource: 'x', mode: 'exclusive' } as const;

  it('keeps the lease they had, a longer one, or becomes bound to a process', () => {
    const scenario = running('a').record({ ...take, until: 5 });
    const owner = () => scenario.state.locks.owners.get('ann');
    scenario.record({ ...take, resource: 'y' });
    expect(owner()).toMatchObject({ until: 5, process: null });
    scenario.record({ ...take, resource: 'z', until: 9, process: here });
    expect(owner()).toMatchObject({ until: 9, process: here });
    scenario.record({ type: 'lock-renewed', ...ann, until: 20 });
    expect(owner()).toMatchObject({ until: 20 });
  });

  it('that gave no name is called by its id', () => {
    const scenario = running('a').record({ ...take, owner: 'shell', agent: undefined as never });
    expect(scenario.state.locks.owners.get('shell')!.name).toBe('shell');
  });

  it('is told in events by name only', () => {
    const scenario = running('a').lock('ann', 'x');
    expect(partyOf(scenario.owner('ann'))).toEqual({ plan: '', owner: 'ann', agent: 'ann' });
    expect(partyOf(ownerOf(scenario.live('a')))).toEqual({
      plan: 'plan.md',
      owner: '#1',
      run: firstRun,
      task: 'a',
      attempt: 'a#1',
      token: 1,
    });
  });
});

it('what a stopped attempt leaves is told to the next one only if it comes in time', () => {
  const scenario = deadlocked().end('b', 1).suspend('b').resume('b').schedule('b').saveWork(2, 'saved-1');
  expect(scenario.task('b').stopped).toMatchObject({ saved: null });
});

it('a task that was passed and is gone from the plan is passed over', () => {
  const scenario = running(planOf('a'));
  const { plan, run, task, host } = scenario.live('a');
  const passes = ['gone' as typeof task];
  const about = { v: 1, plan, run, task, host, attempt: 'a#2' as never, token: 2 } as const;
  expect(
    scenario
      .end('a', 1)
      .record({ type: 'attempt-scheduled', ...about, passes })
      .live('a').token,
  ).toBe(2);
});
