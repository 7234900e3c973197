import { describe, expect, it } from 'vitest';
import { begin, planOf } from '../../../test/scenario.ts';
import { markStarted } from '../commands/mark-task.ts';
import { lockLeaseMs } from '../model/defaults.ts';
import { planPath } from '../model/ids.ts';
import { deadlineOf } from '../rules/timers.ts';
import { afterSteps, countedMs, knowBoot } from './clock-state.ts';
import { restoreState, snapshotWorkspace } from './snapshot.ts';

const hour = 3_600_000;
const limited = () => planOf('a, b', { keys: { a: { run: 'x', timeoutMs: 1_000 }, b: { run: 'x' } } });
const step = (byMs: number) => ({ type: 'clock-stepped', v: 1, plan: planPath(''), byMs }) as const;

describe('a step of the clock', () => {
  it.each([2 * hour, -10])('by %i ms counts for no limit of an attempt', (byMs) => {
    const scenario = begin(limited()).schedule('a', 'b').start('a');
    const before = deadlineOf(scenario.plan, scenario.live('a'));
    scenario.record(step(byMs));
    expect(deadlineOf(scenario.plan, scenario.live('a'))).toBe(before + byMs);
    // One that starts after it knows nothing of it.
    scenario.start('b');
    expect(scenario.live('b').uncountedMs).toBe(0);
  });

  it('while an attempt waits for a lock is not taken for time that it waited', () => {
    const scenario = begin(limited()).schedule('a', 'b').start('a').start('b').lock('b', 'x').lock('a', 'x');
    const { parkedSince } = scenario.live('a');
    scenario.record(step(hour));
    expect(scenario.live('a')).toMatchObject({ parkedSince: parkedSince + hour, parkedMs: 0, uncountedMs: hour });
    const [waiting] = scenario.state.locks.waiting.values();
    expect(waiting!.since).toBe(parkedSince + hour);
  });

  it('ends no lease, no backoff and no silence of who works by hand', () => {
    const scenario = begin(limited());
    const until = scenario.time + lockLeaseMs;
    scenario.record({
      type: 'lock-acquired',
      v: 1,
      plan: planPath(''),
      owner: 'ann',
      agent: 'ann',
      resource: 'x',
      mode: 'exclusive',
      until,
    });
    scenario.schedule('b').start('b').end('b', 1).decide(null);
    const { notBefore } = scenario.task('b');
    expect(notBefore).toBeGreaterThan(0);
    const started = markStarted(scenario.state, scenario.plan, scenario.index('a'), { by: 'ann' });
    if (started.ok) scenario.record(...started.events);
    const { hand } = scenario.task('a');
    scenario.record(step(hour));
    expect(scenario.task('a').hand).toEqual({ ...hand, startedAt: scenario.time, lastAt: scenario.time + hour });
    expect(scenario.state.locks.owners.get('ann')!.until).toBe(until + hour);
    expect(scenario.task('b').notBefore).toBe(notBefore + hour);
  });

  it('makes no refused try of a lock older or younger', () => {
    const scenario = begin(limited()).schedule('a').start('a');
    const owner = `#${scenario.live('a').token}`;
    const wants = [{ key: 'x', mode: 'exclusive' }] as const;
    scenario.record({
      type: 'lock-tried',
      v: 1,
      plan: scenario.plan.path,
      owner,
      agent: 'a#1',
      resource: 'x',
      wants,
    } as never);
    const [tried] = scenario.state.locks.tried.values();
    scenario.record(step(hour));
    expect([...scenario.state.locks.tried.values()]).toEqual([{ ...tried, at: tried!.at + hour }]);
  });

  it('moves the clocks of all boots that are known, of which the oldest are forgotten, and is kept in snapshots', () => {
    const scenario = begin(limited());
    for (let n = 1; n <= 25; n++) knowBoot(scenario.state.clock, { boot: `b${n}`, offset: n });
    scenario.record(step(7));
    const { offsets, steps } = scenario.state.clock;
    expect([...offsets.keys()].slice(0, 2)).toEqual(['b6', 'b7']);
    expect(offsets.get('b25')).toBe(32);
    expect(steps).toEqual([{ at: scenario.state.at, byMs: 7 }]);
    const copy = restoreState({ workspace: JSON.parse(JSON.stringify(snapshotWorkspace(scenario.state))), plans: [] });
    expect(copy.clock).toEqual(scenario.state.clock);
  });
});

describe('a time that the wall clock told', () => {
  const forward = [{ at: 3_000, byMs: 1_000 }];
  const back = [{ at: 2_000, byMs: -500 }];
  it.each([
    ['before a step forward moves with it', forward, 1_900, 2_900],
    ['at the step itself too', forward, 2_000, 3_000],
    ['after it stays', forward, 2_500, 2_500],
    ['in the future, seen from a step back, was before it', back, 2_400, 1_900],
    ['that may have been on either side of a step back counts as the later one', back, 1_900, 1_900],
    ['before several steps moves with all', [...forward, { at: 6_000, byMs: 2_000 }], 1_000, 4_000],
  ])('%s', (_, steps, time, expected) => {
    expect(afterSteps(steps, time)).toBe(expected);
  });
});

describe('how long something took', () => {
  const steps = [
    { at: 1_000, byMs: 500 },
    { at: 9_000, byMs: -200 },
  ];
  it.each([
    ['without a step', 2_000, 3_000, 1_000],
    ['before a step of its end', 400, 900, 500],
    ['over a step forward', 400, 1_100, 200],
    ['over a step back', 8_000, 9_000, 1_200],
    ['over both', 400, 9_100, 8_400],
    ['over a step that is longer than it', 600, 1_000, 0],
  ])('%s', (_, from, to, ms) => {
    expect(countedMs(steps, from, to)).toBe(ms);
  });
});
