// Before a command executes something of a plan without a run: if the plan came with state that was trusted, it has to be what its file
// says, to the letter; and a plan that is not loaded must not be the unapproved work of an agent. A run and `reload` take the file by
// themselves.
import { isDeepStrictEqual } from 'node:util';
import { isUncompared } from '../../core/commands/take-revision.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { withClosingTasks } from '../../core/state/closing-tasks.ts';
import { approvedPlan } from '../approval/approved-plan.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import type { Seen } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

export async function refuseUncompared(workspace: Workspace, seen: Seen, path: PlanPath): Promise<void> {
  const loaded = await seen.store?.read((state) => {
    const known = state.plans.get(path);
    if (!known) return undefined;
    return seen.uncompared || isUncompared(known)
      ? { plan: known.plan, texts: known.tasks.map((task) => task.startedWith) }
      : null;
  });
  if (loaded === null) return;
  if (loaded === undefined) {
    await approvedPlan(workspace, readPlanFile(workspace, path));
    return;
  }
  const file = withClosingTasks(await validPlan(workspace, readPlanFile(workspace, path)));
  if (isDeepStrictEqual(loaded.plan, file) && loaded.texts.every((text) => text === null)) return;
  throw new Refusal(2, `${path} says something else than the trusted state, so nothing of it is executed`, {
    instead: 'see what: signalbox sync-check; take the file: signalbox reload',
  });
}
