import { describe, expect, it } from 'vitest';
import { deadlocked, overAndPutBack, running } from '../../../test/lock-stories.ts';
import { begin, dawn, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import type { TaskKeys } from '../model/plan.ts';
import type { Limits } from '../model/run-event.ts';
import { explain, type Reason } from './explain.ts';

const reasons = (scenario: Scenario, id: string): readonly Reason[] =>
  explain(scenario.state, scenario.plan, scenario.index(id), { agents: {}, defaults: {}, unsupported: [] }).reasons;
const files = (...keys: string[]): TaskKeys => ({ run: 'true', files: keys });
const planned = (keys: Record<string, TaskKeys>, limits: Partial<Limits> = {}) =>
  begin(planOf(Object.keys(keys).join(', '), { keys }), limits);
const lock = (holder: string, task: string | null, how: string, resource: string, since = 0) => ({
  kind: 'lock',
  holder,
  task,
  how,
  resource,
  since,
});

describe('a task that has not started waits for a lock', () => {
  it('that an attempt holds, since when', () => {
    const scenario = planned({ a: files('src/**'), b: files('src/b.ts') })
      .after(4)
      .goOn();
    expect(reasons(scenario, 'b')).toEqual([lock('a#1', 'a', 'held', 'src/**', dawn + 4)]);
  });

  it('that somebody holds whom Signalbox did not start', () => {
    const scenario = planned({ a: files('x') }).lock('ann', 'x');
    expect(reasons(scenario, 'a')).toEqual([lock('ann', null, 'held', 'x', dawn)]);
  });

  it('that a running attempt waits for and came first', () => {
    const scenario = planned({ a: { run: 'true', reads: ['x'] }, z: { run: 'true' } })
      .schedule('z')
      .start('z');
    scenario.lock('ann', '~x').lock('z', 'x');
    expect(reasons(scenario, 'a')).toEqual([lock('z#1', 'z', 'held', 'x')]);
  });

  it('behind another task that is before it in line', () => {
    const scenario = planned({ a: files('src/a.ts'), b: files('src/**'), c: files('src/c.ts') }).goOn();
    expect(reasons(scenario, 'c')).toEqual([lock('b', 'b', 'behind', 'src/c.ts')]);
  });

  it('after the one that a deadlock put before it', () => {
    const scenario = overAndPutBack(deadlocked(), 'b').goOn();
    expect(reasons(scenario, 'b')).toEqual([lock('a#1', 'a', 'after', 'x')]);
  });

  it('not when it is free: only room is missing', () => {
    const scenario = planned({ a: files('x'), b: files('y') }, { plan: 1 }).goOn();
    expect(reasons(scenario, 'b')).toEqual([{ kind: 'slot', pool: 'plan', limit: 1, running: 1 }]);
  });

  it('not behind a task that could not start anyway', () => {
    const keys = { b: { ...files('src/**'), model: 'opus' }, c: files('src/c.ts') };
    const full = planned(keys, { pools: { opus: 0 } }).lock('ann', 'src/x.ts');
    expect(reasons(full, 'c')).toEqual([]);
    const selected = log(planOf('b, c', { keys })).load();
    selected.startRun({}, undefined, { only: [taskId('c')] }).lock('ann', 'src/x.ts');
    expect(reasons(selected, 'c')).toEqual([]);
    expect(reasons(full, 'b')).toEqual([
      { kind: 'slot', pool: 'opus', limit: 0, running: 0 },
      lock('ann', null, 'held', 'src/x.ts', dawn),
    ]);
  });

  it('until the files of its own last attempt are put back', () => {
    const scenario = deadlocked().suspend('b').resume('b').end('b', 1);
    expect(reasons(scenario, 'b')).toEqual([{ kind: 'running', attempt: 'b#1', since: dawn + 1, ending: true }]);
  });
});

describe('a running attempt', () => {
  it('waits for everybody who is in its way', () => {
    const scenario = running('a, b, c').lock('a', '~x').lock('b', '~x').lock('c', 'x');
    expect(reasons(scenario, 'c')).toEqual([
      { kind: 'running', attempt: 'c#1', since: dawn + 2, ending: false },
      lock('a#1', 'a', 'held', 'x', dawn + 3),
      lock('b#1', 'b', 'held', 'x', dawn + 3),
    ]);
  });

  it('that has ended waits for nothing', () => {
    const scenario = running().lock('a', 'x').lock('b', 'x').end('b', 0);
    expect(reasons(scenario, 'b')).toEqual([{ kind: 'running', attempt: 'b#1', since: dawn + 1, ending: true }]);
  });
});
