// The steps around every command: what is due comes first, what follows comes with it, and a refusal leaves nothing behind.
import { beforeEach, describe, expect, it } from 'vitest';
import { here, planOf } from '../../../test/scenario.ts';
import { accept, refuse } from '../../core/commands/accept-or-refuse.ts';
import { retryTask, skipTask } from '../../core/commands/steer.ts';
import { runId, taskId } from '../../core/model/ids.ts';
import { MemoryLog } from '../../store/memory/memory-log.ts';
import { openMemory } from '../../store/memory/open-memory.ts';
import { Refusal } from '../refusal.ts';
import { type Acting, act } from './act.ts';

const plan = planOf('a, b', { keys: { a: { run: 'x', retries: 1 } } });
const by = { by: 'ann' };
const time = { now: 1_000_000 };
let on: Acting;

/** `a` has failed once and waits for its second try; nobody runs the plan any more. */
beforeEach(async () => {
  time.now = 1_000_000;
  const store = openMemory(new MemoryLog(), { now: () => time.now });
  on = { store, path: plan.path, isRunning: () => false };
  const run = runId('r1');
  const about = { v: 1, plan: plan.path, run } as const;
  const attempt = { ...about, task: taskId('a'), attempt: 'a#1' as never, token: 1 } as const;
  await store.transact((tx) => {
    tx.record({ type: 'plan-loaded', v: 1, plan: plan.path, revision: '1', definition: plan });
    tx.record({ type: 'run-started', ...about, runner: here, limits: { plan: 1, pools: {} } });
    tx.record({ type: 'attempt-scheduled', ...attempt, host: here.host });
    tx.record({ type: 'attempt-ended', ...attempt, end: { kind: 'exited', code: 1 } });
  });
});

const types = async () => (await on.store.events({ after: 4 })).map(({ type }) => type);
const statusOf = (id: string) => on.store.read(({ plans }) => plans.get(plan.path)!.tasks['ab'.indexOf(id)]!.status);

describe('act', () => {
  it('lets what is due happen first, and tells only what the command recorded', async () => {
    const { events } = await act(
      on,
      (found) => skipTask(found, 1, by),
      () => null,
    );
    expect(events.map(({ type }) => type)).toEqual(['task-skipped']);
    expect(await types()).toEqual(['retry-scheduled', 'task-skipped']);
  });

  it('lets time that has passed meanwhile count', async () => {
    await act(
      on,
      () => accept([]),
      () => null,
    );
    time.now += 3_600_000;
    await act(
      on,
      () => accept([]),
      () => null,
    );
    expect(await types()).toEqual(['retry-scheduled', 'backoff-ended']);
  });

  it('tells each answer in sight of what the ones before it recorded', async () => {
    const seen: string[] = [];
    await act(
      on,
      function* (found) {
        yield skipTask(found, 1, by);
        seen.push(found.tasks[1]!.status);
        yield retryTask(found, 1, by);
        seen.push(found.tasks[1]!.status);
      },
      () => null,
    );
    expect(seen).toEqual(['skipped', 'pending']);
  });

  it('leaves nothing behind when one of several is refused', async () => {
    const told = act(
      on,
      function* (found) {
        yield skipTask(found, 1, by);
        yield refuse('no', 'go home');
      },
      () => null,
    );
    await expect(told).rejects.toThrow(new Refusal(2, 'no', { instead: 'go home' }));
    expect([await statusOf('b'), await types()]).toEqual(['pending', []]);
  });

  it('looks when everything is recorded', async () => {
    const { seen } = await act(
      on,
      (found) => skipTask(found, 1, by),
      (found) => found.tasks[1]!.status,
    );
    expect(seen).toBe('skipped');
  });
});
