// The door to what attempts have made: landed, looked at, brought back, cleaned up.
import type { PlanPath } from '../../core/model/ids.ts';
import { planStatus } from '../../core/state/questions/plan-status.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { IsRunning } from '../look/reports.ts';
import { refuseUnknown, viewPlan } from '../look/state-view.ts';
import type { StoreDoor } from '../open-store.ts';
import type { CleanReport, DiffReport, LandReport } from '../reports/results.ts';
import type { SavedListReport, SavedRestoreReport, SavedShowReport } from '../reports/saved.ts';
import type { Workspace } from '../workspace.ts';

export interface ResultsDoor {
  /** Brings the results of a run with worktrees to the person's branch. */
  land(plan: string | undefined, options: LandOptions): Promise<LandReport>;
  /** What an attempt changed. @param task an id, or one of its attempts: `api#2`; else the last one is meant */
  diff(plan: string | undefined, task: string): Promise<DiffReport>;
  /** What is no longer needed of the trees and branches of a plan; with `yes` it is removed. */
  clean(plan: string | undefined, options: { readonly yes?: boolean }): Promise<CleanReport>;

  /** Work of attempts that is not among the results: copies, and branches that were not merged. @param plan absent: of all plans */
  savedList(plan?: string): Promise<SavedListReport>;
  savedShow(id: string): Promise<SavedShowReport>;
  /** Writes the saved files back into the workspace, or into another folder. */
  savedRestore(id: string, options: SavedRestoreOptions): Promise<SavedRestoreReport>;
}

export interface LandOptions {
  /** Only tells what would happen. */
  readonly dryRun?: boolean;
}

export interface SavedRestoreOptions {
  /** Another folder than the workspace. */
  readonly to?: string;
  /** Also over files that were changed since. */
  readonly force?: boolean;
}

export interface ResultsParts {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: StoreDoor;
  readonly isRunning: IsRunning;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly warn: (text: string) => void;
}

export function openResultsDoor(parts: ResultsParts): ResultsDoor {
  const { workspace, store, isRunning, which, warn } = parts;
  const git = async () => (await import('./repository-of.ts')).repositoryOf(parts);
  const saved = async () => ({ ...parts, repository: await git(), seen: await store.sound() });
  return {
    async land(plan, { dryRun = false }) {
      const { landResults } = await import('./land-results.ts');
      const { recordedWork } = await import('./recorded-work.ts');
      if (!dryRun) await store.refuseForeign();
      const path = await which(plan);
      const seen = await store.sound();
      const found = await viewPlan(
        ...([workspace, seen, path] as const),
        (_, state) => ({
          ...{ title: state.plan.title, isRunning: isRunning(state), hasRun: state.history.length > 0 },
        }),
        warn,
      );
      const recorded = await recordedWork(seen.store, path);
      const landing = { repository: await git(), plan: path, title: found.title, ...recorded };
      return landResults(landing, { dryRun, isRunning: found.isRunning, hasRun: found.hasRun });
    },
    async diff(plan, typed) {
      const { diffOf } = await import('./diff-of.ts');
      return diffOf({ ...parts, repository: await git(), path: await which(plan), seen: await store.sound() }, typed);
    },
    async clean(plan, { yes = false }) {
      const { cleanUp } = await import('./clean-up.ts');
      const { recordedWork } = await import('./recorded-work.ts');
      if (yes) await store.refuseForeign();
      const path = await which(plan);
      const seen = await store.sound();
      if (seen.broken) refuseUnknown(seen.broken, 'what is still needed');
      const found = await viewPlan(
        ...([workspace, seen, path] as const),
        (_, state) => standing(state, isRunning),
        warn,
      );
      const recorded = await recordedWork(seen.store, path);
      return cleanUp({ ...found, repository: await git(), plan: path, recorded }, yes);
    },
    async savedList(plan) {
      await store.mentionFiles();
      const path = plan === undefined ? null : await which(plan);
      const { saved: all } = await (await import('./saved-results.ts')).listAll(await saved());
      return { saved: path === null ? all : all.filter((work) => work.plan === path) };
    },
    async savedShow(id) {
      await store.mentionFiles();
      return (await import('./saved-results.ts')).showOne(await saved(), id);
    },
    async savedRestore(id, options) {
      await store.refuseForeignFiles();
      return (await import('./saved-results.ts')).restoreOne(await saved(), id, options);
    },
  };
}

function standing(plan: PlanState, isRunning: IsRunning) {
  const isGoingOn = isRunning(plan);
  return {
    statuses: new Map(plan.plan.tasks.map(({ id }, i) => [id, statusOf(plan, i)])),
    isRunning: isGoingOn,
    isComplete: planStatus(plan, isGoingOn) === 'completed',
  };
}
