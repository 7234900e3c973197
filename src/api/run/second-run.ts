// A plan is run by one process at a time.
import type { PlanState } from '../../core/state/state.ts';
import { runnerIsAlive } from '../../runner/runner-alive.ts';
import { describeTime } from '../clock-words.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

export function refuseSecondRun(known: PlanState | undefined, workspace: Workspace): void {
  if (!known?.run || !runnerIsAlive(known.run, workspace.journalsFolder)) return;
  const since = describeTime(known.run.startedAt, Date.now());
  throw new Refusal(8, `${known.path} is already being run by process ${known.run.runner.pid} since ${since}`, {
    instead: 'follow it: signalbox attach; see where it is: signalbox status',
  });
}
