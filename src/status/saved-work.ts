// The saved work of one plan. Asked for with every status: what was read of a folder is remembered, as saved work never changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanPath } from '../core/model/ids.ts';
import { namesIn } from '../files/names-in.ts';

const planOfSaved = new Map<string, string | null>();

export function savedWorkOf(stateFolder: string, plan: PlanPath): readonly string[] {
  const folder = join(stateFolder, 'saved');
  const isOfPlan = (id: string) => {
    const file = join(folder, id, 'manifest.json');
    if (!planOfSaved.has(file)) planOfSaved.set(file, planIn(file));
    return planOfSaved.get(file) === plan;
  };
  return namesIn(folder).filter(isOfPlan).sort();
}

function planIn(file: string): string | null {
  try {
    const { plan } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof plan === 'string' ? plan : null;
  } catch {
    return null;
  }
}
