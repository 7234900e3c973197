// The plans that are known here: from the store, or from the status files where the store cannot be read.
import type { PlansReport } from '../reports/status.ts';
import type { Workspace } from '../workspace.ts';
import { plansWithFiles } from './plans-with-files.ts';
import { type IsRunning, plansReport } from './reports.ts';
import { brokenWords, type Seen } from './state-view.ts';
import { viewFile } from './view-file.ts';
import { currentPlan } from './which-plan.ts';

export async function plansSeen(
  workspace: Workspace,
  { store, broken }: Seen,
  isRunning: IsRunning,
  warn: (text: string) => void,
): Promise<PlansReport> {
  const current = currentPlan(workspace);
  if (store) return store.read((state) => plansReport(state, current, isRunning));
  if (!broken) return { current, plans: [] };
  warn(brokenWords(broken));
  const views = await Promise.all(plansWithFiles(workspace).map((path) => viewFile(workspace, path)));
  return { current, plans: views.flatMap(({ state }) => plansReport(state, current, isRunning).plans) };
}
