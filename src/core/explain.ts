// Why a task is where it is: derived from the state each time, so that the answer is never older than the question.
import { fullFor } from './capacity.ts';
import { RootCauses } from './cascade.ts';
import { limitsFor } from './defaults.ts';
import type { Cause, Limits } from './event.ts';
import type { Failure } from './failure.ts';
import type { AttemptId, TaskId } from './ids.ts';
import { impossible } from './impossible.ts';
import type { Task } from './plan.ts';
import type { Settings } from './settings.ts';
import { ENDED, GOOD } from './signal.ts';
import type { PlanState, State, Status } from './state.ts';
import { statusOf } from './status.ts';

export type Reason =
  /** `via`: the group around it whose need this is. `part`: a group waits for its own subtask. */
  | {
      readonly kind: 'need';
      readonly task: TaskId;
      readonly status: Status;
      readonly causes: readonly Cause[];
      readonly via?: TaskId;
      readonly part?: true;
    }
  | { readonly kind: 'preference'; readonly task: TaskId; readonly status: Status; readonly via?: TaskId }
  | { readonly kind: 'phase'; readonly phase: string; readonly tasks: readonly { task: TaskId; status: Status }[] }
  | { readonly kind: 'slot'; readonly pool: string; readonly limit: number; readonly running: number }
  | { readonly kind: 'backoff'; readonly until: number; readonly failure: Failure | null }
  | { readonly kind: 'paused'; readonly by: string; readonly reason?: string }
  | { readonly kind: 'suspended' | 'skipped'; readonly by: string; readonly reason: string | null }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly attempts: number }
  | { readonly kind: 'done'; readonly at: number; readonly by: string | null }
  | { readonly kind: 'running'; readonly attempt: AttemptId; readonly since: number; readonly ending: boolean };

export interface Explanation {
  readonly task: TaskId;
  readonly status: Status;
  /** Empty for a task that is ready and waits only for a run. */
  readonly reasons: readonly Reason[];
}

export function explain(state: State, plan: PlanState, task: number, settings: Settings): Explanation {
  const status = statusOf(plan, task);
  const { id, group } = plan.plan.tasks[task]!;
  const limits = plan.run && !plan.run.ended ? plan.run.limits : limitsFor(plan.plan, settings);
  const reasons = group ? explainGroup(plan, task, limits) : explainLeaf(state, plan, task, limits);
  return { task: id, status, reasons };
}

function explainLeaf(state: State, plan: PlanState, task: number, limits: Limits): Reason[] {
  const own = plan.tasks[task]!;
  const { status } = own;
  switch (status) {
    case 'completed':
      return [{ kind: 'done', at: own.endedAt, by: own.by }];
    case 'failed':
      return [{ kind: 'failed', failure: own.failure!, attempts: own.attempts }];
    case 'suspended':
    case 'skipped':
      return [{ kind: status, by: own.by!, reason: own.reason }];
    case 'in_progress': {
      const attempt = own.live?.attempt ?? own.ended!.attempt;
      return [{ kind: 'running', attempt, since: own.startedAt, ending: own.live === null || own.live.doom !== null }];
    }
    case 'pending':
      return explainPending(state, plan, task, limits);
    default:
      return impossible(status);
  }
}

function explainPending(state: State, plan: PlanState, task: number, limits: Limits): Reason[] {
  const own = plan.tasks[task]!;
  const reasons = dependencies(plan, task, limits);
  if (own.live) {
    reasons.push({ kind: 'running', attempt: own.live.attempt, since: own.live.scheduledAt, ending: true });
  }
  if (own.notBefore > 0) reasons.push({ kind: 'backoff', until: own.notBefore, failure: own.failure });
  if (plan.paused) {
    const { by, reason } = plan.paused;
    reasons.push({ kind: 'paused', by, ...(reason === undefined ? {} : { reason }) });
  }
  if (plan.ready.has(task)) {
    for (const full of fullFor(state, plan, task, limits)) reasons.push({ kind: 'slot', ...full });
  }
  return reasons;
}

/** What a group waits for: the parts of it that have not come to a good end, after what it waits for itself. */
function explainGroup(plan: PlanState, group: number, limits: Limits): Reason[] {
  if (plan.signals[plan.graph.end[group]!]! & GOOD) {
    return [{ kind: 'done', at: lastEnd(plan, group), by: null }];
  }
  const causes = new RootCauses(plan, limits);
  const reasons = dependencies(plan, group, limits);
  for (let i = group + 1; i < plan.graph.after[group]!; i = plan.graph.after[i]!) {
    const canDoWithout = plan.graph.optional[i] && !plan.graph.optional[group];
    if (plan.signals[plan.graph.end[i]!]! & (canDoWithout ? ENDED : GOOD)) continue;
    const { id } = plan.plan.tasks[i]!;
    reasons.push({ kind: 'need', task: id, status: statusOf(plan, i), causes: causes.of(i), part: true });
  }
  return reasons;
}

function lastEnd(plan: PlanState, group: number): number {
  let last = 0;
  for (let i = group; i < plan.graph.after[group]!; i++) last = Math.max(last, plan.tasks[i]!.endedAt);
  return last;
}

/** Needs and preferences, own and inherited, that do not let the task start yet, and the phase before it. */
function dependencies(plan: PlanState, task: number, limits: Limits): Reason[] {
  const causes = new RootCauses(plan, limits);
  const reasons: Reason[] = [];
  let at: number | undefined = task;
  while (at !== undefined) {
    const around: Task = plan.plan.tasks[at]!;
    const via = at === task ? {} : { via: around.id };
    for (const id of around.needs ?? []) {
      const need = plan.index.get(id)!;
      if (plan.signals[plan.graph.end[need]!]! & GOOD) continue;
      reasons.push({ kind: 'need', task: id, status: statusOf(plan, need), causes: causes.of(need), ...via });
    }
    for (const id of around.prefers ?? []) {
      const preferred = plan.index.get(id)!;
      if (plan.signals[plan.graph.end[preferred]!]! & ENDED) continue;
      reasons.push({ kind: 'preference', task: id, status: statusOf(plan, preferred), ...via });
    }
    at = around.parent;
  }
  return [...reasons, ...phaseBefore(plan, task)];
}

const shown = 20;

function phaseBefore(plan: PlanState, task: number): Reason[] {
  if (plan.plan.order !== 'phases') return [];
  const { phase } = plan.plan.tasks[task]!;
  const firstGate = plan.graph.nodes - plan.plan.phases.length;
  for (let before = 0; before < phase; before++) {
    if (plan.signals[firstGate + before]! & GOOD) continue;
    const inTheWay = phaseMembersInTheWay(plan, before);
    return [{ kind: 'phase', phase: plan.plan.phases[before]!.name, tasks: inTheWay.slice(0, shown) }];
  }
  return [];
}

function phaseMembersInTheWay(plan: PlanState, phase: number): { task: TaskId; status: Status }[] {
  const tasks: { task: TaskId; status: Status }[] = [];
  plan.plan.tasks.forEach((task, i) => {
    if (task.phase !== phase || task.group) return;
    const status = statusOf(plan, i);
    const passed = status === 'completed' || status === 'skipped';
    const endedOptional = task.optional && (plan.signals[i]! & ENDED) !== 0;
    if (!passed && !endedOptional) tasks.push({ task: task.id, status });
  });
  return tasks;
}
