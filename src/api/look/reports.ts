// What the queries answer, computed from the state: plain data in the shapes of the contract.

import { waitsOf } from '../../core/explain/explain.ts';
import { type HeldBack, heldBack } from '../../core/explain/held-back.ts';
import { noteOn } from '../../core/explain/note.ts';
import { RootCauses } from '../../core/explain/root-causes.ts';
import { limitsFor } from '../../core/model/defaults.ts';
import { attemptId } from '../../core/model/ids.ts';
import type { Task } from '../../core/model/plan.ts';
import type { Limits } from '../../core/model/run-event.ts';
import type { Settings } from '../../core/model/settings.ts';
import { closedAccount, fullFor } from '../../core/ready/capacity.ts';
import { LEAF } from '../../core/ready/graph.ts';
import { nextTasks } from '../../core/ready/next-tasks.ts';
import { leafStatus } from '../../core/ready/refresh.ts';
import { purseOf, shortFor } from '../../core/rules/budget.ts';
import { admissionOf } from '../../core/rules/locks/plan-locks.ts';
import { type Summary, summaryOf } from '../../core/rules/outcome.ts';
import { verdictOn } from '../../core/rules/verdict.ts';
import { type ClockStep, countedMs } from '../../core/state/clock-state.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import { ownerOfToken } from '../../core/state/lock-state.ts';
import { lastRun, planStatus } from '../../core/state/questions/plan-status.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import { noCounts, statuses } from '../../core/state/questions/statuses.ts';
import { underWay } from '../../core/state/questions/under-way.ts';
import type { LiveAttempt, PlanState, State, Status, TaskState } from '../../core/state/state.ts';
import type {
  FoldedPhase,
  HeldBackReport,
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
/** What the agent of an attempt does; null: nobody can tell. */
export type ActionOf = (live: LiveAttempt) => string | null;

export function statusReport(
  state: State,
  plan: PlanState,
  isRunning: IsRunning,
  { foldAbove, underWay: isShort }: StatusOptions = {},
  actionOf: ActionOf = () => null,
): StatusReport {
  const causes = new RootCauses(plan, plan.run?.limits ?? null);
  const held = heldBack(state, plan).map(heldBackReport);
  const report = {
    ...standing(plan, isRunning),
    ...(held.length === 0 ? {} : { heldBack: held }),
    decisions: [...plan.decisions.values()],
  };
  const listed = (tasks: readonly number[]) => tasks.map((i) => taskReport(state, plan, i, { causes, actionOf }));
  if (isShort) return { ...report, tasks: listed(underWay(state, plan)) };
  if (foldAbove !== undefined && plan.tasks.length > foldAbove) {
    const { news, folded } = fold(plan);
    return { ...report, tasks: listed(news), folded };
  }
  return { ...report, tasks: listed([...plan.plan.tasks.keys()]) };
}

const heldBackReport = (held: HeldBack): HeldBackReport =>
  held.kind === 'quota' ? { ...held, until: timeOf(held.until) } : held;

/** With more tasks of one status than that, nobody reads them one by one. */
const mostListed = 50;
/** Leaves with news, and the counts of all others: completed, merely waiting, or too many of one status. */
function fold(plan: PlanState): { news: number[]; folded: readonly FoldedPhase[] } {
  const news: number[] = [];
  const folded = plan.plan.phases.map(({ name }) => ({ phase: name, counts: noCounts(), optionalFailures: 0 }));
  const listed = new Set(statuses.filter((status) => isTold(status) && isFew(plan, status)));
  plan.plan.tasks.forEach(({ phase, closes, optional }, i) => {
    if (plan.graph.kind[i] !== LEAF) return;
    const status = leafStatus(plan, i);
    const isClosing = closes !== undefined;
    // The closing task of a phase is in no count, so it is shown as soon as there is news of it.
    const isNews = isClosing ? isTold(status) : listed.has(status) || plan.backoff.has(i);
    if (isNews) news.push(i);
    else if (!isClosing) {
      folded[phase]!.counts[status]++;
      if (optional && status === 'failed') folded[phase]!.optionalFailures++;
    }
  });
  return {
    news,
    folded: folded.map(({ optionalFailures, ...rest }) =>
      optionalFailures > 0 ? { ...rest, optionalFailures } : rest,
    ),
  };
}

/** Completed and pending are no news. */
const isTold = (status: Status): boolean => status !== 'completed' && status !== 'pending';

const isFew = ({ counts }: PlanState, status: Status): boolean =>
  counts.required[status] + counts.optional[status] <= mostListed;

interface Known {
  readonly causes: RootCauses;
  readonly actionOf: ActionOf;
}

function taskReport(all: State, plan: PlanState, i: number, { causes, actionOf }: Known): TaskReport {
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
    ...lockWaits(all, state),
    ...lastActionOf(state, actionOf),
    attempts: state.attempts,
    ...lastAttempt(plan, i),
    needs: task.needs ?? [],
    prefers: task.prefers ?? [],
    ...(task.keys.labels === undefined ? {} : { labels: task.keys.labels }),
    blockedBy: status === 'blocked' ? causes.of(i).map((cause) => cause.task) : [],
    startedAt: timeOf(state.startedAt),
    endedAt: timeOf(state.endedAt),
    ...uncounted(all.clock.steps, state),
    retryAt: timeOf(state.notBefore),
    failure: state.failure,
    ...notesOf(state),
    ...(state.finding === null ? {} : { finding: state.finding }),
    by: state.by,
    reason: state.reason,
  };
}

function lastAttempt(plan: PlanState, i: number): Pick<TaskReport, 'attempt'> {
  const number = attemptNumber(plan, i);
  return number === plan.tasks[i]!.attempts ? {} : { attempt: attemptId(plan.plan.tasks[i]!.id, number) };
}

/** Most clocks are never set. */
function uncounted(steps: readonly ClockStep[], { startedAt, endedAt }: TaskState): Pick<TaskReport, 'uncountedMs'> {
  const until = endedAt > startedAt ? endedAt : Number.MAX_SAFE_INTEGER;
  const uncountedMs = startedAt === 0 ? 0 : until - startedAt - countedMs(steps, startedAt, until);
  return uncountedMs === 0 ? {} : { uncountedMs };
}

/** Most tasks wait for none. */
function lockWaits(all: State, { live, hand }: TaskState): Pick<TaskReport, 'waitsFor'> {
  const token = live?.token ?? hand?.token;
  if (token === undefined) return {};
  const waits = waitsOf(all, ownerOfToken(token)).map(({ resource, holder }) => ({ resource, holder }));
  return waits.length === 0 ? {} : { waitsFor: waits };
}

/** Of attempts by agents alone: there is nothing to look up for commands. */
function lastActionOf({ live }: TaskState, actionOf: ActionOf): Pick<TaskReport, 'action'> {
  if (live?.job.kind !== 'attempt' || live.job.command) return {};
  const action = actionOf(live);
  return action === null ? {} : { action };
}

/** Most tasks have none. */
export function notesOf(state: TaskState): { notes?: string } {
  const notes = noteOn(state);
  return notes === null ? {} : { notes };
}

/** Between two jobs of an attempt, the stage is that of the next job. */
function stageOf(task: Task, { live, ended }: TaskState): Stage {
  if (live) return stages[live.job.kind];
  const next = ended ? verdictOn(task, ended).kind : 'attempt';
  return next === 'check' || next === 'review' || next === 'merge' ? stages[next] : 'running';
}

const stages = { attempt: 'running', check: 'checking', review: 'reviewing', merge: 'merging' } as const;

export function progressReport(state: State, plan: PlanState, isRunning: IsRunning): ProgressReport {
  const { summary, ...rest } = standing(plan, isRunning);
  const waiting = underWay(state, plan).filter((i) => lockWaits(state, plan.tasks[i]!).waitsFor).length;
  return { ...rest, percent: percentOf(summary), ...(waiting > 0 ? { waitingForLocks: waiting } : {}), summary };
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
  const purse = purseOf(state, plan, limits);
  return {
    plan: plan.path,
    tasks: nextTasks(plan)
      .slice(0, most)
      .map((i) => {
        const task = plan.plan.tasks[i]!;
        const admission = admissionOf(state, plan, i, [], by);
        const locks = admission.kind === 'held' ? [admission.resource] : [];
        const closed = closedAccount(state, plan, i);
        const waitsFor = [
          ...fullFor(state, plan, i, limits).map((full) => full.pool),
          ...locks,
          ...(closed ? [closed.account] : []),
          ...(shortFor(plan, i, purse) ? ['budget-usd'] : []),
        ];
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
function limitsNow(plan: PlanState, settings: Settings): Limits {
  return plan.run && !plan.run.ended ? plan.run.limits : limitsFor(plan.plan, settings);
}

const timeOf = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());
