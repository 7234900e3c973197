import { describe, expect, it } from 'vitest';
import { log, planOf } from '../../test/scenario.ts';
import { packDerived } from './derived.ts';
import type { PlanLoaded, StoredEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { ownTask } from './own-task.ts';
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
    const boxes = [ticked('a', 'completed'), ticked('b', 'completed'), ticked('c', 'skipped')];
    const { plan, tasks } = { ...restored({ ...planOf('a, b, c'), tasks: boxes }), tasks: planOf('a, b').tasks };
    const [a, b, c] = plan.tasks;
    expect(a).toBe(b);
    expect([a!.status, a!.by, c!.status]).toEqual(['completed', 'plan', 'skipped']);
    expect(() => a!.attempts++).toThrow(TypeError);
    const [x, y] = restored({ ...planOf('a, b'), tasks }).plan.tasks;
    expect(x).toBe(y);
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
