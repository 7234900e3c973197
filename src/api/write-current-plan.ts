// Says which plan is meant when none is named, to people and to other programs.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlanPath } from '../core/ids.ts';
import { writeWhole } from '../status/whole-file.ts';
import { withOutage } from './with-outage.ts';
import type { Workspace } from './workspace.ts';

/** As a whole: whoever reads it meanwhile sees the one before. */
export function writeCurrentPlan({ currentPlanFile: file }: Workspace, path: PlanPath): string {
  return withOutage(`${path} could not be made the current plan in ${file}`, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, `${path}\n`);
    return file;
  });
}
