// The plan as a run would find it now, with the file as it is, on a copy of the state that nobody keeps. What is only missing on this
// machine is told; everything else that a run would refuse is refused.
import { loadedPlan, notCompared } from '../../core/commands/take-revision.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { Plan } from '../../core/model/plan.ts';
import { tryAgain } from '../../core/rules/try-again.ts';
import { createState, evolve } from '../../core/state/evolve.ts';
import { createLockState, snapshotLocks } from '../../core/state/lock-state.ts';
import { restoreState, snapshotPlan } from '../../core/state/snapshot.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { loadRevision } from '../act/load-revision.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import { promptTemplate } from '../files/prompt-template.ts';
import type { Seen } from '../look/state-view.ts';
import { viewFile } from '../look/view-file.ts';
import type { RunHindrance } from '../reports/plan-files.ts';
import type { SelectOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { chooseTasks } from './choose-tasks.ts';
import { hindrancesOf, refuseUnsupported } from './ready-to-run.ts';

export interface ImaginedPlan {
  readonly plan: PlanState;
  readonly selected: Uint8Array | null;
  /** Why a run would be refused all the same. */
  readonly hindrances: readonly RunHindrance[];
}

export async function imaginePlan(
  workspace: Workspace,
  { store, uncompared }: Seen,
  path: PlanPath,
  { env, ...options }: SelectOptions & { readonly env: Readonly<Record<string, string | undefined>> },
): Promise<ImaginedPlan> {
  const file = readPlanFile(workspace, path);
  const definition = await validPlan(workspace, file);
  const known = await store?.read((found) => copyOf(found, path, uncompared === 'trusted'));
  const state = known ?? (await viewFile(workspace, path)).state;
  const { events } = loadRevision(state.plans.get(path), definition, file.revision);
  for (const event of events) evolve(state, { ...event, seq: state.seq + 1, at: state.at });
  const plan = state.plans.get(path)!;
  refuseUnsupported(workspace, plan.plan);
  promptTemplate(workspace);
  const selected = chooseTasks(plan, options)?.selected ?? null;
  const hindrances = hindrancesOf(workspace, plan, { selected, onFailure: null, env });
  for (const event of tryAgain(plan, selected)) evolve(state, { ...event, seq: state.seq + 1, at: state.at });
  return { plan, selected, hindrances };
}

/** The plan as nobody has run it yet. */
export function freshPlan(definition: Plan): PlanState {
  const state = createState();
  for (const event of loadRevision(undefined, definition, '').events) evolve(state, { ...event, seq: 1, at: 0 });
  return state.plans.get(definition.path)!;
}

/** Without the attempts that run: what they hold is given back before any of this would start. */
function copyOf(known: State, path: PlanPath, isTrusted: boolean): State | null {
  const plan = known.plans.get(path);
  if (!plan) return null;
  const { seq, at, token, decided } = known;
  const snapshot = structuredClone(snapshotPlan(plan));
  const loaded = loadedPlan(plan.plan, plan.revision);
  const state = restoreState({
    workspace: {
      seq,
      at,
      token,
      decided,
      live: [],
      salvage: [],
      victims: [],
      hands: [],
      locks: snapshotLocks(createLockState()),
      clock: { offsets: [], steps: [] },
      accounts: [],
    },
    plans: [{ snapshot, definition: loaded }],
  });
  if (isTrusted) evolve(state, { ...notCompared(plan), seq, at });
  return state;
}
