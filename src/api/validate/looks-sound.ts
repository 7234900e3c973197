// A quick look at the same things that `validate` compares: whether everything is as we wrote it, and of one moment. The log and what is
// kept beside it have their sums, `status.json` and its backup are known by their notes, and the rest is few. It says nothing about what is
// wrong: where it is not content, everything is compared from the first event.
import { join } from 'node:path';
import { taskId } from '../../core/ids.ts';
import type { PlanState, State } from '../../core/state.ts';
import { isAsPlaced, isBackupAsPlaced } from '../../status/as-placed.ts';
import { encodeName, type OutputPlaces } from '../../status/output-places.ts';
import { endText } from '../../status/status-text.ts';
import { endOf, writtenMark } from '../../status/write-status.ts';
import { Outage } from '../../store/outage.ts';
import { type AsWritten, lookAsWritten } from '../../store/sqlite/as-written.ts';
import type { Store } from '../../store/store.ts';
import { namesIn } from '../names-in.ts';
import type { IsRunning } from '../reports.ts';
import { placesOf } from '../status/places-of.ts';
import { savedWorkOf } from '../status/saved-work-of.ts';
import { logOf, notesOf, StatusFiles } from '../status/status-files.ts';
import type { Workspace } from '../workspace.ts';
import { strayOwners } from './stray-owners.ts';
import type { ValidateReport } from './validate-report.ts';

export interface Look {
  readonly workspace: Workspace;
  readonly isRunning: IsRunning;
  /** Null when there is no database. */
  readonly open: () => Promise<Store | null>;
}

/** Null: something is not as it should be, or that cannot be told so quickly. */
export async function looksSound(look: Look): Promise<ValidateReport | null> {
  const { workspace, open } = look;
  try {
    const store = await open();
    if (!store) return null;
    const written = await lookAsWritten(join(workspace.stateFolder, 'state.db'));
    if (written.wrongEvent !== null || written.kept !== 'whole') return null;
    const seen = await store.read((state) => (isOfOneMind(state, written) ? whatIsSeen(look, state) : null));
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
    // A database that is broken is told about by who looks closer; that it is busy would not change.
    if (error instanceof Outage && error.kind !== 'broken-database') throw error;
    return null;
  }
}

function isOfOneMind(state: State, { head, attempts }: AsWritten): boolean {
  const live = [...state.live.keys()].sort((a, b) => a - b);
  return state.seq === head && live.join() === attempts.join() && strayOwners(state).length === 0;
}

interface SeenPlan {
  readonly plan: PlanState;
  readonly places: OutputPlaces;
  readonly isRunning: boolean;
  readonly strangers: boolean;
}

function whatIsSeen({ workspace, isRunning }: Look, state: State): { events: number; plans: SeenPlan[] } {
  const plans = [...state.plans.values()].map((plan): SeenPlan => {
    const places = placesOf(workspace, state.plans, plan.path);
    return { plan, places, isRunning: isRunning(plan), strangers: hasStrangers(places, plan) };
  });
  return { events: state.seq, plans };
}

async function isPlanSound(
  { workspace }: Look,
  store: Store,
  { plan, places, isRunning, strangers }: SeenPlan,
  written: AsWritten,
): Promise<boolean> {
  const notes = notesOf(workspace);
  if (strangers || !isAsPlaced(notes, places) || !isBackupAsPlaced(notes, places)) return false;
  const mark = writtenMark(places.status);
  if (mark?.log !== logOf(store) || mark.seq > written.head) return false;
  const end = endText({ savedWork: savedWorkOf(workspace, plan.path) });
  if (endOf(places.status, Buffer.byteLength(end)) !== Buffer.from(end).toString('latin1')) return false;
  // A run writes these now and then, and at its end.
  if (isRunning) return true;
  const since = await store.events({ after: mark.seq, plan: plan.path, limit: mostSince });
  if (since.length === mostSince || since.some((event) => StatusFiles.isAbout(event))) return false;
  const times = namesIn(places.timestamps);
  return times.every((name) => name.endsWith('.json')) && times.length >= (written.ended.get(plan.path) ?? 0);
}

/** Only about locks, if all is well. */
const mostSince = 1000;

/** Findings that belong to no task, and what killed commands left. */
function hasStrangers({ findings }: OutputPlaces, plan: PlanState): boolean {
  const names = namesIn(findings);
  if (names.length === 0) return false;
  // Most ids are their own names.
  const isOwn = (name: string) => /^[^%]+\.md$/.test(name) && plan.index.get(taskId(name.slice(0, -3))) !== undefined;
  const others = names.filter((name) => !isOwn(name));
  if (others.length === 0) return false;
  const known = new Set(plan.plan.tasks.map(({ id }) => `${encodeName(id)}.md`));
  return others.some((name) => !known.has(name));
}
