// How the checks stand before anything is done, so that nobody is blamed for what was broken already.
import type { PlanPath } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Workspace } from '../workspace.ts';
import { distinctChecks } from './distinct-checks.ts';
import { runChecks } from './run-checks.ts';

export interface BaselineParts {
  readonly workspace: Workspace;
  /** Where the checks run; null: they cannot run now, and the next run takes it. */
  readonly folder: () => Promise<string | null>;
  /** The checks are over. */
  readonly done: () => Promise<void>;
  readonly commandFolder: string;
  readonly store: Store;
  readonly plan: PlanPath;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Once per plan, before its first attempt. One that is interrupted says nothing, and the next run takes it again. */
export async function takeBaseline({ store, plan: path, folder: find, done, ...parts }: BaselineParts): Promise<void> {
  const checks = await store.read((state) => {
    const plan = state.plans.get(path)!;
    const isWanted = plan.plan.baseline === true && plan.baseline === null;
    if (!isWanted || plan.tasks.some(({ attempts }) => attempts > 0)) return null;
    return distinctChecks(plan, () => true);
  });
  if (checks === null) return;
  const folder = await find();
  if (folder === null) return;
  const runs = checks.length === 0 ? [] : await runChecks(checks, { ...parts, folder, plan: path });
  await done();
  if (parts.signal.aborted) return;
  const red = runs.filter(({ result }) => result !== 'passed').map(({ command }) => command);
  const failed = [...new Set(red)];
  const passed = runs.length - red.length;
  await store.transact((tx) => tx.record({ type: 'baseline-recorded', v: 1, plan: path, failed, passed }));
}
