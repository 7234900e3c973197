// A state that went through a snapshot: to JSON and back, with the definitions of its plans from the log.
import type { PlanLoaded, StoredEvent } from '../src/core/model/event.ts';
import { restoreState, snapshotPlan, snapshotWorkspace } from '../src/core/state/snapshot.ts';
import type { State } from '../src/core/state/state.ts';

/** What a store keeps: the snapshot, and the events that hold the definitions. */
export function kept(state: State, log: readonly StoredEvent[]) {
  return {
    workspace: snapshotWorkspace(state),
    plans: [...state.plans.values()].map((plan) => ({
      snapshot: snapshotPlan(plan),
      definition: log.find(({ seq }) => seq === plan.definedAt) as PlanLoaded,
    })),
  };
}

export function restored(state: State, log: readonly StoredEvent[]): State {
  return restoreState(JSON.parse(JSON.stringify(kept(state, log))));
}
