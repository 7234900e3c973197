// A store that reads single tasks is like any other, and nobody notices when one of them cannot be read.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyHistory, perform } from '../../test/histories.ts';
import { soundPlan } from '../../test/plain-rules.ts';
import { log } from '../../test/scenario.ts';
import { printState } from '../../test/sim/print-state.ts';
import { evolve } from '../core/evolve.ts';
import { taskId } from '../core/ids.ts';
import { nextTasks } from '../core/next-tasks.ts';
import { notableOf } from '../core/plan-state.ts';
import { snapshotVersion } from '../core/snapshot.ts';
import type { PlanState } from '../core/state.ts';
import { CachedStore } from './cached-store.ts';
import { KeptLines } from './kept-lines.ts';
import { keepable, restoreNow } from './load-state.ts';
import type { KeptDefinition, PlanPart } from './log.ts';
import { MemoryHandle } from './memory/memory-handle.ts';
import { MemoryLog } from './memory/memory-log.ts';
import { life, planLoaded, runStarted, samplePath, scheduled } from './sample-events.ts';

it('any history goes on from a snapshot of which single tasks are read', () => {
  fc.assert(
    fc.property(soundPlan, anyHistory, fc.nat({ max: 40 }), (plan, history, cut) => {
      const scenario = log(plan).load().startRun();
      let kept = keepable(scenario.state);
      history.forEach((step, i) => {
        perform(scenario, step, i);
        if (i === cut) kept = keepable(scenario.state);
      });
      const none = () => {
        throw new Error('the log was asked for a definition');
      };
      const late = restoreNow(kept, none)!;
      for (const event of scenario.events) if (event.seq > kept.seq) evolve(late, event);
      // Before anybody looks at the others: what is kept of them is what was read.
      const { plans } = keepable(late);
      expect(plans.map(linesOf)).toEqual(keepable(scenario.state).plans.map(linesOf));
      expect(printState(late)).toBe(printState(scenario.state));
      const [own, other] = [scenario.plan, late.plans.get(plan.path)!];
      expect([nextTasks(other), [...other.index.keys()]]).toEqual([nextTasks(own), [...own.index.keys()]]);
      const { tried } = notableOf(own.tasks);
      expect([own, other].map((one) => [...one.tried].sort((a, b) => a - b))).toEqual([tried, tried]);
      // And the snapshot of that one is the same again.
      const again = restoreNow(keepable(late), none)!;
      expect(printState(again)).toBe(printState(scenario.state));
      // Heaps are put back as they were: they are not sorted again.
      const heaps = ({ ready, backoff }: PlanState) => [...ready.classes.map(({ heap }) => heap.all()), backoff.all()];
      expect(heaps(again.plans.get(plan.path)!)).toEqual(heaps(other));
    }),
    { numRuns: 300 },
  );
});

const linesOf = ({ states }: PlanPart) => new KeptLines(states).all();

const open = (log: MemoryLog, late = true) =>
  new CachedStore(new MemoryHandle(log, { now: () => 1 }), log.rows.length, { late });

async function filled(): Promise<MemoryLog> {
  const log = new MemoryLog();
  const store = open(log, false);
  await store.transact((tx) => {
    for (const event of [planLoaded(200), runStarted(), ...life('t0', 1)]) tx.record(event);
  });
  await store.snapshot({ atEnd: true });
  await store.transact((tx) => tx.record(scheduled('t1', 2)));
  return log;
}

const look = ({ plan, tasks, index }: PlanState) => [
  plan.tasks[150]!.title,
  tasks[0]!.status,
  tasks[1]!.live?.token,
  index.get(taskId('t7')),
];
const found = ['Task 150', 'completed', 2, 7];

describe('a store that reads single tasks', () => {
  it('asks the log for no definition', async () => {
    const log = await filled();
    log.rows[0] = { ...log.rows[0]!, body: '{}' };
    expect(await open(log).read((state) => look(state.plans.get(samplePath)!))).toEqual(found);
  });

  const damages: [string, (kept: KeptDefinition) => KeptDefinition | null][] = [
    ['is missing', () => null],
    ['is of another event', (kept) => ({ ...kept, seq: 7, ...parts(kept, renamed) })],
    ['is of another version', (kept) => ({ ...kept, version: snapshotVersion - 1, ...parts(kept, renamed) })],
    ['has another number of tasks', (kept) => ({ ...kept, length: kept.length - 1 })],
    ['has a part that is cut off', (kept) => ({ ...kept, ...parts(kept, (lines) => lines.slice(0, 40)) })],
    ['has lost its parts to another one', (kept) => ({ ...kept, part: () => undefined })],
    ['has a head that is no JSON', (kept) => ({ ...kept, head: '{' })],
    ['has no table', (kept) => ({ ...kept, places: () => undefined })],
    ['has a line that is no JSON', (kept) => ({ ...kept, ...parts(kept, withoutBraces) })],
  ];
  it.each(damages)('reads all of a plan whose kept definition %s', async (_, damage) => {
    const log = await filled();
    const broken = damage(log.definitions.get(samplePath)!);
    log.definitions.clear();
    if (broken) log.definitions.set(samplePath, broken);
    const store = open(log);
    expect(await store.read((state) => look(state.plans.get(samplePath)!))).toEqual(found);
    let calls = 0;
    await store.transact((tx) => {
      calls++;
      expect(look(tx.state.plans.get(samplePath)!)).toEqual(found);
    });
    expect(calls).toBe(1);
  });

  it('calls work again, with all tasks, when what is kept of one cannot be read', async () => {
    const log = await filled();
    const [part] = log.snapshot!.plans;
    log.snapshot = { ...log.snapshot!, plans: [{ ...part!, states: withoutBraces(part!.states, 'first') }] };
    const store = open(log);
    let calls = 0;
    const recorded = await store.transact((tx) => {
      calls++;
      tx.record(scheduled('t3', 3));
      const { status } = tx.state.plans.get(samplePath)!.tasks[0]!;
      return [status, tx.state.seq];
    });
    expect([calls, ...recorded, log.rows.length]).toEqual([2, 'completed', 8, 8]);
  });

  it('folds the log when what was derived is of another plan', async () => {
    const log = await filled();
    const [part] = log.snapshot!.plans;
    log.snapshot = { ...log.snapshot!, plans: [{ ...part!, derived: part!.derived!.slice(4) }] };
    expect(await open(log).read((state) => look(state.plans.get(samplePath)!))).toEqual(found);
  });

  it('keeps the definition once, and again when the plan was loaded again', async () => {
    const log = await filled();
    const first = log.definitions.get(samplePath);
    const store = open(log);
    await store.transact((tx) => {
      for (let i = 0; i < 150; i++) tx.record(scheduled('t2', 10 + i));
    });
    await store.snapshot({ atEnd: true });
    expect(log.snapshot!.seq).toBe(157);
    expect(log.definitions.get(samplePath)).toBe(first);
    await store.transact((tx) => tx.record(planLoaded(300)));
    await store.snapshot({ atEnd: true });
    expect(log.definitions.get(samplePath)).toMatchObject({ seq: 158 });
    expect(await open(log).read((state) => state.plans.get(samplePath)!.tasks.length)).toBe(300);
  });
});

/** With other titles: whoever read it would tell them. */
const parts = (kept: KeptDefinition, damage: (lines: Uint8Array) => Uint8Array) => ({
  part: (at: number) => damage(kept.part(at)!),
});

const renamed = (block: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(block).toString('latin1').replaceAll('Task', 'Tusk'), 'latin1');

/** Every text of a block stays where it is, and the first, or all of them, cannot be read. */
function withoutBraces(block: Uint8Array, which: 'first' | 'all' = 'all'): Uint8Array {
  const bytes = Buffer.from(block);
  for (let at = bytes.indexOf('{"'); at !== -1; at = which === 'first' ? -1 : bytes.indexOf('{"')) bytes[at] = 0x20;
  return bytes;
}
