import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyHistory, perform } from '../../../test/histories.ts';
import { deadlocked, overAndPutBack, running } from '../../../test/lock-stories.ts';
import { soundPlan } from '../../../test/plain-rules.ts';
import { kept, restored } from '../../../test/restored.ts';
import { begin, here, log, planOf } from '../../../test/scenario.ts';
import type { PlanLoaded, Stored, StoredEvent } from '../model/event.ts';
import { createState, evolve } from './evolve.ts';
import { snapshotLocks } from './lock-state.ts';
import { restoreState } from './snapshot.ts';
import type { State } from './state.ts';

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Comparable: heaps as what is in them, zero as absent. */
function known(state: State) {
  const plans = [...state.plans.values()].map(({ ready, backoff, unjudged, ...rest }) => ({
    ...rest,
    ready: ready.inOrder(),
    backoff: [...backoff.all()].sort((a, b) => a - b),
    unjudged: [...unjudged].sort((a, b) => a - b),
  }));
  const usage = [...state.usage].filter(([, n]) => n > 0).sort();
  // The table as what is in it: how it is kept is its own affair.
  return structuredClone({ ...state, plans, usage, locks: snapshotLocks(state.locks) });
}

function fold(state: State, events: readonly StoredEvent[]): State {
  for (const event of events) evolve(state, event);
  return state;
}

it('folding all at once, from any snapshot on, or step by step comes to the same', () => {
  fc.assert(
    fc.property(soundPlan, anyHistory, fc.nat({ max: 40 }), (plan, chosen, cut) => {
      const scenario = log(plan).load().startRun();
      let taken = throughJson(kept(scenario.state, scenario.events));
      chosen.forEach((step, i) => {
        perform(scenario, step, i);
        if (i === cut) taken = throughJson(kept(scenario.state, scenario.events));
      });
      const { events } = scenario;
      expect(known(fold(createState(), throughJson(events)))).toEqual(known(scenario.state));
      const rest = events.filter(({ seq }) => seq > taken.workspace.seq);
      expect(known(fold(restoreState(taken), throughJson(rest)))).toEqual(known(scenario.state));
    }),
    { numRuns: 300 },
  );
});

describe('a snapshot', () => {
  it('holds no definition and no task without a history', () => {
    const plan = planOf('a → z, b → z, z');
    const { snapshot: taken } = kept(log(plan).load().state, log(plan).load().events).plans[0]!;
    expect(taken.tasks.map(([i]) => i)).toEqual([2]);
    expect(Object.keys(taken)).not.toContain('plan');
  });

  it('keeps a granted attempt when nothing else tells of it', () => {
    const scenario = begin('x, a → x').skip('a').retry('a').suspend('a').resume('a');
    expect(scenario.task('a')).toMatchObject({ granted: 1, by: null, age: 0, attempts: 0 });
    const copy = restored(scenario.state, scenario.events);
    expect(known(copy)).toEqual(known(scenario.state));
  });

  it('of two plans shares pools and tokens', () => {
    const keys = { a: { model: 'opus' }, b: { model: 'opus' } };
    const one = begin(planOf('a, b', { keys })).schedule('a', 'b').start('a');
    const two = log(planOf('a', { keys, path: 'two.md' }), one.state)
      .load()
      .startRun()
      .schedule('a');
    const copy = restored(one.state, [...one.events, ...two.events]);
    expect(known(copy)).toEqual(known(one.state));
    expect([copy.usage.get('opus'), copy.token, copy.live.size]).toEqual([3, 3, 3]);
    const plan = copy.plans.get(one.plan.path)!;
    expect(plan.tasks[0]!.live).toBe(copy.live.get(1));
  });

  it('of a deadlock, at every event of its resolution', () => {
    const scenario = overAndPutBack(deadlocked('a, b, c → b').lock('ann', 'z').lock('a', 'z'), 'b');
    scenario.decide();
    scenario.release('ann', 'z').end('a', 0).decide();
    const { events } = scenario;
    for (let cut = 1; cut <= events.length; cut++) {
      const before = fold(createState(), events.slice(0, cut));
      const copy = restored(before, events);
      expect(known(copy)).toEqual(known(before));
      expect(known(fold(copy, events.slice(cut)))).toEqual(known(scenario.state));
    }
    expect(scenario.live('b').attempt).toBe('b#2');
  });

  it('keeps leases, processes and how often a request was passed', () => {
    const scenario = running('a, b').lock('ann', 'x').lock('a', 'x y').lock('b', 'y');
    const copy = restored(scenario.state, scenario.events);
    expect(copy.locks.owners.get('ann')).toMatchObject({ until: scenario.time + 1_000, process: null });
    expect([...copy.locks.table.requests()]).toMatchObject([{ owner: '#1', passed: 1 }]);
    expect([...copy.locks.waiting.values()]).toEqual([{ process: here, since: scenario.time }]);
  });

  it('is not changed by what happens after it, nor by what is restored from it', () => {
    const scenario = begin('a, b').schedule('a');
    const taken = kept(scenario.state, scenario.events);
    const before = structuredClone(taken);
    const copy = restoreState(taken);
    scenario.start('a').doom('a', { kind: 'stop' }).schedule('b').stop('stop');
    fold(
      copy,
      scenario.events.filter(({ seq }) => seq > before.workspace.seq),
    );
    expect(taken).toEqual(before);
  });

  it('keeps what a ticked task was when a new revision takes its tick away', () => {
    const before = planOf('a, b');
    const [a, b] = before.tasks;
    const scenario = log({ ...before, tasks: [{ ...a!, ticked: 'completed' }, b!] }).load();
    const copy = restored(scenario.state, scenario.events);
    evolve(copy, { ...(scenario.events[0] as Stored<PlanLoaded>), seq: copy.seq + 1, definition: before });
    expect(copy.plans.get(before.path)!.tasks[0]).toMatchObject({ status: 'completed', by: 'plan' });
  });
});
