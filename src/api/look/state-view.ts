// A look at a plan's state that creates nothing: from the store when it knows the plan, else as the plan file says it would be.

import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { Workspace } from '../workspace.ts';
import { viewFile } from './view-file.ts';

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
  const { state, plan, now, troubles } = await viewFile(workspace, path);
  for (const text of troubles) warn?.(text);
  return look(state, plan, now);
}
