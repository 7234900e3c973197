// Whether an attempt works in a tree of its own. What it writes there concerns nobody until it is merged: its edits take no locks, nothing
// is kept of the workspace for it, and the workspace is not searched for what its commands wrote.
import type { Isolation } from '../../core/model/run-event.ts';
import type { State } from '../../core/state/state.ts';

/** Null: it works in the workspace, or is over. */
export function isolationOf(state: State, token: number): Isolation | null {
  const live = state.live.get(token);
  return (live && state.plans.get(live.plan)?.run?.isolation) ?? null;
}
