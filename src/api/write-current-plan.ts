// Says which plan is meant when none is named, to people and to other programs.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlanPath } from '../core/ids.ts';
import { writeWhole } from '../status/whole-file.ts';
import { Refusal } from './refusal.ts';
import { withOutage } from './with-outage.ts';
import type { Workspace } from './workspace.ts';

/** The file is one line, which is read without the spaces around it: it can name no plan that has more than that. */
export function checkPlanName(path: PlanPath): void {
  const isOneLine = !/\p{Cc}|[\u2028\u2029]/u.test(path);
  if (isOneLine && path.trim() === path) return;
  const what = isOneLine ? 'begins or ends with a space' : 'has a control character in its name';
  throw new Refusal(2, `${JSON.stringify(path)} cannot be the current plan: it ${what}`, {
    instead: 'the file that says which plan is current is one line; rename the plan, or name it each time',
  });
}

/** As a whole: whoever reads it meanwhile sees the one before. */
export function writeCurrentPlan({ currentPlanFile: file }: Workspace, path: PlanPath): string {
  return withOutage(`${path} could not be made the current plan in ${file}`, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, `${path}\n`);
    return file;
  });
}
