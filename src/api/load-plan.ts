// Makes the log know a plan: from its file, with what is known about it from elsewhere when the log was lost; or again, as `reload` does it.
import type { PlanPath } from '../core/ids.ts';
import type { Store } from '../store/store.ts';
import { forceRevision, hasSameLinks, loadRevision } from './load-revision.ts';
import { readPlanFile, validPlan } from './plan-file.ts';
import { Refusal } from './refusal.ts';
import type { ReloadReport } from './signalbox.ts';
import { importInto } from './status/import-status.ts';
import type { Workspace } from './workspace.ts';

export interface LoadParts<S extends Store> {
  readonly workspace: Workspace;
  readonly path: PlanPath;
  readonly create: () => Promise<S>;
  readonly warn: (text: string) => void;
}

/** For a plan that the store does not know, or when there is none: the store, which knows it then. */
export async function loadPlan<S extends Store>({ workspace, path, create, warn }: LoadParts<S>): Promise<S> {
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

/** @param store one that knows the plan. */
export async function reloadPlan(workspace: Workspace, store: Store, path: PlanPath): Promise<ReloadReport> {
  const file = readPlanFile(workspace, path);
  const definition = await validPlan(workspace, file);
  return store.transact((tx) => {
    const known = tx.state.plans.get(path)!;
    if (known.live > 0) {
      throw new Refusal(2, `attempts of ${path} are running`, {
        instead: 'let them end, or stop them with: signalbox stop',
      });
    }
    const { event, match } = forceRevision(known, definition, file.revision);
    if (known.revision !== file.revision || !hasSameLinks(known.plan, definition)) tx.record(event);
    const { added, removed, kept, changed, planChanges, conflicts } = match;
    const rewritten = conflicts.filter(({ what }) => what === 'changed').map(({ task }) => task);
    return { plan: path, added, removed, kept, changed, planChanges, rewritten };
  });
}
