// What a run with worktrees has gathered, at its end: landed if the plan says so and everything is complete, else what landing would do.
import type { PlanState, RunState } from '../../core/state/state.ts';
import type { LandReport } from '../reports/results.ts';
import { landResults } from '../results/land-results.ts';
import { repositoryOf } from '../results/repository-of.ts';
import type { Workspace } from '../workspace.ts';

export interface ResultsParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Null: it worked in the workspace. */
export async function resultsOfRun(
  { run, plan }: { readonly run: RunState; readonly plan: PlanState['plan'] },
  parts: ResultsParts,
): Promise<LandReport | null> {
  const { isolation, ended } = run;
  if (isolation === null) return null;
  const isLanded = plan.land === 'merge' && ended?.outcome === 'complete';
  const landing = { repository: repositoryOf(parts), plan: plan.path, title: plan.title, isolation, lastMerge: null };
  return landResults(landing, { dryRun: !isLanded, isRunning: false });
}
