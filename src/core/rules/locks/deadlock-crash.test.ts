// Whoever dies between any two events of a resolution: the log up to there, and somebody who goes on, come to the same end.
import { expect, it } from 'vitest';
import { brief } from '../../../../test/lock-stories.ts';
import { begin, planOf, type Scenario } from '../../../../test/scenario.ts';
import type { StoredEvent } from '../../model/event.ts';
import { evolve } from '../../state/evolve.ts';

const plan = planOf('a, b', { keys: { a: { files: ['x'] }, b: { files: ['y'] } } });
const wants: Record<string, string> = { a: 'y', b: 'x' };

const has = (scenario: Scenario, id: string, key: string) =>
  scenario.state.locks.table.holdsOf(scenario.owner(id).owner).some((hold) => hold.key === key);
const waits = (scenario: Scenario, id: string) =>
  scenario.state.locks.table.waitsOf(scenario.owner(id).owner).length > 0;

/** The world does one thing for each attempt: it starts, asks for its second lock, dies when it must, or ends with both. */
function turn(scenario: Scenario): void {
  scenario.after(1).decide();
  for (const { token, saved } of [...scenario.state.salvage.values()]) {
    if (saved) scenario.putBack(token);
    else scenario.saveWork(token);
  }
  for (const id of ['a', 'b']) {
    const live = scenario.task(id).live;
    if (!live) continue;
    if (live.doom) scenario.end(id, { kind: 'killed', code: null });
    else if (live.startedAt === 0) scenario.start(id);
    else if (has(scenario, id, wants[id]!)) scenario.end(id, 0);
    else if (!waits(scenario, id)) scenario.ask(id, wants[id]!);
  }
  scenario.decide();
}

function goOn(scenario: Scenario): Scenario {
  for (let i = 0; i < 50 && !scenario.plan.run!.ended; i++) turn(scenario);
  return scenario;
}

function upTo(events: readonly StoredEvent[]): Scenario {
  const scenario = begin(plan);
  for (const event of events.slice(scenario.events.length)) evolve(scenario.state, event);
  return scenario.after(events.at(-1)!.at - scenario.time);
}

const endOf = (scenario: Scenario) => ({
  outcome: scenario.plan.run!.ended?.outcome,
  locks: scenario.locks(),
  owners: scenario.state.locks.owners.size,
  salvage: scenario.state.salvage.size,
  tasks: ['a', 'b'].map((id) => {
    const { status, attempts, failures, deadlocks } = scenario.task(id);
    return { status, attempts, failures, deadlocks };
  }),
});

it('every cut of the log comes to the same end', () => {
  const whole = goOn(begin(plan));
  const { events } = whole;
  const told = events.map(brief);
  expect(told.filter((words) => words.startsWith('deadlock'))).toEqual([
    'deadlock-detected b#1',
    'deadlock-resolved b#1',
  ]);
  expect(endOf(whole)).toEqual({
    outcome: 'complete',
    locks: '',
    owners: 0,
    salvage: 0,
    tasks: [
      { status: 'completed', attempts: 1, failures: 0, deadlocks: 0 },
      { status: 'completed', attempts: 2, failures: 0, deadlocks: 1 },
    ],
  });
  // What one admission takes is one transaction: it cannot be cut.
  const isInAdmission = (i: number) => events[i]?.type === 'lock-acquired' && !('ticket' in events[i]!);
  for (let cut = 2; cut <= events.length; cut++) {
    if (isInAdmission(cut)) continue;
    expect([cut, endOf(goOn(upTo(events.slice(0, cut))))]).toEqual([cut, endOf(whole)]);
  }
});
