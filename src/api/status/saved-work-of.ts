// The saved work of one plan. Asked for with every status: what was read of a folder is remembered, as saved work never changes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanPath } from '../../core/ids.ts';
import type { Workspace } from '../workspace.ts';

const planOfSaved = new Map<string, string | null>();

export function savedWorkOf({ stateFolder }: Workspace, plan: PlanPath): readonly string[] {
  const folder = join(stateFolder, 'saved');
  return namesIn(folder).filter((id) => {
    const file = join(folder, id, 'manifest.json');
    if (!planOfSaved.has(file)) planOfSaved.set(file, planIn(file));
    return planOfSaved.get(file) === plan;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function planIn(file: string): string | null {
  try {
    const { plan } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof plan === 'string' ? plan : null;
  } catch {
    return null;
  }
}
