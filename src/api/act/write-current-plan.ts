// Says which plan is meant when none is named, to people and to other programs.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import { writeWhole } from '../../files/write-whole.ts';
import { withOutage } from '../files/with-outage.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

/** The file is one line and is read without the spaces around it, so the name of a plan must survive both. */
export function checkPlanName(path: PlanPath): void {
  const isOneLine = !/\p{Cc}|[\u2028\u2029]/u.test(path);
  if (isOneLine && path.trim() === path) return;
  const what = isOneLine ? 'begins or ends with a space' : 'has a control character in its name';
  throw new Refusal(2, `${JSON.stringify(path)} cannot be the current plan: it ${what}`, {
    instead: 'the current plan is kept as one line of a file; rename the plan, or name it in each command',
  });
}

/** Replaced whole: a reader sees the old name or the new one. */
export function writeCurrentPlan({ currentPlanFile: file }: Workspace, path: PlanPath): string {
  return withOutage(`${path} could not be made the current plan in ${file}`, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, `${path}\n`);
    return file;
  });
}
