// Which attempt is meant, and where what it changed is known.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { commandLine } from '../../core/model/command-line.ts';
import { listWords } from '../../core/model/count-words.ts';
import type { PlanPath, TaskId } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import { attemptDiff } from '../../runner/attempts/attempt-diff.ts';
import { snapshotPlace } from '../../runner/attempts/attempt-snapshots.ts';
import { beforeName } from '../../runner/attempts/files-of-attempts.ts';
import { findAttempt } from '../look/find-task.ts';
import { refuseUnknown, type Seen, viewPlan } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { DiffReport } from '../reports/results.ts';
import type { Workspace } from '../workspace.ts';
import { apartIn, attemptChanges } from './attempt-changes.ts';
import { recordedWork } from './recorded-work.ts';

export interface DiffParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly repository: GitCaller;
  readonly path: PlanPath;
  readonly seen: Seen;
  readonly warn: (text: string) => void;
}

/** @param typed the id of a task or of one of its attempts */
export async function diffOf(
  { workspace, env, repository, path, seen, warn }: DiffParts,
  typed: string,
): Promise<DiffReport> {
  if (seen.broken) refuseUnknown(seen.broken, 'what attempts changed');
  const found = await viewPlan(workspace, seen, path, (_, plan) => meant(plan, typed), warn);
  const { store } = seen;
  if (!store) throw new Refusal(2, `${path} has never been run here`, { instead: 'run it: signalbox run' });
  const recorded = await recordedWork(store, path);
  const place = snapshotPlace(workspace, baseEnvironment(env));
  return attemptChanges({
    ...{ ...found, repository, plan: path, recorded },
    isApart: apartIn(workspace, recorded.isolation?.prefix ?? ''),
    inWorkspace: (token) => attemptDiff(place, beforeName(store, token)),
  });
}

function meant(plan: PlanState, typed: string): { task: TaskId; number: number | null } {
  const { task: at, number } = findAttempt(plan, typed);
  const { id, group } = plan.plan.tasks[at]!;
  if (group) refuseGroup(plan, at);
  return { task: id, number };
}

function refuseGroup({ plan: { tasks } }: PlanState, group: number): never {
  const own = tasks.flatMap(({ id, parent }) => (parent === group ? [id] : []));
  throw new Refusal(
    2,
    `${tasks[group]!.id} is a group and has no attempts of its own: its tasks are ${listWords(own)}`,
    own[0] === undefined ? {} : { instead: commandLine('diff', own[0]) },
  );
}
