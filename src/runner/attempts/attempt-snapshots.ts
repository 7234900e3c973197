// What the workspace was like when attempts began, for those whose work somebody will have to judge.
import type { Task } from '../../core/model/plan.ts';
import type { Settings } from '../../core/model/settings.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import type { State } from '../../core/state/state.ts';
import { nameOf } from '../../files/disk/disk-name.ts';
import { isNeverKept } from '../../files/disk/tree-path.ts';
import { forgetSnapshots, type SnapshotPlace, takeSnapshot } from '../../git/snapshots/snapshot.ts';
import type { Store } from '../../store/store.ts';
import type { RunSite } from '../run-site.ts';
import { beforeName } from './files-of-attempts.ts';
import { openTokens } from './unjudged.ts';

/** Whether a reviewer or a debugging agent may want to see what its attempts change. */
export const isCompared = ({ keys }: Task, { escalationAgent }: Settings): boolean =>
  keys.review === 'agent' || (escalationAgent !== undefined && keys.run === undefined);

export const snapshotPlace = (
  { root, stateFolder: folder }: Pick<RunSite, 'root' | 'stateFolder'>,
  environment: Readonly<Record<string, string>>,
): SnapshotPlace => ({ root, folder, environment, isApart: (path) => isNeverKept(nameOf(path)) });

interface BeginningParts {
  readonly site: Parameters<typeof snapshotPlace>[0];
  readonly store: Pick<Store, 'workspace'>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Throws where there is no git, or it cannot be kept. */
export const keepBeginning = ({ site, store, environment }: BeginningParts, token: number): Promise<void> =>
  takeSnapshot(snapshotPlace(site, environment), beforeName(store, token));

/** Those of tasks that are done. */
export async function forgetOldSnapshots(place: SnapshotPlace, store: Store): Promise<void> {
  const needed = await store.read(
    (state) => new Set([...neededTokens(state)].map((token) => beforeName(store, token))),
  );
  await forgetSnapshots(place, (name) => needed.has(name));
}

/** The last attempt of a task that is not done may be asked about when it is escalated. */
function neededTokens(state: State): Set<number> {
  const needed = openTokens(state);
  for (const plan of state.plans.values()) {
    plan.tasks.forEach(({ token }, i) => {
      const status = statusOf(plan, i);
      if (status !== 'completed' && status !== 'skipped') needed.add(token);
    });
  }
  return needed;
}
