// Loads a plan file into the log: the first time, with the state in `status.json` if the log was lost; or again, by `reload`.
import { accept } from '../../core/commands/accept-or-refuse.ts';
import { differenceIn, type Revision } from '../../core/commands/match-revision.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { importInto } from '../../status/import-status.ts';
import type { Store } from '../../store/store.ts';
import { approvedPlan } from '../approval/approved-plan.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { Refusal } from '../refusal.ts';
import type { ReloadReport } from '../reports/plan-files.ts';
import { unfitFor } from '../run/followed-plan.ts';
import type { Workspace } from '../workspace.ts';
import { type Acting, act } from './act.ts';
import { loadRevision, reloadRevision } from './load-revision.ts';

export interface LoadParts<S extends Store> {
  readonly workspace: Workspace;
  readonly path: PlanPath;
  readonly create: () => Promise<S>;
  readonly warn: (text: string) => void;
}

/** For a plan that the store does not know, or without a store. Returns the store that knows it. */
export async function loadPlanFile<S extends Store>({ workspace, path, create, warn }: LoadParts<S>): Promise<S> {
  const file = readPlanFile(workspace, path);
  const definition = await approvedPlan(workspace, file);
  // Not before: a mistyped name leaves nothing behind.
  const store = await create();
  const words = await store.transact((tx) => {
    if (tx.state.plans.has(path)) return [];
    for (const event of loadRevision(undefined, definition, file.revision).events) tx.record(event);
    return importInto(tx, workspace, path);
  });
  for (const text of words) warn(text);
  await store.snapshot({ atEnd: true });
  return store;
}

export interface Reloading extends Acting {
  /** Who asks for it. */
  readonly by: string;
  /** Of whoever asks: agents are looked for on its PATH. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Also while the plan runs: what runs keeps what it was started with. */
export async function reloadPlanFile(workspace: Workspace, acting: Reloading): Promise<ReloadReport> {
  const { path, by, env, isRunning } = acting;
  const file = readPlanFile(workspace, path);
  const definition = await approvedPlan(workspace, file);
  let match: Revision | undefined;
  await act(
    acting,
    (known) => {
      const loading = reloadRevision(known, definition, file.revision, by);
      match = loading.match;
      return accept(loading.events);
    },
    (plan) => {
      const unfit = isRunning(plan) ? unfitFor(workspace, plan, env) : null;
      if (unfit !== null) throw new Refusal(3, unfit, { instead: 'the run goes on with what it had; mend the plan' });
    },
  );
  const { conflicts, ...difference } = match!;
  const rewritten = conflicts.filter(({ what }) => what === 'changed').map(({ task }) => task);
  const changed = difference.changed.filter((id) => !rewritten.includes(id));
  return { plan: path, ...differenceIn({ ...difference, changed }), rewritten };
}
