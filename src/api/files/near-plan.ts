// "Did you mean" for a plan file that does not exist: the nearest name in its folder, then in the places where people and other tools keep
// plans, then among the plans that have been run.
import { basename, dirname, join } from 'node:path';
import { isPlanName, withoutPlanEnding } from '../../core/model/plan-name.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { plansWithFiles } from '../look/plans-with-files.ts';
import type { Workspace } from '../workspace.ts';

/** `*`: any name, one level. */
const places = ['', 'docs/plans', 'docs', 'plans', 'specs/*', '.kiro/specs/*', '.specify/specs/*'];

/** The folders in which plans are looked for, seen from the root. */
export function planFolders(root: string): string[] {
  return places.flatMap((place) => {
    if (!place.endsWith('/*')) return [place];
    const folder = place.slice(0, -2);
    return namesIn(join(root, folder))
      .sort()
      .map((name) => `${folder}/${name}`);
  });
}

/** @param path the one that does not exist, seen from the root. */
export function nearPlan(workspace: Workspace, path: string): string | undefined {
  const own = dirname(path);
  const near = nearestOf(basename(path), plansIn(workspace.root, own));
  if (near !== undefined) return near;
  const others = planFolders(workspace.root)
    .filter((folder) => folder !== own)
    .flatMap((folder) => plansIn(workspace.root, folder));
  return nearestOf(basename(path), [...others, ...plansWithFiles(workspace)]);
}

const plansIn = (root: string, folder: string): string[] =>
  namesIn(join(root, folder))
    .filter(isPlanName)
    .sort()
    .map((name) => join(folder, name));

/** The same name with or without its ending is nearer than any other. */
function nearestOf(name: string, plans: readonly string[]): string | undefined {
  const same = plans.find((plan) => basename(plan) === name || withoutPlanEnding(basename(plan)) === name);
  if (same !== undefined) return same;
  const near = nearest(
    name,
    plans.map((plan) => basename(plan)),
  );
  return near === undefined ? undefined : plans.find((plan) => basename(plan) === near);
}
