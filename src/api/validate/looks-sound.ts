// A quick form of `validate`: is everything as we wrote it, and of one moment? Log and snapshot are compared with their sums, the files
// with the kept state. It does not say what is wrong: if it finds anything odd, `validate` compares everything from the first event.
import { join } from 'node:path';
import type { PlanState, State } from '../../core/state/state.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import type { Projected } from '../../status/status-files.ts';
import type { StoreWithStatus } from '../../status/store-with-status.ts';
import { isUnreadable, Outage } from '../../store/outage.ts';
import { type AsWritten, lookAsWritten } from '../../store/sqlite/as-written.ts';
import type { Store } from '../../store/store.ts';
import type { IsRunning } from '../look/reports.ts';
import type { ValidateReport } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';
import { checkStatus } from './check-status.ts';
import { strayOwners } from './stray-owners.ts';

export interface Look {
  readonly workspace: Workspace;
  readonly isRunning: IsRunning;
  /** Null when there is no database. */
  readonly open: () => Promise<StoreWithStatus | null>;
}

/** Null: something is not as it should be, or that cannot be told so quickly. */
export async function looksSound(look: Look): Promise<ValidateReport | null> {
  const { workspace, open } = look;
  try {
    const store = await open();
    if (!store) return null;
    const written = lookAsWritten(join(workspace.stateFolder, 'state.db'));
    if (written.wrongEvent !== null || !written.isSnapshotWhole) return null;
    const seen = await store.read((state) => (isOfOneMind(state, written) ? whatIsSeen(store, state) : null));
    if (!seen) return null;
    for (const one of seen.plans) if (!(await isPlanSound(look, store, one, written))) return null;
    return {
      root: workspace.root,
      ok: true,
      events: seen.events,
      plans: seen.plans.map(({ plan }) => plan.path),
      problems: [],
    };
  } catch (error) {
    // The full comparison reports a database that cannot be read. A busy one would still be busy then.
    if (error instanceof Outage && !isUnreadable(error)) throw error;
    return null;
  }
}

function whatIsSeen({ files }: StoreWithStatus, state: State): { events: number; plans: SeenPlan[] } {
  const plans = [...state.plans.values()].map((plan) => ({ plan, projected: files.project(state, plan) }));
  return { events: state.seq, plans };
}

function isOfOneMind(state: State, { head }: AsWritten): boolean {
  return state.seq === head && strayOwners(state).length === 0;
}

interface SeenPlan {
  readonly plan: PlanState;
  readonly projected: Projected;
}

async function isPlanSound(
  { workspace: { root }, isRunning }: Look,
  store: Store,
  { plan, projected }: SeenPlan,
  { ended }: AsWritten,
): Promise<boolean> {
  const problems = await checkStatus({ root, store, isRunning, plan, projected, fix: false });
  if (problems.length > 0) return false;
  // A run writes these now and then, and at its end.
  if (isRunning(plan)) return true;
  const times = namesIn(projected.places.timestamps);
  return times.every((name) => name.endsWith('.json')) && times.length >= (ended.get(plan.path) ?? 0);
}
