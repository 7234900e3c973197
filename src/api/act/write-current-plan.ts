// Says which plan is meant when none is named, to people and to other programs.

import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defaultCurrentPlan } from '../../core/model/defaults.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { writeWhole } from '../../files/disk/write-whole.ts';
import type { StoreWithStatus } from '../../status/store-with-status.ts';
import { realPath } from '../files/real-path.ts';
import { withOutage } from '../files/with-outage.ts';
import { plansWithFiles } from '../look/plans-with-files.ts';
import type { Seen } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { SetReport } from '../reports/plan-files.ts';
import { contains, type Workspace } from '../workspace.ts';

export interface SetParts {
  readonly workspace: Workspace;
  readonly sound: () => Promise<Seen>;
  readonly loaded: (path: PlanPath) => Promise<StoreWithStatus>;
}

/** Everything that could refuse comes before anything is written. */
export async function setCurrentPlan(path: PlanPath, { workspace, sound, loaded }: SetParts): Promise<SetReport> {
  checkPlanName(path);
  await checkCurrentPlanFile(workspace, sound);
  const { files } = await loaded(path);
  await files.touch(path);
  return { plan: path, file: writeCurrentPlan(workspace, path) };
}

/** The file is one line and is read without the spaces around it, so the name of a plan must survive both. */
function checkPlanName(path: PlanPath): void {
  const isOneLine = !/\p{Cc}|[\u2028\u2029]/u.test(path);
  if (isOneLine && path.trim() === path) return;
  const what = isOneLine ? 'begins or ends with a space' : 'has a control character in its name';
  throw new Refusal(2, `${JSON.stringify(path)} cannot be the current plan: it ${what}`, {
    instead: 'the current plan is kept as one line of a file; rename the plan, or name it in each command',
  });
}

/** Over something that neither we nor a program that means the same has written, nothing is put: settings can name any file. */
async function checkCurrentPlanFile(workspace: Workspace, look: () => Promise<Seen>): Promise<void> {
  const { root, currentPlanFile: file } = workspace;
  const name = relative(root, file);
  const found = lstatSync(file, { throwIfNoEntry: false });
  const isOurs = !found || (found.isFile() && found.size <= longest && (await namesPlan(workspace, look)));
  if (isOurs && contains(realPath(root), realPath(dirname(file)))) return;
  const what = isOurs
    ? 'lies behind a link that leads out of the workspace'
    : 'does not name a plan: something else wrote it';
  throw new Refusal(2, `${name} ${what}, so it is left alone`, {
    instead: 'move it away, or name another file in signalbox.yaml: outputs: { current-plan: FILE }',
  });
}

/** Longer than any system allows for a file name. */
const longest = 65_536;

/**
 * At its usual place, also a plan that is not there any more. Anywhere else only one that we know: a `.dockerignore` names a file too,
 * and many a source file is empty.
 */
async function namesPlan(workspace: Workspace, look: () => Promise<Seen>): Promise<boolean> {
  const { root, currentPlanFile: file } = workspace;
  const [line = '', ...rest] = readFileSync(file, 'utf8').trim().split('\n');
  if (rest.length > 0) return false;
  if (file === resolve(root, defaultCurrentPlan))
    return line === '' || /\.(md|markdown|ya?ml)$/i.test(line) || existsSync(resolve(root, line));
  const { store } = await look();
  const known = store ? await store.read(({ plans }) => [...plans.keys()]) : [];
  return [...known, ...plansWithFiles(workspace)].some((path) => path === line);
}

/** Replaced whole: a reader sees the old name or the new one. */
function writeCurrentPlan({ currentPlanFile: file }: Workspace, path: PlanPath): string {
  return withOutage(`${path} could not be made the current plan in ${file}`, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, `${path}\n`);
    return file;
  });
}
