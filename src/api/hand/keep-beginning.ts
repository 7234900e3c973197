// What the workspace is like when somebody begins a task by hand, for the agent that will review the work. Without it nobody reviews,
// and the review says why.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { takeSnapshot } from '../../git/snapshots/snapshot.ts';
import { snapshotPlace } from '../../runner/attempts/attempt-snapshots.ts';
import { beforeName } from '../../runner/attempts/files-of-attempts.ts';
import type { HandParts } from './hand-desk.ts';

export async function keepBeginning({ workspace, store, env }: HandParts, token: number): Promise<void> {
  const place = snapshotPlace(workspace, baseEnvironment(env));
  await takeSnapshot(place, beforeName(store, token)).catch(() => undefined);
}
