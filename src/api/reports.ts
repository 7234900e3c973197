// What the queries answer, computed from the state: plain data in the shapes of the contract.

import { fullFor } from '../core/capacity.ts';
import { RootCauses } from '../core/cascade.ts';
import { limitsFor } from '../core/defaults.ts';
import type { Limits } from '../core/event.ts';
import { LEAF } from '../core/graph.ts';
import { nextTasks } from '../core/next-tasks.ts';
import { noCounts } from '../core/no-counts.ts';
import { noteOn } from '../core/note.ts';
import { type Summary, summaryOf } from '../core/outcome.ts';
import type { Task } from '../core/plan.ts';
import { admissionOf } from '../core/plan-locks.ts';
import { lastRun, planStatus } from '../core/plan-status.ts';
import { leafStatus } from '../core/refresh.ts';
import { verdictOn } from '../core/retry.ts';
import type { Settings } from '../core/settings.ts';
import type { PlanState, State, Status, TaskState } from '../core/state.ts';
import { statusOf } from '../core/status.ts';
import { codeOf, statuses } from '../core/status-code.ts';
import type {
  FoldedPhase,
  NextReport,
  PlansReport,
  ProgressReport,
  Stage,
  StatusOptions,
  StatusReport,
  TaskReport,
} from './signalbox.ts';

/** Whether a run of the plan goes on, judged by the living process. */
export type IsRunning = (plan: PlanState) => boolean;

export function statusReport(plan: PlanState, isRunning: IsRunning, { foldAbove }: StatusOptions = {}): StatusReport {
  const causes = new RootCauses(plan, plan.run?.limits ?? null);
  const report = { ...standing(plan, isRunning), decisions: [...plan.decisions.values()] };
  if (foldAbove !== undefined && plan.tasks.length > foldAbove) {
    const { news, folded } = fold(plan);
    return { ...report, tasks: news.map((i) => taskReport(plan, i, causes)), folded };
  }
  return { ...report, tasks: plan.plan.tasks.map((_, i) => taskReport(plan, i, causes)) };
}

/** With more tasks of one status than that, nobody reads them one by one. */
const mostListed = 50;
/** Leaves about which there is something to say, and the count of the others: of those that are done or merely wait, or are too many. */
function fold(plan: PlanState): { news: number[]; folded: readonly FoldedPhase[] } {
  const news: number[] = [];
  const listed = listedCodes(plan);
  const phases = plan.plan.phases.map(() => new Uint32Array(statuses.length + 1));
  // Asked once each: of 10,000 tasks, which may be made when they are looked at, only columns are needed.
  const { kind } = plan.graph;
  const { closes, phase } = plan.columns;
  const { counted, backoff } = plan;
  const anyBacksOff = backoff.size > 0;
  const { length } = counted;
  for (let i = 0; i < length; i++) {
    if (kind[i] !== LEAF) continue;
    const code = counted[i]!;
    // What closes a phase counts nowhere, so it is shown as soon as there is anything to say about it.
    const isNews =
      closes[i] === 1 ? isTold(leafStatus(plan, i)) : listed[code] === 1 || (anyBacksOff && backoff.has(i));
    if (isNews) news.push(i);
    else phases[phase[i]!]![code]!++;
  }
  const folded = plan.plan.phases.map(({ name }, i) => {
    const counts = noCounts();
    for (const status of statuses) counts[status] = phases[i]![codeOf[status]]!;
    return { phase: name, counts };
  });
  return { news, folded };
}

/** Rather than that it is done or merely waits. */
const isTold = (status: Status): boolean => status !== 'completed' && status !== 'pending';

/** By code: 1 where tasks of that status are listed one by one. */
function listedCodes({ counts }: PlanState): Uint8Array {
  const listed = new Uint8Array(statuses.length + 1);
  for (const status of statuses) {
    const isFew = counts.required[status] + counts.optional[status] <= mostListed;
    if (isTold(status) && isFew) listed[codeOf[status]] = 1;
  }
  return listed;
}

function taskReport(plan: PlanState, i: number, causes: RootCauses): TaskReport {
  const task = plan.plan.tasks[i]!;
  const state = plan.tasks[i]!;
  const status = statusOf(plan, i);
  return {
    id: task.id,
    title: task.title,
    phase: plan.plan.phases[task.phase]!.name,
    ...(task.parent === undefined ? {} : { parent: plan.plan.tasks[task.parent]!.id }),
    ...(task.group ? { group: true } : {}),
    ...(task.optional ? { optional: true } : {}),
    ...(task.closes === undefined ? {} : { closes: task.closes }),
    status,
    stage: status === 'in_progress' && !task.group ? stageOf(task, state) : null,
    attempts: state.attempts,
    needs: task.needs ?? [],
    prefers: task.prefers ?? [],
    blockedBy: status === 'blocked' ? causes.of(i).map((cause) => cause.task) : [],
    startedAt: timeOf(state.startedAt),
    endedAt: timeOf(state.endedAt),
    retryAt: timeOf(state.notBefore),
    failure: state.failure,
    ...notesOf(state),
    ...(state.finding === null ? {} : { finding: state.finding }),
    by: state.by,
    reason: state.reason,
  };
}

/** Most tasks have none. */
export function notesOf(state: TaskState): { notes?: string } {
  const notes = noteOn(state);
  return notes === null ? {} : { notes };
}

/** Between two jobs it is where the next one will be. */
function stageOf(task: Task, { live, ended }: TaskState): Stage {
  if (live) return live.job.kind === 'attempt' ? 'running' : live.job.kind === 'check' ? 'checking' : 'reviewing';
  const next = ended ? verdictOn(task, ended).kind : 'running';
  return next === 'check' ? 'checking' : next === 'review' ? 'reviewing' : 'running';
}

export function progressReport(plan: PlanState, isRunning: IsRunning): ProgressReport {
  const { summary, ...rest } = standing(plan, isRunning);
  return { ...rest, percent: percentOf(summary), summary };
}

/** Rounded towards what is left, and never to "nothing yet" or "all" when that is not so. */
function percentOf({ totalTasks, completed, skipped }: Summary): number {
  const good = completed + skipped;
  if (good === 0) return 0;
  return Math.max(1, Math.floor((good / totalTasks) * 100));
}

/** @param by who asks: what they have locked themselves keeps no task from them. */
export function nextReport(state: State, plan: PlanState, settings: Settings, most: number, by: string): NextReport {
  const limits = limitsNow(plan, settings);
  return {
    plan: plan.path,
    tasks: nextTasks(plan, most).map((i) => {
      const task = plan.plan.tasks[i]!;
      const admission = admissionOf(state, plan, i, [], by);
      const locks = admission.kind === 'held' ? [admission.resource] : [];
      const waitsFor = [...fullFor(state, plan, i, limits).map((full) => full.pool), ...locks];
      const status = leafStatus(plan, i) === 'failed' ? 'failed' : 'pending';
      return { id: task.id, title: task.title, phase: plan.plan.phases[task.phase]!.name, status, waitsFor };
    }),
  };
}

export function plansReport(state: State, current: string | null, isRunning: IsRunning): PlansReport {
  const plans = [...state.plans.values()].map((plan) => ({
    ...standing(plan, isRunning),
    changedAt: new Date(plan.changedAt).toISOString(),
  }));
  return { current, plans };
}

function standing(plan: PlanState, isRunning: IsRunning) {
  const running = isRunning(plan);
  return {
    plan: plan.path,
    title: plan.plan.title,
    outcome: running ? null : (plan.run?.ended?.outcome ?? null),
    running,
    paused: plan.paused !== null,
    planStatus: planStatus(plan, running),
    lastRun: lastRun(plan, running),
    summary: summaryOf(plan),
  };
}

/** Those of the run that goes on, else those that the next one would have. */
export function limitsNow(plan: PlanState, settings: Settings): Limits {
  return plan.run && !plan.run.ended ? plan.run.limits : limitsFor(plan.plan, settings);
}

const timeOf = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());
