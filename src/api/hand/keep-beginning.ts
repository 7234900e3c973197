// What the workspace is like when somebody begins a task by hand, for the agent that will review the work. Without it nobody reviews,
// and the review says why.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { takeSnapshot } from '../../git/snapshots/snapshot.ts';
import { snapshotPlace } from '../../runner/attempts/attempt-snapshots.ts';
import { beforeName } from '../../runner/attempts/files-of-attempts.ts';
import { findTask } from '../look/find-task.ts';
import type { HandParts } from './hand-desk.ts';

export async function keepBeginning({ workspace, store, path, env }: HandParts, task: string): Promise<void> {
  const token = await store.read((state) => {
    const plan = state.plans.get(path)!;
    const i = findTask(plan, task);
    return plan.plan.tasks[i]!.keys.review === 'agent' ? plan.tasks[i]!.token : null;
  });
  if (token === null) return;
  const place = snapshotPlace(workspace, baseEnvironment(env));
  await takeSnapshot(place, beforeName(store, token)).catch(() => undefined);
}
