// The newest usable snapshot as a state, or an empty state when there is none: of another version, damaged, or never taken.
// Also the way back: a state as the texts that are kept.

import type { StoredEvent } from '../core/model/event.ts';
import { createState } from '../core/state/evolve.ts';
import {
  type PlanSnapshot,
  restoreState,
  snapshotPlan,
  snapshotVersion,
  snapshotWorkspace,
  type WorkspaceSnapshot,
} from '../core/state/snapshot.ts';
import type { State } from '../core/state/state.ts';
import type { LogView, PlanPart, SnapshotMark, StoredSnapshot } from './log.ts';

export interface Loaded {
  /** Its `seq` says where the log goes on: 0 when everything is still to be folded. */
  readonly state: State;
  /** The kept snapshot has the right version, but is of no use: the next one must not be put off because of it. */
  readonly damaged: SnapshotMark | null;
}

export async function loadState(view: LogView): Promise<Loaded> {
  const mark = await view.snapshotMark();
  if (mark?.version !== snapshotVersion) return { state: createState(), damaged: null };
  const stored = (await view.snapshot())!;
  const kept = unlessDamaged(() => parse(stored));
  const loadings: (StoredEvent | undefined)[] = [];
  for (const plan of kept?.plans ?? []) loadings.push(await loadingOf(view, plan));
  const state = kept && unlessDamaged(() => restore(kept, loadings));
  return state ? { state, damaged: null } : { state: createState(), damaged: mark };
}

export function snapshotOf(state: State): StoredSnapshot {
  const plans = [...state.plans.values()].map(
    (plan): PlanPart => ({ plan: plan.path, body: JSON.stringify(snapshotPlan(plan)) }),
  );
  return { seq: state.seq, version: snapshotVersion, workspace: JSON.stringify(snapshotWorkspace(state)), plans };
}

interface Kept {
  readonly workspace: WorkspaceSnapshot;
  readonly plans: readonly PlanSnapshot[];
}

function parse(stored: StoredSnapshot): Kept {
  const workspace: WorkspaceSnapshot = JSON.parse(stored.workspace);
  if (workspace.seq !== stored.seq) throw new Error('the snapshot is of another moment');
  const plans = stored.plans.map(({ plan, body }) => {
    const snapshot: PlanSnapshot = JSON.parse(body);
    if (snapshot.path !== plan) throw new Error('the snapshot is of another plan');
    return snapshot;
  });
  return { workspace, plans };
}

/** Where a plan was loaded: its definition stays in that event, some 15 MB for 100,000 tasks. */
async function loadingOf(view: LogView, { definedAt }: PlanSnapshot): Promise<StoredEvent | undefined> {
  const [event] = await view.events({ after: definedAt - 1, limit: 1 });
  return event;
}

function restore({ workspace, plans }: Kept, loadings: readonly (StoredEvent | undefined)[]): State {
  const whole = plans.map((snapshot, i) => {
    const definition = loadings[i];
    const isIt = definition?.type === 'plan-loaded' && definition.plan === snapshot.path;
    if (!isIt) throw new Error('there is no definition');
    return { snapshot, definition };
  });
  return restoreState({ workspace, plans: whole });
}

/** Null: it makes no sense, for whatever reason, and is as good as none. The log has everything. */
function unlessDamaged<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
