import { describe, expect, it, vi } from 'vitest';
import { deadlocked, overAndPutBack, running } from '../../test/lock-stories.ts';
import type { Scenario } from '../../test/scenario.ts';
import { planPath } from './ids.ts';
import { createLean, evolveLean, PlanNeeded } from './lean.ts';
import { snapshotWorkspace } from './snapshot.ts';
import type { State } from './state.ts';

/** Pools are known to plans only. */
function print(state: State) {
  const { live, ...rest } = snapshotWorkspace(state);
  return { ...rest, live: live.map((one) => ({ ...one, pools: [] })) };
}

/** From nothing, and from a snapshot at every event on the way. */
function expectSame({ events, state }: Scenario): void {
  for (let start = 0; start <= events.length; start++) {
    const whole = createLean(null);
    for (const event of events.slice(0, start)) evolveLean(whole, event);
    const lean = createLean(JSON.parse(JSON.stringify(snapshotWorkspace(whole))));
    for (const event of events.slice(start)) evolveLean(lean, event);
    expect(print(lean)).toEqual(print(state));
  }
}

describe('the state without plans', () => {
  it('knows as much of attempts and locks as the whole one', () => {
    expectSame(running().lock('a', 'x').after(2).lock('b', 'x'));
    expectSame(deadlocked());
    expectSame(overAndPutBack(deadlocked(), 'b'));
  });

  it('knows whose files wait to be put back, and whether their work is saved', () => {
    const scenario = deadlocked().end('b', { kind: 'killed', code: null });
    expectSame(scenario);
    expectSame(scenario.saveWork(2, 'saved-1'));
    expect([...scenario.state.salvage.values()]).toMatchObject([{ token: 2, saved: true }]);
  });

  it('takes nothing from an attempt that is over, or from one of another task', () => {
    const scenario = running().lock('a', 'x').end('a', { kind: 'exited', code: 0 });
    const [over] = scenario.events.filter(({ type }) => type === 'lock-acquired');
    scenario.record({ ...over!, resource: 'y' } as never);
    const [end] = scenario.events.filter(({ type }) => type === 'attempt-ended');
    scenario.record(end!, { ...end!, task: 'nobody', token: 2 } as never);
    scenario.record({ ...end!, type: 'work-saved', saved: null, files: 0 } as never);
    expectSame(scenario);
  });

  it('says that it needs the plans, whatever is asked of them', () => {
    const { plans } = createLean(null);
    expect(plans.get(planPath(''))).toBeUndefined();
    const asked: (() => unknown)[] = [
      () => plans.get(planPath('plan.md')),
      () => plans.has(planPath('plan.md')),
      () => plans.keys(),
      () => plans.values(),
      () => plans.entries(),
      () => plans.size,
      () => [...plans],
      () => plans.forEach(vi.fn()),
    ];
    for (const ask of asked) expect(ask).toThrow(PlanNeeded);
  });
});
