// Where a person can repair a task by hand, so that its next attempt begins with what they change there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { worksOnResults } from '../../core/state/questions/isolated.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import type { PlanState } from '../../core/state/state.ts';
import { rootIn, taskTree } from '../../runner/trees/tree-places.ts';

/** Null: it has no tree of its own. */
export function repairFolder(plan: Pick<PlanState, 'plan' | 'tasks' | 'run'>, at: number): string | null {
  const isolation = plan.run?.isolation ?? null;
  const task = startedTask(plan, at);
  if (isolation === null || worksOnResults(task, plan.tasks[at]!.agent !== null)) return null;
  const tree = taskTree(isolation, task.id);
  return existsSync(join(tree, '.git')) ? rootIn(isolation, tree) : null;
}
