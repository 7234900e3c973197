// What a run comes to: its outcome, what failed and why, what is left.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { type AttemptName, attemptsFolderOf, outputFile } from '../../agents/process/attempt-files.ts';
import { tailOfLog } from '../../agents/stream/tail-of-log.ts';
import { heldBack } from '../../core/explain/held-back.ts';
import { blockedTasks } from '../../core/explain/stuck.ts';
import { attemptId, type PlanPath } from '../../core/model/ids.ts';
import { selectLeaves } from '../../core/model/selection.ts';
import { pausedBy } from '../../core/rules/outcome.ts';
import { countedMs } from '../../core/state/clock-state.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import type { PlanState, RunState, State } from '../../core/state/state.ts';
import type { LeftEdit } from '../../runner/loop/edit-watch.ts';
import type { Store } from '../../store/store.ts';
import type { RunReport } from '../reports/run.ts';
import type { Workspace } from '../workspace.ts';

/** What was done by hand has left none. */
const logOf = (file: string): string | null => (existsSync(file) ? file : null);

/** Reading the end of 100,000 files would take longer than the run. */
const mostTails = 20;

function costOf({ spent: { usd, priced, unknown } }: RunState): RunReport['cost'] {
  return priced + unknown === 0 ? null : { usd, unknown };
}

function blockedIn(plan: PlanState, selected: Uint8Array | null): RunReport['blocked'] {
  return blockedTasks(plan, selected).map(({ task, causes }) => {
    const { closes } = plan.plan.tasks[plan.index.get(task)!]!;
    return { task, ...(closes === undefined ? {} : { closes }), causes };
  });
}

/** Those that have no room for what is left to do. */
const budgetsOf = (state: State, plan: PlanState, selected: Uint8Array | null): RunReport['budgets'] =>
  heldBack(state, plan, selected).flatMap((held) => {
    if (held.kind !== 'budget') return [];
    const { kind: _, ...budget } = held;
    return budget;
  });

export interface ReportParts {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly path: PlanPath;
}

export function runReport(
  state: State,
  run: RunState,
  { workspace, store, path }: ReportParts,
  edit: LeftEdit | null,
): Omit<RunReport, 'results'> {
  const plan = state.plans.get(path)!;
  const ended = run.ended!;
  const folder = attemptsFolderOf(workspace, store);
  const failed: RunReport['failed'][number][] = [];
  const skipped: string[] = [];
  const skippedClosing: string[] = [];
  const oldText: string[] = [];
  let said: readonly string[] = [];
  const endOf = (name: AttemptName) => tailOfLog(folder, name, workspace.root, { lines: 5, maxBytes: 2_000 });
  plan.plan.tasks.forEach(({ id, group, optional, closes }, i) => {
    const task = plan.tasks[i]!;
    if (group) return;
    if (task.status === 'completed' && task.startedWith !== null) oldText.push(id);
    if (task.status === 'skipped') skipped.push(id);
    if (task.status === 'skipped' && closes !== undefined) skippedClosing.push(id);
    const name = { token: task.token, attempt: attemptId(id, attemptNumber(plan, i)) };
    if (closes === 'plan' && task.status === 'completed' && task.token !== 0) said = endOf(name);
    if (task.status !== 'failed') return;
    const file = task.token === 0 ? null : logOf(outputFile(folder, name));
    const isShown = file !== null && failed.length < mostTails;
    failed.push({
      task: id,
      ...(closes === undefined ? {} : { closes }),
      failure: task.failure!,
      optional: optional ?? false,
      log: file && relative(workspace.root, file),
      tail: isShown ? endOf(name) : [],
    });
  });
  const selected = run.selection && selectLeaves(plan, run.selection);
  return {
    plan: path,
    run: run.run,
    seq: state.seq,
    at: ended.at,
    outcome: ended.outcome,
    exitCode: ended.exitCode,
    summary: ended.summary,
    blocked: ended.outcome === 'complete' || ended.outcome === 'failed' ? [] : blockedIn(plan, selected),
    failed,
    skipped,
    skippedClosing,
    decisions: [...plan.decisions.values()],
    durationMs: countedMs(state.clock.steps, run.begunAt, ended.at),
    cost: costOf(run),
    pausedBy: ended.outcome === 'paused' ? pausedBy(state, plan) : null,
    budgets: ended.outcome === 'paused' ? budgetsOf(state, plan, selected) : [],
    said,
    edit,
    oldText,
  };
}
