// What the simulator has found about locks, each once more by itself.
import { describe, expect, it } from 'vitest';
import type { World } from '../../src/api/act/act.ts';
import { type Ask, askForLocks, dropLocks } from '../../src/api/locks/lock-steps.ts';
import { lockLeaseMs } from '../../src/core/model/defaults.ts';
import type { StoredEvent } from '../../src/core/model/event.ts';
import type { Doom } from '../../src/core/model/failure.ts';
import { hostId, type ProcessIdentity, runId, taskId } from '../../src/core/model/ids.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { letRulesAct } from '../../src/runner/let-rules-act.ts';
import { RunLoop } from '../../src/runner/loop/run-loop.ts';
import { reapLocks } from '../../src/runner/reap-locks.ts';
import { MemoryLog } from '../../src/store/memory/memory-log.ts';
import { openMemory } from '../../src/store/memory/open-memory.ts';
import type { Transaction } from '../../src/store/store.ts';
import { planOf } from '../scenario.ts';
import { noFiles, simAgents } from './machine/sim-agents.ts';
import { untouchedFile } from './machine/sim-plan-file.ts';
import { SimProcess } from './machine/sim-process.ts';
import { ProcessClock, VirtualClock } from './machine/virtual-clock.ts';

const host = hostId('here');
const processOf = (pid: number): ProcessIdentity => ({ host, pid, startTime: `${pid}` });
const run = runId('r1');
const now = 1_000_000;

/** A run of which every ready task has been scheduled, in the order of the plan: the first has token 1. */
async function begin(plan: Plan) {
  const store = openMemory(new MemoryLog(), { now: () => now });
  const me = { host, plan: plan.path, run };
  const act = <T>(work: (tx: Transaction) => T) => store.transact(work);
  await act((tx) => {
    tx.record({ type: 'plan-loaded', v: 1, plan: plan.path, revision: '1', definition: plan });
    const limits = { plan: 9, pools: {} };
    tx.record({ type: 'run-started', v: 1, plan: plan.path, run, runner: processOf(1), limits });
    letRulesAct(tx, me);
  });
  const world: World = { isRunning: () => true, isGone: () => false };
  const identity = (who: number | string) =>
    typeof who === 'number' ? { token: who, name: '' } : { token: 0, name: who };
  const ask = (who: number | string, keys: string, more: Partial<Ask> = {}) =>
    act((tx) => {
      const wants = keys.split(' ').map((key) => ({ key, mode: 'exclusive' as const }));
      return askForLocks(tx, { identity: identity(who), wants, bound: null, ...more }, true, processOf(2), world).answer
        .kind;
    });
  const release = (who: number | string) => act((tx) => dropLocks(tx, identity(who), null, world).released);
  const about = (token: number) => {
    const task = taskId('abcdefgh'[token - 1]!);
    return { v: 1, plan: plan.path, run, task, attempt: `${task}#1` as never, token } as const;
  };
  const doom = (token: number, why: Doom) =>
    act((tx) => tx.record({ type: 'attempt-doomed', ...about(token), doom: why }));
  const turn = () => act((tx) => letRulesAct(tx, me));
  const last = async <T extends StoredEvent['type']>(type: T) =>
    (await store.events({})).filter((event): event is Extract<StoredEvent, { type: T }> => event.type === type).at(-1);
  const count = async (type: StoredEvent['type']) =>
    (await store.events({})).filter((event) => event.type === type).length;
  return { store, act, ask, release, doom, turn, about, last, count };
}

const blocker = { owner: '#2', name: 'b#1', resource: 'y' };

/** The loop of a run that has been recorded, until it ends or its time is over; it finds every attempt of others dead. */
async function loopFor(
  store: ReturnType<typeof openMemory>,
  me: { readonly plan: Plan['path']; readonly run: ReturnType<typeof runId> },
  forgotten: number[],
): Promise<void> {
  const clock = new VirtualClock(now);
  const process = new SimProcess(clock, processOf(9));
  const ended = { kind: 'ended', end: { kind: 'lost' } } as const;
  const loop: RunLoop = new RunLoop({
    store,
    me: { host, ...me },
    machine: {
      clock: new ProcessClock(clock, process, 0),
      host: {
        start: () => undefined,
        stop: () => undefined,
        adopt: (attempts) => {
          for (const { token } of attempts) loop.observe({ ...ended, token });
        },
        lastOutputAt: () => undefined,
        close: async () => undefined,
      },
      files: { ...noFiles, forget: (token) => forgotten.push(token) },
      agents: { ...simAgents(), orderFor: () => ({ unstartable: 'never' }) },
      planFile: untouchedFile,
      isGone: () => false,
      isRunnerAlive: (other) => other.run !== run,
    },
  });
  let isOver = false;
  clock.after(400, () => {
    isOver = true;
  });
  void loop.run();
  await clock.run(
    () => isOver,
    () => undefined,
  );
  process.die();
}

describe('locks, one by one', () => {
  it('what is handed to a guest who waited has an end like what was free at once', async () => {
    const { ask, release, act } = await begin(planOf('a'));
    const known = (who: string) => act((tx) => ({ ...tx.state.locks.owners.get(who)! }));
    await ask('ann', 'x');
    expect(await ask('bob', 'x')).toBe('waiting');
    await release('ann');
    expect(await known('bob')).toMatchObject({ until: now + lockLeaseMs });
    await ask('cid', 'x', { bound: processOf(7) });
    await release('bob');
    expect(await known('cid')).toMatchObject({ process: processOf(7) });
  });

  it('an attempt that is being ended cannot give its locks away: its files are not put back yet', async () => {
    const { ask, release, doom } = await begin(planOf('a'));
    await ask(1, 'x');
    await doom(1, { kind: 'deadlock', words: '', blocker });
    expect(await release(1)).toEqual([]);
    expect(await ask('ann', 'x')).toBe('waiting');
  });

  it('what the plan declares is held to the end, also when everything is given back', async () => {
    const { ask, release } = await begin(planOf('a', { keys: { a: { run: 'x', files: ['x'] } } }));
    await ask(1, 'y');
    expect(await release(1)).toEqual(['y']);
  });

  it('a run goes on until the files of what a person stopped are put back', async () => {
    const { act, ask, doom, turn, about, count } = await begin(planOf('a'));
    await ask(1, 'x');
    await act((tx) => tx.record({ type: 'task-skipped', v: 1, plan: about(1).plan, task: taskId('a'), by: 'me' }));
    await doom(1, { kind: 'withdrawn' });
    await act((tx) => tx.record({ type: 'attempt-ended', ...about(1), end: { kind: 'killed', code: null } }));
    await turn();
    expect(await count('run-ended')).toBe(0);
    await act((tx) => tx.record({ type: 'work-saved', ...about(1), saved: null, files: 0 }));
    await act((tx) => tx.record({ type: 'files-put-back', ...about(1) }));
    await turn();
    expect(await count('run-ended')).toBe(1);
  });

  it('a task that starts tells whom it passes, so that nobody who waits for many is passed for ever', async () => {
    const { act, ask, turn, about, last } = await begin(
      planOf('a, b → a', { keys: { b: { run: 'x', files: ['y'] } } }),
    );
    await ask('ann', 'x');
    await ask('bob', 'x y');
    const waiting = await last('lock-waiting');
    await act((tx) => tx.record({ type: 'attempt-ended', ...about(1), end: { kind: 'exited', code: 0 } }));
    await turn();
    expect(await last('lock-acquired')).toMatchObject({ resource: 'y', passes: [waiting!.seq] });
  });

  it('every cycle that a request closes has its victim', async () => {
    const { ask, count } = await begin(planOf('a, b, c'));
    await ask(1, 'x');
    await ask(2, 'y');
    await ask(3, 'z');
    await ask(2, 'x');
    await ask(3, 'x');
    expect(await ask(1, 'y z')).toBe('waiting');
    expect(await count('deadlock-detected')).toBe(2);
  });

  it('a deadlock is found beside one that is being resolved', async () => {
    const { ask, count } = await begin(planOf('a, b, c'));
    await ask(1, 'x');
    await ask(2, 'y');
    await ask(3, 'z');
    await ask(2, 'x');
    await ask(1, 'y');
    await ask(3, 'x');
    expect(await count('deadlock-detected')).toBe(1);
    expect(await ask(1, 'z')).toBe('waiting');
    expect(await count('deadlock-detected')).toBe(2);
  });

  it('nobody is stopped for a request that is refused', async () => {
    const { ask, act, about, count, last } = await begin(planOf('a, b'));
    // Tried three times already, so that it may not be stopped.
    for (const i of [1, 2, 3]) {
      const attempt = `a#${i}` as never;
      const again = { ...about(1), attempt };
      await act((tx) => {
        tx.record({
          type: 'attempt-doomed',
          ...again,
          token: tx.state.plans.get(again.plan)!.tasks[0]!.token,
          doom: { kind: 'deadlock', words: '', blocker },
        });
        tx.record({
          type: 'attempt-ended',
          ...again,
          token: tx.state.plans.get(again.plan)!.tasks[0]!.token,
          end: { kind: 'killed', code: null },
        });
        letRulesAct(tx, { host, plan: again.plan, run });
      });
    }
    const { token } = (await last('attempt-scheduled'))!;
    await ask(token, 'x');
    await ask(2, 'y');
    await ask('ann', 'z');
    await ask(2, 'x');
    await ask('ann', 'x');
    expect(await ask(token, 'y z')).toBe('deadlock');
    expect(await count('deadlock-detected')).toBe(0);
  });

  it('a runner that finds the end of what another plan lost leaves what is kept of its files', async () => {
    const { store, ask, act } = await begin(planOf('a'));
    await ask(1, 'x');
    const other = planOf('o', { path: 'other.md' });
    await act((tx) => {
      tx.record({ type: 'plan-loaded', v: 1, plan: other.path, revision: '1', definition: other });
      const limits = { plan: 1, pools: {} };
      tx.record({ type: 'run-started', v: 1, plan: other.path, run: runId('r2'), runner: processOf(9), limits });
    });
    const forgotten: number[] = [];
    await loopFor(store, { plan: other.path, run: runId('r2') }, forgotten);
    expect(await store.read((state) => [...state.salvage.keys()])).toEqual([1]);
    expect(forgotten).not.toContain(1);
  });

  it('what is stopped half way is saved and put back without anything else happening meanwhile', async () => {
    const { store, ask, act, about, count } = await begin(planOf('a'));
    await ask(1, 'x');
    await act((tx) => {
      tx.record({ type: 'attempt-ended', ...about(1), end: { kind: 'lost' } });
      const limits = { plan: 0, pools: {} };
      tx.record({ type: 'run-started', v: 1, plan: about(1).plan, run: runId('r2'), runner: processOf(9), limits });
    });
    await loopFor(store, { plan: about(1).plan, run: runId('r2') }, []);
    expect(await count('files-put-back')).toBe(1);
  });

  it('what a process has that nobody can see any more ends with the time of a lease', async () => {
    const { store, ask, act } = await begin(planOf('a'));
    await ask('ann', 'x', { bound: processOf(7) });
    await ask('bob', 'x');
    const cannotSee = () => 'unknown' as const;
    const left = async (later: number) => {
      await act((tx) =>
        reapLocks({ ...tx, state: tx.state, record: (event) => tx.record(event), now: now + later }, cannotSee),
      );
      return store.read(({ locks }) => [...locks.owners.keys()].join());
    };
    expect(await left(lockLeaseMs - 1)).toBe('ann,bob');
    expect(await left(lockLeaseMs)).toBe('');
  });

  it('what becomes free by a grant is handed over with it', async () => {
    const { ask, last } = await begin(planOf('a'));
    const shared = { wants: [{ key: 'x', mode: 'shared' as const }] };
    await ask('ann', '', shared);
    await ask('bob', 'x y');
    expect(await ask('cid', '', shared)).toBe('waiting');
    // Now bob waits for cid, who therefore need not wait for bob.
    await ask('cid', 'y');
    expect(await last('lock-acquired')).toMatchObject({ owner: 'cid', resource: 'x' });
  });
});
