// The saved work of one plan. Asked for with every status: what was read of a folder is remembered, as saved work never changes.
import { join } from 'node:path';
import type { PlanPath } from '../core/model/ids.ts';
import { namesIn } from '../files/disk/names-in.ts';
import { readSaved } from '../files/saved-manifest.ts';

const planOfSaved = new Map<string, string | null>();

export function savedWorkOf(stateFolder: string, plan: PlanPath): readonly string[] {
  const folder = join(stateFolder, 'saved');
  const isOfPlan = (id: string) => {
    const place = join(folder, id);
    if (!planOfSaved.has(place)) planOfSaved.set(place, planIn(stateFolder, id));
    return planOfSaved.get(place) === plan;
  };
  return namesIn(folder).filter(isOfPlan).sort();
}

/** Null also for what somebody broke: nothing shows it. */
function planIn(stateFolder: string, id: string): string | null {
  try {
    return readSaved(stateFolder, id)?.plan ?? null;
  } catch {
    return null;
  }
}
