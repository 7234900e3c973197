// What the queries answer, computed from the state: plain data in the shapes of the contract.

import { noteOn } from '../../core/explain/note.ts';
import { RootCauses } from '../../core/explain/root-causes.ts';
import { limitsFor } from '../../core/model/defaults.ts';
import type { Limits } from '../../core/model/event.ts';
import type { Task } from '../../core/model/plan.ts';
import type { Settings } from '../../core/model/settings.ts';
import { fullFor } from '../../core/ready/capacity.ts';
import { LEAF } from '../../core/ready/graph.ts';
import { nextTasks } from '../../core/ready/next-tasks.ts';
import { leafStatus } from '../../core/ready/refresh.ts';
import { verdictOn } from '../../core/rules/judge-end.ts';
import { type Summary, summaryOf } from '../../core/rules/outcome.ts';
import { admissionOf } from '../../core/rules/plan-locks.ts';
import { lastRun, planStatus } from '../../core/state/plan-status.ts';
import type { PlanState, State, Status, TaskState } from '../../core/state/state.ts';
import { statusOf } from '../../core/state/status.ts';
import { noCounts, statuses } from '../../core/state/statuses.ts';
import type {
  FoldedPhase,
  NextReport,
  PlansReport,
  ProgressReport,
  Stage,
  StatusReport,
  TaskReport,
} from '../reports/status.ts';
import type { StatusOptions } from '../signalbox.ts';

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
/** Leaves with news, and the counts of all others: completed, merely waiting, or too many of one status. */
function fold(plan: PlanState): { news: number[]; folded: readonly FoldedPhase[] } {
  const news: number[] = [];
  const folded = plan.plan.phases.map(({ name }) => ({ phase: name, counts: noCounts() }));
  const listed = new Set(statuses.filter((status) => isTold(status) && isFew(plan, status)));
  plan.plan.tasks.forEach(({ phase, closes }, i) => {
    if (plan.graph.kind[i] !== LEAF) return;
    const status = leafStatus(plan, i);
    const isClosing = closes !== undefined;
    // The closing task of a phase is in no count, so it is shown as soon as there is news of it.
    const isNews = isClosing ? isTold(status) : listed.has(status) || plan.backoff.has(i);
    if (isNews) news.push(i);
    else if (!isClosing) folded[phase]!.counts[status]++;
  });
  return { news, folded };
}

/** Completed and pending are no news. */
const isTold = (status: Status): boolean => status !== 'completed' && status !== 'pending';

const isFew = ({ counts }: PlanState, status: Status): boolean =>
  counts.required[status] + counts.optional[status] <= mostListed;

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

/** Between two jobs of an attempt, the stage is that of the next job. */
function stageOf(task: Task, { live, ended }: TaskState): Stage {
  if (live) return live.job.kind === 'attempt' ? 'running' : live.job.kind === 'check' ? 'checking' : 'reviewing';
  const next = ended ? verdictOn(task, ended).kind : 'running';
  return next === 'check' ? 'checking' : next === 'review' ? 'reviewing' : 'running';
}

export function progressReport(plan: PlanState, isRunning: IsRunning): ProgressReport {
  const { summary, ...rest } = standing(plan, isRunning);
  return { ...rest, percent: percentOf(summary), summary };
}

/** Rounded down, but never to "nothing yet" or "all" when that is not true. */
function percentOf({ totalTasks, completed, skipped }: Summary): number {
  const good = completed + skipped;
  if (good === 0) return 0;
  return Math.max(1, Math.floor((good / totalTasks) * 100));
}

/** @param by who asks: their own locks keep no task from them. */
export function nextReport(state: State, plan: PlanState, settings: Settings, most: number, by: string): NextReport {
  const limits = limitsNow(plan, settings);
  return {
    plan: plan.path,
    tasks: nextTasks(plan)
      .slice(0, most)
      .map((i) => {
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

/** The limits of the current run, else those of the next one. */
export function limitsNow(plan: PlanState, settings: Settings): Limits {
  return plan.run && !plan.run.ended ? plan.run.limits : limitsFor(plan.plan, settings);
}

const timeOf = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());
