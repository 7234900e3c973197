// Everything that was saved: copies of shared runs, and what runs with worktrees left on branches.
import type { PlanState } from '../../core/state/state.ts';
import { topOf } from '../../git/commits/checkout.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import type { IsRunning } from '../look/reports.ts';
import type { Seen } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { SavedListReport, SavedRestoreReport, SavedShowReport } from '../reports/saved.ts';
import { hasCopy, restoreWork, savedListReport, savedShowReport } from '../saved/saved-work.ts';
import type { Workspace } from '../workspace.ts';
import { apartIn } from './attempt-changes.ts';
import { recordedWork } from './recorded-work.ts';
import type { SavedRestoreOptions } from './results-door.ts';
import { type PlanResults, type UnmergedWork, unmergedWork } from './unmerged-work.ts';
import { type Copies, withCopies } from './work-as-copies.ts';

export interface SavedParts {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly repository: GitCaller;
  readonly seen: Seen;
  readonly isRunning: IsRunning;
  readonly warn: (text: string) => void;
}

export async function listAll(parts: SavedParts): Promise<SavedListReport> {
  const { saved } = savedListReport(parts.workspace);
  const work = (await found(parts)).map(({ id, task, attempt, plan, at, reason, files, branch, commits }) => ({
    ...{ id, task, attempt, plan, at: new Date(at).toISOString(), reason, files, branch, commits },
  }));
  return { saved: [...saved, ...work].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)) };
}

export async function showOne(parts: SavedParts, id: string): Promise<SavedShowReport> {
  const work = await branchOf(parts, id);
  if (work === null) return savedShowReport(parts.workspace, id);
  const report = await withWork(parts, work, async (place, copies) => savedShowReport(place, copies.id));
  return { ...report, id: work.id, branch: work.branch, commits: work.commits };
}

export async function restoreOne(
  parts: SavedParts,
  id: string,
  options: SavedRestoreOptions,
): Promise<SavedRestoreReport> {
  const { workspace, cwd } = parts;
  const work = await branchOf(parts, id);
  if (work === null) return restoreWork(workspace, cwd, id, options);
  return withWork(parts, work, (place, copies) => restoreWork(place, cwd, copies.id, options, work.id));
}

/** Null: copies were saved under this id, or nobody says that it is a branch. */
async function branchOf(parts: SavedParts, id: string): Promise<UnmergedWork | null> {
  if (hasCopy(parts.workspace, id)) return null;
  const all = await found(parts);
  const exact = all.find((one) => one.id === id);
  const meant = exact
    ? [exact]
    : all.filter((one) => one.attempt === id || one.branch === id || one.id.endsWith(`/${id}`));
  if (meant.length === 1) return meant[0]!;
  if (meant.length > 1)
    throw new Refusal(2, `${id} was saved several times: ${meant.map((one) => one.id).join(', ')}`, {
      instead: 'type the whole id',
    });
  const near = nearest(id, [
    ...all.map((one) => one.id),
    ...savedListReport(parts.workspace).saved.map((one) => one.id),
  ]);
  if (near === undefined) return null;
  throw new Refusal(2, `nothing was saved as ${id}`, { instead: `did you mean ${near}?` });
}

/** Where git cannot say it, the copies are all that is shown. */
async function found({ workspace, repository, seen, isRunning, warn }: SavedParts): Promise<UnmergedWork[]> {
  const { store } = seen;
  if (!store) return [];
  const known = await store.read((state) => [...state.plans.values()].map((plan) => about(plan, isRunning)));
  const plans: PlanResults[] = [];
  for (const plan of known) {
    const recorded = await recordedWork(store, plan.plan);
    plans.push({ ...plan, recorded, isApart: apartIn(workspace, recorded.isolation?.prefix ?? '') });
  }
  try {
    return await unmergedWork(repository, plans);
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    warn(`what attempts left on branches cannot be known: ${error.message}`);
    return [];
  }
}

/** An attempt of a run that was killed is not at work, whatever the log says. */
function about(plan: PlanState, isRunning: IsRunning): Omit<PlanResults, 'recorded' | 'isApart'> {
  const live = isRunning(plan) ? plan.tasks.flatMap((task) => (task.live ? [task.live.attempt] : [])) : [];
  return { plan: plan.path, live: new Set<string>(live) };
}

async function withWork<T>(
  { workspace, repository }: SavedParts,
  work: UnmergedWork,
  use: (place: Workspace, copies: Copies) => Promise<T>,
): Promise<T> {
  const root = await topOf(repository, workspace.root);
  const isApart = apartIn({ ...workspace, root }, '');
  return withCopies({ repository, work, root, isApart }, (copies) =>
    use({ ...workspace, root, stateFolder: copies.stateFolder }, copies),
  );
}
