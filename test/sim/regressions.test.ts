// What the simulator has found, each once more by itself: a seed means another story after every change of the rules or of the
// simulator, a small case stays what it is.
import { describe, expect, it } from 'vitest';
import type { Adoptable, AttemptHost, StartOrder } from '../../src/agents/process/attempt-host.ts';
import type { Event } from '../../src/core/model/event.ts';
import { hostId, type ProcessIdentity, runId, taskId } from '../../src/core/model/ids.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { RunLoop } from '../../src/runner/loop/run-loop.ts';
import { MemoryLog } from '../../src/store/memory/memory-log.ts';
import { openMemory } from '../../src/store/memory/open-memory.ts';
import type { Store } from '../../src/store/store.ts';
import { begin, planOf } from '../scenario.ts';
import { PlainOracle } from './checker/plain-oracle.ts';
import { noFiles, simAgents } from './machine/sim-agents.ts';
import { untouchedFile } from './machine/sim-plan-file.ts';
import { SimProcess } from './machine/sim-process.ts';
import { ProcessClock, VirtualClock } from './machine/virtual-clock.ts';

const host = hostId('here');
const deadRunner: ProcessIdentity = { host, pid: 1, startTime: '1' };
const supervisor: ProcessIdentity = { host, pid: 2, startTime: '2' };
const [dead, next] = [runId('r1'), runId('r2')];
const limits = { plan: 3, pools: {} };

/** A loop on a virtual clock whose host only takes notes; `wall` is what the store's clock is off by. */
async function rig(plan: Plan, before: readonly Event[], pauseMs = 0) {
  const clock = new VirtualClock(1_000_000);
  const process = new SimProcess(clock, { host, pid: 3, startTime: '3' });
  const wall = { offset: 0 };
  const store = openMemory(new MemoryLog(), { now: () => clock.now() + wall.offset });
  const turns = { count: 0 };
  const counted: Store = Object.create(store, {
    workspace: { value: store.workspace },
    transact: { value: (work: Parameters<Store['transact']>[0]) => [store.transact(work), turns.count++][0] },
    ...Object.fromEntries(
      (['read', 'watch', 'snapshot', 'events', 'subscribe'] as const).map((name) => [
        name,
        { value: store[name].bind(store) },
      ]),
    ),
  });
  await store.transact((tx) => {
    tx.record({ type: 'plan-loaded', v: 1, plan: plan.path, revision: '1', definition: plan });
    for (const event of before) tx.record(event);
  });
  // So long nobody runs it.
  await passTime(clock, pauseMs);
  await store.transact((tx) => {
    tx.record({ type: 'run-started', v: 1, plan: plan.path, run: next, runner: process.identity, limits });
  });
  const orders: StartOrder[] = [];
  const adopted: Adoptable[] = [];
  const outputs = new Map<number, number>();
  const fake: AttemptHost = {
    start: (order) => orders.push(order),
    stop: () => undefined,
    adopt: (attempts) => adopted.push(...attempts),
    lastOutputAt: (token) => outputs.get(token),
    close: async () => undefined,
  };
  const loop = new RunLoop({
    store: counted,
    me: { host, plan: plan.path, run: next },
    machine: {
      clock: new ProcessClock(clock, process, 0),
      host: fake,
      files: noFiles,
      agents: simAgents(),
      planFile: untouchedFile,
      isGone: () => false,
      isRunnerAlive: ({ run }) => run !== dead,
    },
  });
  const ended = loop.run();
  const passMs = (ms: number) => passTime(clock, ms);
  const types = async () => (await store.events({})).map(({ type }) => type);
  return { loop, ended, orders, adopted, outputs, wall, turns, passMs, types, clock };
}

async function passTime(clock: VirtualClock, ms: number): Promise<void> {
  let isOver = false;
  clock.after(ms, () => {
    isOver = true;
  });
  await clock.run(
    () => isOver,
    () => undefined,
  );
}

describe('one by one', () => {
  it('a doomed attempt that exits with 0 after its runner died is not completed: perhaps it was killed', async () => {
    const plan = planOf('a', { keys: { a: { run: 'x', timeoutMs: 1_000, retries: 0 } } });
    const about = { v: 1, plan: plan.path, run: dead, task: taskId('a'), attempt: 'a#1' as never, token: 1 } as const;
    const { loop, adopted, ended, passMs, types } = await rig(plan, [
      { type: 'run-started', v: 1, plan: plan.path, run: dead, runner: deadRunner, limits },
      { type: 'attempt-scheduled', ...about, host },
      { type: 'attempt-started', ...about, supervisor },
      { type: 'attempt-doomed', ...about, doom: { kind: 'timeout', limitMs: 1_000 } },
    ]);
    await passMs(10);
    expect(adopted.map(({ token }) => token)).toEqual([1]);
    loop.observe({ kind: 'ended', token: 1, end: { kind: 'exited', code: 0 } });
    await passMs(10);
    expect((await ended).ended?.outcome).toBe('failed');
    expect(await types()).not.toContain('task-completed');
  });

  it('an attempt that ended in time while no runner lived is not called late by the next', async () => {
    const plan = planOf('a', { keys: { a: { run: 'x', timeoutMs: 1_000, retries: 0 } } });
    const about = { v: 1, plan: plan.path, run: dead, task: taskId('a'), attempt: 'a#1' as never, token: 1 } as const;
    const before: Event[] = [
      { type: 'run-started', v: 1, plan: plan.path, run: dead, runner: deadRunner, limits },
      { type: 'attempt-scheduled', ...about, host },
      { type: 'attempt-started', ...about, supervisor },
    ];
    const found = await rig(plan, before, 60_000);
    await found.passMs(10);
    found.loop.observe({ kind: 'ended', token: 1, end: { kind: 'exited', code: 0 } });
    await found.passMs(10);
    expect((await found.ended).ended?.outcome).toBe('complete');
    expect(await found.types()).not.toContain('attempt-doomed');

    const alive = await rig(plan, before, 60_000);
    await alive.passMs(10);
    expect(await alive.types()).not.toContain('attempt-doomed');
    alive.loop.observe({ kind: 'started', token: 1, supervisor });
    await alive.passMs(100);
    expect(await alive.types()).toContain('attempt-doomed');
  });

  it('a wall clock that jumps forward makes nobody silent', async () => {
    const plan = planOf('a', { keys: { a: { run: 'x', idleTimeoutMs: 60_000 } } });
    const { loop, orders, outputs, wall, passMs, types, clock } = await rig(plan, []);
    await passMs(10);
    expect(orders).toHaveLength(1);
    loop.observe({ kind: 'started', token: 1, supervisor });
    await passMs(10_000);
    outputs.set(1, clock.now());
    await passMs(10_000);
    wall.offset = 3_600_000;
    await passMs(10_000);
    expect(await types()).not.toContain('attempt-doomed');
    await passMs(60_000);
    expect(await types()).toContain('attempt-doomed');
  });

  it('a wall clock that is set back neither keeps the loop busy nor holds up a retry', async () => {
    const { loop, orders, wall, turns, passMs } = await rig(planOf('a'), []);
    await passMs(10);
    loop.observe({ kind: 'started', token: 1, supervisor });
    loop.observe({ kind: 'ended', token: 1, end: { kind: 'exited', code: 1 } });
    await passMs(10);
    wall.offset = -3_600_000;
    const before = turns.count;
    await passMs(10_000);
    expect(orders).toHaveLength(2);
    expect(turns.count - before).toBeLessThan(20);
  });

  it('a task that a person retried stays so when the plan is edited elsewhere, though its box is ticked', () => {
    const plan = planOf('-a, b');
    const scenario = begin(plan).retry('a').load(plan, 'r2');
    expect(scenario.status('a')).toBe('pending');
    expect(scenario.load(planOf('+a, b'), 'r3').status('a')).toBe('completed');
  });

  it.each(['phases', 'spec-kit'] as const)('a task that left the file waits for its own phase only: %s', (order) => {
    const plan = planOf('a^ | b', { order });
    const kept: Plan = { ...plan, tasks: [...plan.tasks, { ...plan.tasks[0]!, id: taskId('left') }] };
    const pending = { status: 'pending', treatAsDone: false, isLive: false, isBackingOff: false } as const;
    const oracle = new PlainOracle(kept, () => pending);
    expect(kept.tasks.filter((task) => oracle.isReady(task)).map(({ id }) => id)).toEqual(['a', 'left']);
  });
});
