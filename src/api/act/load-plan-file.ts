// Loads a plan file into the log: the first time, with the state in `status.json` if the log was lost; or again, by `reload`.
import { accept, refuse } from '../../core/commands/accept-or-refuse.ts';
import type { Revision } from '../../core/commands/match-revision.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { importInto } from '../../status/import-status.ts';
import type { Store } from '../../store/store.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import type { ReloadReport } from '../reports/plan-files.ts';
import type { Workspace } from '../workspace.ts';
import { type Acting, act } from './act.ts';
import { forceRevision, hasSameLinks, loadRevision } from './load-revision.ts';

export interface LoadParts<S extends Store> {
  readonly workspace: Workspace;
  readonly path: PlanPath;
  readonly create: () => Promise<S>;
  readonly warn: (text: string) => void;
}

/** For a plan that the store does not know, or without a store. Returns the store that knows it. */
export async function loadPlanFile<S extends Store>({ workspace, path, create, warn }: LoadParts<S>): Promise<S> {
  const file = readPlanFile(workspace, path);
  const definition = await validPlan(workspace, file);
  // Not before: a mistyped name leaves nothing behind.
  const store = await create();
  const words = await store.transact((tx) => {
    const load = tx.state.plans.has(path) ? null : loadRevision(undefined, definition, file.revision);
    if (!load) return [];
    tx.record(load);
    return importInto(tx, workspace, path);
  });
  for (const text of words) warn(text);
  await store.snapshot({ atEnd: true });
  return store;
}

export async function reloadPlanFile(workspace: Workspace, acting: Acting): Promise<ReloadReport> {
  const { path } = acting;
  const file = readPlanFile(workspace, path);
  const definition = await validPlan(workspace, file);
  let match: Revision | undefined;
  await act(
    acting,
    (known) => {
      if (known.live > 0)
        return refuse(`attempts of ${path} are running`, 'wait for them to end, or stop them: signalbox stop');
      const forced = forceRevision(known, definition, file.revision);
      match = forced.match;
      const isSame = known.revision === file.revision && hasSameLinks(known.plan, definition);
      return accept(isSame ? [] : [forced.event]);
    },
    () => undefined,
  );
  const { added, removed, kept, changed, planChanges, conflicts } = match!;
  const rewritten = conflicts.filter(({ what }) => what === 'changed').map(({ task }) => task);
  return { plan: path, added, removed, kept, changed, planChanges, rewritten };
}
