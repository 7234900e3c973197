// What refuses the first run in a workspace, before there is any state: a run that never began leaves nothing behind. The transaction that
// starts the run asks again.
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanReading } from '../../plan/read-plan.ts';
import { refuseUnapproved } from '../approval/approved-plan.ts';
import { parsePlan, readPlanFile, validPlan } from '../files/plan-file.ts';
import { promptTemplate } from '../files/prompt-template.ts';
import { viewFile } from '../look/view-file.ts';
import type { RunOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { chooseTasks } from './choose-tasks.ts';
import { freshPlan } from './imagine-plan.ts';
import { refuseIsolation } from './isolation/isolate-run.ts';
import { type RunAbout, refuseHindered, refuseUnsupported } from './ready-to-run.ts';
import { refuseTick } from './tick-boxes.ts';

/** A large plan is not read twice. */
export interface FirstReading {
  readonly revision: string;
  readonly reading: PlanReading;
}

export async function refuseFirst(
  workspace: Workspace,
  path: PlanPath,
  options: RunOptions,
  env: RunAbout['env'],
): Promise<FirstReading> {
  if (options.tick) refuseTick(path);
  const file = readPlanFile(workspace, path);
  const reading = await parsePlan(workspace, file);
  // Whoever starts over finds nothing of what `status.json` remembers.
  const plan = options.fresh
    ? freshPlan(await validPlan(workspace, file, undefined, reading))
    : (await viewFile(workspace, path, { file, reading })).plan;
  await refuseUnapproved(workspace, file, plan.plan);
  refuseUnsupported(workspace, plan.plan);
  promptTemplate(workspace);
  const selected = chooseTasks(plan, options)?.selected ?? null;
  refuseHindered(workspace, plan, { selected, onFailure: options.onFailure ?? null, env });
  await refuseIsolation({ workspace, env }, { plan: plan.plan, selected }, options);
  return { revision: file.revision, reading };
}
