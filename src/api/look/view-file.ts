// A look at a plan that the store does not know: as its file says, with what `status.json` remembers of it. It creates nothing.

import type { PlanPath } from '../../core/model/ids.ts';
import { createState, evolve } from '../../core/state/evolve.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { PlanReading } from '../../plan/read-plan.ts';
import { importStatus } from '../../status/import-status.ts';
import { type PlanFile, readPlanFile, validPlan } from '../files/plan-file.ts';
import type { Workspace } from '../workspace.ts';

export interface FileView {
  readonly state: State;
  readonly plan: PlanState;
  readonly now: number;
  /** A status file was there, and could be used. */
  readonly isRead: boolean;
  /** What lies beside the plan and could not be used. */
  readonly troubles: readonly string[];
}

/** @param before if the file was read already. */
export async function viewFile(
  workspace: Workspace,
  path: PlanPath,
  before?: { readonly file: PlanFile; readonly reading: PlanReading },
): Promise<FileView> {
  const file = before?.file ?? readPlanFile(workspace, path);
  const state = createState();
  const now = Date.now();
  const definition = await validPlan(workspace, file, undefined, before?.reading);
  evolve(state, { type: 'plan-loaded', v: 1, seq: 1, at: now, plan: path, revision: file.revision, definition });
  const plan = state.plans.get(path)!;
  const { event, isRead, troubles } = importStatus(workspace, state.plans, plan);
  if (event) evolve(state, { ...event, seq: 2, at: now });
  return { state, plan, now, isRead, troubles };
}
