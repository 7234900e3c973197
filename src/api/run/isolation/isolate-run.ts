// The isolation of a run as it begins, as `--dry-run` and as `check` tell it.

import type { PlanPath } from '../../../core/model/ids.ts';
import type { Plan } from '../../../core/model/plan.ts';
import type { Isolation } from '../../../core/model/run-event.ts';
import { runnerIsAlive } from '../../../runner/runner-alive.ts';
import type { Store } from '../../../store/store.ts';
import { Refusal } from '../../refusal.ts';
import type { DryRunReport } from '../../reports/run.ts';
import type { IsolationOptions, RunOptions } from '../../signalbox.ts';
import type { Workspace } from '../../workspace.ts';
import { chooseTasks } from '../choose-tasks.ts';
import { type EarlierRuns, earlierRuns, noEarlierRuns } from '../earlier-runs.ts';
import { imaginePlan } from '../imagine-plan.ts';
import { refuseHindered, refuseHindrances } from '../ready-to-run.ts';
import { refuseSecondRun } from '../second-run.ts';
import { beginIsolation } from './begin-isolation.ts';
import { chooseIsolation, type IsolationAsked } from './choose-isolation.ts';

/** Whether coding agents get worktrees without being asked for. */
const worktreeByDefault = true;

type Environment = IsolationAsked['env'];

interface RunHere {
  readonly workspace: Workspace;
  readonly env: Environment;
}

/**
 * Whatever else refuses the run does so first: a run that never began leaves no branch behind. Whoever takes a run over goes on where it
 * works.
 * @param parsed the plan as it is loaded now; null: as the log has it
 */
export async function isolateRun(
  parts: RunHere & { readonly store: Store; readonly path: PlanPath },
  parsed: Plan | null,
  options: RunOptions,
): Promise<Isolation | null> {
  const { workspace, env, store, path } = parts;
  const { run, earlier, plan } = await store.read((state) => {
    const known = state.plans.get(path);
    const goesOn = options.takeOver && known?.run && runnerIsAlive(known.run, workspace.journalsFolder);
    if (!goesOn) refuseSecondRun(known, workspace);
    return { run: goesOn ? known!.run : null, earlier: earlierRuns(state, path), plan: parsed ?? known!.plan };
  });
  if (run) return run.isolation;
  if (isSurelyShared(plan, options, earlier)) return null;
  const about = parsed === null ? await asKnown(parts, options) : await asLoaded(parts, options);
  const begun = await beginIsolation(asking({ workspace, env }, about, options, earlier));
  for (const { text, kind } of begun.notes) options.onNotice?.(text, kind);
  return begun.isolation;
}

type About = Pick<IsolationAsked, 'plan' | 'selected'>;
type Parts = Parameters<typeof isolateRun>[0];

const asKnown = ({ store, path, workspace, env }: Parts, options: RunOptions): Promise<About> =>
  store.read((state) => {
    const plan = state.plans.get(path)!;
    const selected = chooseTasks(plan, options)?.selected ?? null;
    refuseHindered(workspace, plan, { selected, onFailure: options.onFailure ?? null, env });
    return { plan: plan.plan, selected };
  });

async function asLoaded({ store, path, workspace, env }: Parts, options: RunOptions): Promise<About> {
  const { plan, selected, hindrances } = await imaginePlan(workspace, { store }, path, { ...options, env });
  refuseHindrances(hindrances);
  return { plan: plan.plan, selected };
}

/** In a workspace without state, before there is any. */
export async function refuseIsolation(here: RunHere, { plan, selected }: About, options: RunOptions): Promise<void> {
  if (isSurelyShared(plan, options, noEarlierRuns)) return;
  await chooseIsolation(asking(here, { plan, selected }, options, noEarlierRuns));
}

/** Git is not asked where nothing speaks for worktrees. */
const isSurelyShared = (plan: Plan, options: IsolationOptions, { branch, unfinished }: EarlierRuns): boolean =>
  !worktreeByDefault &&
  (options.isolation ?? plan.isolation ?? null) === null &&
  !options.includeChanges &&
  branch === null &&
  unfinished !== 'worktree';

const asking = (
  { workspace, env }: RunHere,
  { plan, selected }: About,
  { isolation, includeChanges }: IsolationOptions,
  earlier: EarlierRuns,
): IsolationAsked => ({
  ...{ workspace, env, plan, selected, earlier },
  asked: isolation ?? null,
  includeChanges: includeChanges ?? false,
  byDefault: worktreeByDefault,
});

/** What a run would choose. Nothing is made. @param store null: there is none that can be believed */
export async function imagineIsolation(
  here: RunHere & { readonly store: Store | null },
  about: About,
  options: IsolationOptions,
): Promise<DryRunReport['isolation']> {
  const earlier = (await here.store?.read((state) => earlierRuns(state, about.plan.path))) ?? noEarlierRuns;
  const chosen = await chooseIsolation(asking(here, about, options, earlier));
  return {
    kind: chosen.kind,
    because: chosen.because,
    branch: chosen.kind === 'worktree' ? chosen.results.branch : null,
    // Remarks say no more than the reason.
    notes: chosen.notes.flatMap(({ text, kind }) => (kind === 'warning' ? text : [])),
  };
}

/** Of the attempts of a run that began now: nothing of it is made. Null: they would share the workspace, or the run be refused. */
export async function nextIsolation(
  here: RunHere & { readonly store: Store | null },
  plan: Plan,
): Promise<Isolation | null> {
  const earlier = (await here.store?.read((state) => earlierRuns(state, plan.path))) ?? noEarlierRuns;
  try {
    const chosen = await chooseIsolation(asking(here, { plan, selected: null }, {}, earlier));
    if (chosen.kind === 'shared') return null;
    const { ground, results, trees } = chosen;
    return { branch: results.branch, base: results.base, trees, prefix: ground.prefix };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

/** What a run would say about its ground, and why it would be refused; for `check`, which knows no state. */
export async function groundNotes(here: RunHere, plan: Plan): Promise<readonly string[]> {
  try {
    return (await imagineIsolation({ ...here, store: null }, { plan, selected: null }, {})).notes;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [`run refuses this plan: ${error.message}; ${error.instead}`];
  }
}
