// Which folder is a plan's: that of its base name, unless another plan has it. What lies there already decides first, so that a plan
// keeps its folder whatever else is loaded later, also after the database was lost.
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PlanPath } from '../../core/ids.ts';
import { type OutputPlaces, outputNames, outputPlaces } from '../../status/output-places.ts';
import type { Workspace } from '../workspace.ts';

/** What is known about the other plans: when each was loaded first. */
export type KnownPlans = Iterable<readonly [PlanPath, { readonly loadedAt: number }]>;

export function placesOf(
  workspace: Pick<Workspace, 'root' | 'outputsFolder'>,
  known: KnownPlans,
  path: PlanPath,
): OutputPlaces {
  const { short, long } = outputNames(path);
  const [near, far] = [short, long].map((name) => outputPlaces(join(workspace.outputsFolder, name))) as [
    OutputPlaces,
    OutputPlaces,
  ];
  const owner = ownerOf(near);
  if (owner === path) return near;
  if (ownerOf(far) === path) return far;
  if (owner !== null && existsSync(resolve(workspace.root, owner))) return far;
  return hasElder(known, path, short) ? far : near;
}

function hasElder(known: KnownPlans, path: PlanPath, short: string): boolean {
  const all = [...known];
  const own = all.find(([other]) => other === path)?.[1].loadedAt ?? Number.POSITIVE_INFINITY;
  return all.some(
    ([other, { loadedAt }]) =>
      other !== path && (loadedAt < own || (loadedAt === own && other < path)) && outputNames(other).short === short,
  );
}

/** Of which plan the files there are; null when that cannot be told. */
export function ownerOf({ status, backup }: OutputPlaces): string | null {
  for (const file of [status, backup]) {
    const owner = plannedIn(file);
    if (owner !== null) return owner;
  }
  return null;
}

/** In ours it stands near the beginning; what others wrote may have it anywhere. */
function plannedIn(file: string): string | null {
  try {
    const found = /"planPath"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(beginningOf(file));
    const path: unknown = found ? JSON.parse(found[1]!) : null;
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}

const mostBytes = 20_000;

function beginningOf(file: string): string {
  // A pipe in its place must not be waited for.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
