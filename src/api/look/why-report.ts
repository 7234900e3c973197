// Why a task is where it is: the reasons of the rules, with what only this machine knows.
import { existsSync } from 'node:fs';
import { outputFile } from '../../agents/process/attempt-files.ts';
import { explain, type Reason } from '../../core/explain/explain.ts';
import { attemptId } from '../../core/model/ids.ts';
import type { Settings } from '../../core/model/settings.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { World } from '../act/act.ts';
import { withUnattended } from '../locks/unattended.ts';
import type { WhyReport } from '../reports/why.ts';
import { findTask } from './find-task.ts';
import { repairFolder } from './repair-folder.ts';
import { notesOf } from './reports.ts';

export interface WhyParts {
  readonly settings: Settings;
  readonly world: World;
  /** Of attempts; null where there is no store. */
  readonly folder: string | null;
}

export function whyReport(
  state: State,
  plan: PlanState,
  task: string,
  { settings, world, folder }: WhyParts,
): WhyReport {
  const at = findTask(plan, task);
  const { status, reasons } = explain(state, plan, at, settings);
  const { id, title, optional } = plan.plan.tasks[at]!;
  const own = plan.tasks[at]!;
  const silent = unlogged(plan, at, reasons, folder);
  const repair = status === 'failed' || status === 'suspended' ? repairFolder(plan, at) : null;
  return {
    plan: plan.path,
    task: id,
    title,
    status,
    ...(optional ? { optional: true } : {}),
    reasons: reasons.map((reason) => withUnattended(state, reason, world)),
    ...notesOf(own),
    ...(own.finding === null ? {} : { finding: own.finding }),
    ...(own.incidents === null ? {} : { incidents: own.incidents }),
    ...(repair === null ? {} : { repair }),
    ...(silent.length === 0 ? {} : { unlogged: silent }),
    running: world.isRunning(plan),
  };
}

/** Failed tasks that left no log, of the task and what it waits for. Work by hand leaves none, so nobody is sent to look at it. */
function unlogged(plan: PlanState, task: number, reasons: readonly Reason[], folder: string | null): string[] {
  const causes = reasons.flatMap((reason) => (reason.kind === 'need' ? reason.causes : []));
  const tasks = new Set([plan.plan.tasks[task]!.id, ...causes.map((cause) => cause.task)]);
  return [...tasks].filter((id) => {
    const at = plan.index.get(id)!;
    const { status, token } = plan.tasks[at]!;
    if (status !== 'failed') return false;
    const attempt = attemptId(id, attemptNumber(plan, at));
    return folder === null || token === 0 || !existsSync(outputFile(folder, { token, attempt }));
  });
}
