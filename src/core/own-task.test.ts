import { describe, expect, it } from 'vitest';
import { log, planOf } from '../../test/scenario.ts';
import { packDerived } from './derived.ts';
import type { PlanLoaded, StoredEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { createTaskState, ownTask, sharedTaskStates } from './own-task.ts';
import { restoreState, snapshotPlan, snapshotWorkspace } from './snapshot.ts';

const ticked = (id: string, status: 'completed' | 'skipped') => ({ ...planOf(id).tasks[0]!, ticked: status });

/** A plan as it comes from a snapshot: nothing has happened to its tasks. */
function restored(plan = planOf('a, b, c')) {
  const { state, events } = log(plan).load();
  const [found] = [...state.plans.values()];
  const restoredState = restoreState({
    workspace: snapshotWorkspace(state),
    plans: [
      {
        snapshot: snapshotPlan(found!),
        definition: events[0] as StoredEvent & PlanLoaded,
        derived: packDerived(found!),
      },
    ],
  });
  return {
    state: restoredState,
    plan: restoredState.plans.get(plan.path)!,
    load: events[0]! as StoredEvent & PlanLoaded,
  };
}

describe('tasks without history', () => {
  it('share one state for each box, and nobody can change it', () => {
    const share = sharedTaskStates(7);
    const [a, b] = planOf('a, b').tasks;
    expect(share(a!)).toBe(share(b!));
    expect(share(ticked('a', 'completed'))).toEqual(createTaskState(ticked('a', 'completed'), 7));
    expect(share(ticked('a', 'skipped')).status).toBe('skipped');
    expect(() => share(a!).attempts++).toThrow(TypeError);
  });

  it('have one of their own as soon as it changes', () => {
    const { plan } = restored(planOf('a, b → a, c → a'));
    const [, b, c] = plan.tasks;
    expect(b).toBe(c);
    const own = ownTask(plan, 1);
    own.attempts++;
    expect(ownTask(plan, 1)).toBe(own);
    expect([plan.tasks[1]!.attempts, plan.tasks[2]!.attempts]).toEqual([1, 0]);
  });

  it('keep what they were when a new revision takes their tick away', () => {
    const before = planOf('a, b');
    const { state, plan, load } = restored({ ...before, tasks: [ticked('a', 'completed'), before.tasks[1]!] });
    expect(plan.tasks[0]!.status).toBe('completed');
    evolve(state, { ...load, seq: state.seq + 1, definition: before });
    const again = state.plans.get(before.path)!;
    expect(again.tasks[0]!.status).toBe('completed');
    // Whatever changes next starts from that, and not from the box.
    expect(ownTask(again, 0)).toMatchObject({ status: 'completed', by: 'plan' });
  });
});
