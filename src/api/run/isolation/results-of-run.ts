// What a run with worktrees has gathered, at its end: landed if the plan says so and everything is complete, else what landing would do.
import type { Isolation } from '../../../core/model/run-event.ts';
import type { PlanState, RunState } from '../../../core/state/state.ts';
import { nameOf, shownName } from '../../../files/disk/disk-name.ts';
import { changedEntries } from '../../../git/commits/changed-entries.ts';
import { type GitCaller, GitTrouble } from '../../../git/git-caller.ts';
import { commitOf } from '../../../git/trees/trees.ts';
import type { LandReport } from '../../reports/results.ts';
import { landResults } from '../../results/land-results.ts';
import { repositoryOf } from '../../results/repository-of.ts';
import type { Workspace } from '../../workspace.ts';

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
  const report = await landResults(landing, { dryRun: !isLanded, isRunning: false });
  return report.result === 'refused' ? { ...report, ...(await gathered(landing.repository, isolation)) } : report;
}

/** A refusal names what is in its way; whoever reads the end of a run wants to know what there is. */
async function gathered(
  repository: GitCaller,
  { branch, base }: Isolation,
): Promise<Partial<Pick<LandReport, 'commits' | 'files'>>> {
  try {
    const tip = await commitOf(repository, `refs/heads/${branch}`);
    const mine = await commitOf(repository, 'HEAD');
    if (tip === null) return {};
    const { bytes } = await repository.run({ args: ['merge-base', mine ?? base, tip], answers: [0, 1] });
    const from = bytes.toString('latin1').trim() || base;
    const commits = Number(await repository.line({ args: ['rev-list', '--count', `${mine ?? base}..${tip}`] }));
    const entries = await changedEntries(repository, ['diff-tree', '-r', '--no-renames', from, tip]);
    return { commits, files: entries.map(({ path }) => shownName(nameOf(path))) };
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    return {}; // the report says why
  }
}
