// Plans that can be chosen from: those that are known, then files in the places where people and other tools keep them.
import { join } from 'node:path';
import { planPath } from '../../core/model/ids.ts';
import { namesIn } from '../../files/names-in.ts';
import { parsePlan, readPlanFile } from '../files/plan-file.ts';
import type { Workspace } from '../workspace.ts';

/** `*`: any name, one level. */
const places = ['', 'docs/plans', 'docs', 'plans', 'specs/*', '.kiro/specs/*', '.specify/specs/*'];
const isPlanName = /\.(md|markdown|ya?ml)$/i;
/** In folders that hold other texts too, only what is called like a plan. */
const isCalledPlan = /^(?:.*[-_.])?(?:plan|tasks)(?:[-_.].*)?\.(md|markdown|ya?ml)$/i;
const most = 50;

export async function planFiles(workspace: Workspace, known: readonly string[]): Promise<string[]> {
  const found = new Set(known);
  for (const place of places) {
    for (const folder of expand(workspace.root, place)) {
      for (const name of namesIn(join(workspace.root, folder)).sort()) {
        if (found.size >= most || !isPlanName.test(name)) continue;
        if (!/(^|\/)plans$/.test(folder) && !isCalledPlan.test(name)) continue;
        const path = folder === '' ? name : `${folder}/${name}`;
        if (!found.has(path) && (await isPlan(workspace, path))) found.add(path);
      }
    }
  }
  return [...found];
}

function expand(root: string, place: string): string[] {
  if (!place.endsWith('/*')) return [place];
  const folder = place.slice(0, -2);
  return namesIn(join(root, folder))
    .sort()
    .map((name) => `${folder}/${name}`);
}

async function isPlan(workspace: Workspace, path: string): Promise<boolean> {
  try {
    const { plan } = await parsePlan(workspace, readPlanFile(workspace, planPath(path)));
    return plan !== null && plan.tasks.length > 0;
  } catch {
    return false;
  }
}
