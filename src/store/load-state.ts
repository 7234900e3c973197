// The newest usable snapshot as a state, or an empty state when there is none: of another version, damaged, or never taken.
// Also the way back: a state as the texts that are kept.

import { packDerived } from '../core/derived.ts';
import type { PlanLoaded, StoredEvent } from '../core/event.ts';
import { createState } from '../core/evolve.ts';
import { createLean } from '../core/lean.ts';
import {
  type PlanSnapshot,
  type Restorable,
  restoreState,
  snapshotPlan,
  snapshotVersion,
  snapshotWorkspace,
  type WorkspaceSnapshot,
} from '../core/snapshot.ts';
import type { State } from '../core/state.ts';
import type { LogView, SnapshotMark, StoredSnapshot } from './log.ts';

export interface Loaded {
  /** Its `seq` says where the log goes on: 0 when everything is still to be folded. */
  readonly state: State;
  /** The kept snapshot has the right version, but is of no use: the next one must not be put off because of it. */
  readonly damaged: SnapshotMark | null;
}

export async function loadState(view: LogView): Promise<Loaded> {
  const mark = await view.snapshotMark();
  if (mark?.version !== snapshotVersion) return { state: createState(), damaged: null };
  const state = await restore(view);
  return state ? { state, damaged: null } : { state: createState(), damaged: mark };
}

/** The same without the plans. */
export async function loadLean(view: LogView): Promise<Loaded> {
  const mark = await view.snapshotMark();
  if (mark?.version !== snapshotVersion) return { state: createLean(null), damaged: null };
  const stored = await view.snapshot('workspace');
  const state = stored && attempt(() => createLean(parse(stored)!.workspace));
  return state ? { state, damaged: null } : { state: createLean(null), damaged: mark };
}

export function keepable(state: State): StoredSnapshot {
  const plans = [...state.plans.values()].map((plan) => ({
    plan: plan.path,
    body: JSON.stringify(snapshotPlan(plan)),
    derived: packDerived(plan),
  }));
  return { seq: state.seq, version: snapshotVersion, workspace: JSON.stringify(snapshotWorkspace(state)), plans };
}

async function restore(view: LogView): Promise<State | null> {
  const stored = await view.snapshot();
  const parts = stored && attempt(() => parse(stored));
  if (!parts) return null;
  const plans: Restorable['plans'][number][] = [];
  for (const [i, snapshot] of parts.plans.entries()) {
    const definition = await definitionOf(view, snapshot);
    if (!definition) return null;
    plans.push({ snapshot, definition, derived: stored.plans[i]!.derived });
  }
  return attempt(() => restoreState({ workspace: parts.workspace, plans }));
}

interface Parts {
  readonly workspace: WorkspaceSnapshot;
  readonly plans: readonly PlanSnapshot[];
}

function parse(stored: StoredSnapshot): Parts | null {
  const workspace: WorkspaceSnapshot = JSON.parse(stored.workspace);
  const plans = stored.plans.map(({ body }): PlanSnapshot => JSON.parse(body));
  const whole = workspace.seq === stored.seq && plans.every((plan, i) => plan.path === stored.plans[i]!.plan);
  return whole ? { workspace, plans } : null;
}

/** A snapshot only saves time: one that makes no sense, for whatever reason, is as good as none, as the log has everything. */
function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** The definition stays in its event: some 15 MB for 100,000 tasks, which are read and parsed here and nowhere else. */
async function definitionOf(view: LogView, { path, definedAt }: PlanSnapshot): Promise<PlanLoaded | null> {
  const [event]: StoredEvent[] = await view.events({ after: definedAt - 1, limit: 1 });
  return event?.type === 'plan-loaded' && event.plan === path ? event : null;
}
