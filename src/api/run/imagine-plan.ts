// The plan as a run would find it now, with the file as it is and with every refusal that the run would meet, on a copy of the
// state that nobody keeps.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { tryAgain } from '../../core/rules/try-again.ts';
import { createState, evolve } from '../../core/state/evolve.ts';
import { createLockState, snapshotLocks } from '../../core/state/lock-state.ts';
import { restoreState, snapshotPlan } from '../../core/state/snapshot.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import { loadRevision } from '../act/load-revision.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import type { SelectOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { chooseTasks } from './choose-tasks.ts';
import { refuseUnsupported, refuseWithoutAgent } from './ready-to-run.ts';

export async function imaginePlan(
  workspace: Workspace,
  store: Store | null,
  path: PlanPath,
  { env, ...options }: SelectOptions & { readonly env: Readonly<Record<string, string | undefined>> },
): Promise<{ readonly plan: PlanState; readonly selected: Uint8Array | null }> {
  const file = readPlanFile(workspace, path);
  const definition = await validPlan(workspace, file);
  const state = (await store?.read((known) => copyOf(known, path))) ?? createState();
  const load = loadRevision(state.plans.get(path), definition, file.revision);
  if (load) evolve(state, { ...load, seq: state.seq + 1, at: state.at });
  const plan = state.plans.get(path)!;
  refuseUnsupported(workspace, plan.plan);
  const selected = chooseTasks(plan, options)?.selected ?? null;
  refuseWithoutAgent(workspace, plan, baseEnvironment(env).PATH ?? '', { selected, onFailure: null });
  for (const event of tryAgain(plan, selected)) evolve(state, { ...event, seq: state.seq + 1, at: state.at });
  return { plan, selected };
}

/** Without the attempts that run: what they hold is given back before any of this would start. */
function copyOf(known: State, path: PlanPath): State | null {
  const plan = known.plans.get(path);
  if (!plan) return null;
  const { seq, at, token, decided } = known;
  const { revision, plan: definition } = plan;
  const snapshot = structuredClone(snapshotPlan(plan));
  const loaded = { type: 'plan-loaded', v: 1, plan: path, revision, definition } as const;
  return restoreState({
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
    },
    plans: [{ snapshot, definition: loaded }],
  });
}
