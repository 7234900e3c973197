// A look at a plan's state that creates nothing: from the store when it knows the plan, else as the plan file says it would be.

import { createState, evolve } from '../core/evolve.ts';
import type { PlanPath } from '../core/ids.ts';
import type { PlanState, State } from '../core/state.ts';
import type { Store } from '../store/store.ts';
import { readPlanFile, validPlan } from './plan-file.ts';
import { importStatus } from './status/import-status.ts';
import type { Workspace } from './workspace.ts';

export async function viewPlan<T>(
  workspace: Workspace,
  store: Store | null,
  path: PlanPath,
  look: (state: State, plan: PlanState, now: number) => T,
  /** What lies beside the plan and could not be used. */
  warn?: (text: string) => void,
): Promise<T> {
  if (store) {
    const seen = await store.read((state, now) => {
      const plan = state.plans.get(path);
      return plan ? { result: look(state, plan, now) } : null;
    });
    if (seen) return seen.result;
  }
  const file = readPlanFile(workspace, path);
  const state = createState();
  const now = Date.now();
  const definition = await validPlan(workspace, file);
  evolve(state, { type: 'plan-loaded', v: 1, seq: 1, at: now, plan: path, revision: file.revision, definition });
  const plan = state.plans.get(path)!;
  const { event, troubles } = importStatus(workspace, state.plans, plan);
  for (const text of troubles) warn?.(text);
  if (event) evolve(state, { ...event, seq: 2, at: now });
  return look(state, plan, now);
}
