// Plans whose status files are there, though the log knows nothing of them or cannot be read.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PlanPath, planPath } from '../../core/model/ids.ts';
import { outputPlaces, ownerOf } from '../../status/output-places.ts';
import type { Workspace } from '../workspace.ts';

export function plansWithFiles(workspace: Workspace): PlanPath[] {
  const { outputsFolder, root } = workspace;
  if (!existsSync(outputsFolder)) return [];
  const owners = readdirSync(outputsFolder).map((name) => ownerOf(outputPlaces(workspace, join(outputsFolder, name))));
  return [...new Set(owners)].flatMap((path) =>
    path !== null && existsSync(join(root, path)) ? [planPath(path)] : [],
  );
}
