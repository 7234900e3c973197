// Plans that can be chosen from: those that are known, then files in the places where people and other tools keep them.
import { join } from 'node:path';
import { planPath } from '../../core/model/ids.ts';
import { isPlanName, withoutPlanEnding } from '../../core/model/plan-name.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import { planFolders } from '../files/near-plan.ts';
import { parsePlan, readPlanFile } from '../files/plan-file.ts';
import type { Workspace } from '../workspace.ts';

/** In folders that hold other texts too, only what is called like a plan. */
const isCalledPlan = /^(?:.*[-_.])?(?:plan|tasks)(?:[-_.].*)?$/i;
const most = 50;

export async function planFiles(workspace: Workspace, known: readonly string[]): Promise<string[]> {
  const found = new Set(known);
  for (const folder of planFolders(workspace.root)) {
    for (const name of namesIn(join(workspace.root, folder)).sort()) {
      if (found.size >= most || !isPlanName(name)) continue;
      if (!/(^|\/)plans$/.test(folder) && !isCalledPlan.test(withoutPlanEnding(name))) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!found.has(path) && (await isPlan(workspace, path))) found.add(path);
    }
  }
  return [...found];
}

async function isPlan(workspace: Workspace, path: string): Promise<boolean> {
  try {
    const { plan } = await parsePlan(workspace, readPlanFile(workspace, planPath(path)));
    return plan !== null && plan.tasks.length > 0;
  } catch {
    return false;
  }
}
