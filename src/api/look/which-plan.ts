// Which plan a command means: the one it names, else the one of the attempt it is called from, else the current one, else the
// only one known.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type PlanPath, planPath } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import { readStart } from '../files/read-text.ts';
import { Refusal } from '../refusal.ts';
import { planPathOf, type Workspace } from '../workspace.ts';

export interface Asking {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function whichPlan(
  workspace: Workspace,
  asking: Asking,
  named: string | undefined,
  openStore: () => Promise<Store | null>,
): Promise<PlanPath> {
  const found = await planMeant(workspace, asking, named, openStore);
  if (typeof found !== 'number') return found;
  throw new Refusal(2, found === 0 ? 'no plan is known here' : `${found} plans are known here`, {
    instead: 'name the plan, or choose one: signalbox set PLAN',
  });
}

/** A number: that many are known here, and none of them is meant. */
export async function planMeant(
  workspace: Workspace,
  asking: Asking,
  named: string | undefined,
  openStore: () => Promise<Store | null>,
): Promise<PlanPath | number> {
  if (named !== undefined) return planPathOf(workspace, asking.cwd, named);
  const { SIGNALBOX_PLAN: given, SIGNALBOX_WORKSPACE: of } = asking.env;
  if (given && (of === undefined || of === workspace.root)) return planPathOf(workspace, workspace.root, given);
  const current = currentPlan(workspace);
  if (current !== null && existsSync(join(workspace.root, current))) return current;
  const store = await openStore();
  const known = store ? await store.read((state) => [...state.plans.keys()]) : [];
  if (current !== null) {
    if (known.includes(current)) return current;
    const file = relative(workspace.root, workspace.currentPlanFile);
    throw new Refusal(2, `the current plan ${current} does not exist; ${file} names it`, {
      instead: 'choose another: signalbox set PLAN',
    });
  }
  return known.length === 1 ? known[0]! : known.length;
}

/** Longer than any system allows for a file name. */
const longestName = 65_536;

export function currentPlan(workspace: Workspace): PlanPath | null {
  if (!existsSync(workspace.currentPlanFile)) return null;
  const name = relative(workspace.root, workspace.currentPlanFile);
  const [first = ''] = readStart(workspace.currentPlanFile, name, longestName).split('\n');
  return first.trim() === '' ? null : planPath(planPathOf(workspace, workspace.root, first.trim()));
}
