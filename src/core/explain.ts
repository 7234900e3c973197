// Why a task is where it is: derived from the state each time, so that the answer is never older than the question.
import { admissions, fullFor, minds } from './capacity.ts';
import { RootCauses } from './cascade.ts';
import type { DecisionKind } from './decision.ts';
import { limitsFor } from './defaults.ts';
import type { Cause, Limits } from './event.ts';
import { decisionsAbout, type ReviewReason, rejectedBefore, verifying } from './explain-verification.ts';
import type { Failure } from './failure.ts';
import { START } from './graph.ts';
import type { AttemptId, DecisionId, TaskId } from './ids.ts';
import { impossible } from './impossible.ts';
import { heldSince, ownerOfToken } from './lock-state.ts';
import type { Task } from './plan.ts';
import { attemptsAllowed } from './retry.ts';
import type { Settings } from './settings.ts';
import { ENDED, GOOD, spoils, waits } from './signal.ts';
import type { PlanState, State, Status } from './state.ts';
import { statusOf } from './status.ts';
import { isTriedAgain } from './try-again.ts';

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
  /** `step`: the order puts these tasks before it; else it waits for a phase before its own, and they are of that phase. */
  | {
      readonly kind: 'phase';
      readonly phase: string;
      readonly tasks: readonly InTheWay[];
      readonly step?: true;
    }
  | { readonly kind: 'slot'; readonly pool: string; readonly limit: number; readonly running: number }
  /** `held`: `holder` has it, or waits for it and came first; `behind`: a task that has not started did; `after`: told by a deadlock. */
  | {
      readonly kind: 'lock';
      readonly resource: string;
      readonly holder: string;
      readonly task: TaskId | null;
      readonly how: 'held' | 'behind' | 'after';
      readonly since: number;
      /** Nobody looks after the holder any more; whether that is so is not for the log to know. */
      readonly unattended?: { readonly is: 'dead' | 'alone' | 'asked'; readonly plan: string };
    }
  | { readonly kind: 'backoff'; readonly until: number; readonly failure: Failure | null }
  | { readonly kind: 'paused'; readonly by: string; readonly reason?: string }
  | { readonly kind: 'suspended' | 'skipped'; readonly by: string; readonly reason: string | null }
  /** `left`: how often it may still be tried by hand; absent where no attempt is left. `again`: the next run tries it, too. */
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly attempts: number;
      readonly left?: number;
      readonly again?: true;
    }
  | { readonly kind: 'done'; readonly at: number; readonly by: string | null }
  /** `check`: the attempt itself has ended, and this command is to tell whether it did its work. `by`: somebody does it by hand. */
  | {
      readonly kind: 'running';
      readonly attempt: AttemptId;
      readonly since: number;
      readonly ending: boolean;
      readonly by?: string;
      readonly check?: string;
    }
  | ReviewReason
  /** A person is to decide: about this task, about what it waits for (`task`), or about the plan (null). */
  | {
      readonly kind: 'decision';
      readonly decision: DecisionId;
      readonly asks: DecisionKind;
      readonly task: TaskId | null;
    };

export interface InTheWay {
  readonly task: TaskId;
  readonly status: Status;
}

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
      return [
        { kind: 'failed', failure: own.failure!, attempts: own.attempts, ...leftOf(plan, task) },
        ...decisionsAbout(plan, task),
      ];
    case 'suspended':
      return [{ kind: status, by: own.by!, reason: own.reason }, ...decisionsAbout(plan, task)];
    case 'skipped':
      return [{ kind: status, by: own.by!, reason: own.reason }];
    case 'in_progress': {
      if (own.hand) {
        const { attempt, by } = own.hand;
        return [{ kind: 'running', attempt, since: own.startedAt, ending: false, by }];
      }
      const verified = verifying(plan, task);
      if (verified) return [verified];
      const attempt = own.live?.attempt ?? own.ended!.attempt;
      const ending = own.live === null || own.live.doom !== null;
      const waits = own.live ? waitsOf(state, ownerOfToken(own.live.token)) : [];
      return [{ kind: 'running', attempt, since: own.startedAt, ending }, ...waits];
    }
    case 'pending':
      return explainPending(state, plan, task, limits);
    default:
      return impossible(status);
  }
}

function leftOf(plan: PlanState, task: number): { readonly left?: number; readonly again?: true } {
  const left = attemptsAllowed(plan.plan.tasks[task]!, plan.tasks[task]!) - plan.tasks[task]!.failures;
  return left > 0 ? { left, ...(isTriedAgain(plan, task) ? { again: true } : {}) } : {};
}

function explainPending(state: State, plan: PlanState, task: number, limits: Limits): Reason[] {
  const own = plan.tasks[task]!;
  const reasons = dependencies(plan, task, limits);
  if (own.live) {
    reasons.push({ kind: 'running', attempt: own.live.attempt, since: own.live.scheduledAt, ending: true });
  }
  const causes = reasons.flatMap((reason) => (reason.kind === 'need' ? reason.causes : []));
  reasons.push(...decisionsAbout(plan, task, causes), ...rejectedBefore(plan, task));
  if (own.notBefore > 0) reasons.push({ kind: 'backoff', until: own.notBefore, failure: own.failure });
  if (plan.paused) {
    const { by, reason } = plan.paused;
    reasons.push({ kind: 'paused', by, ...(reason === undefined ? {} : { reason }) });
  }
  if (plan.ready.has(task)) {
    for (const full of fullFor(state, plan, task, limits)) reasons.push({ kind: 'slot', ...full });
    if (minds(state, plan)) reasons.push(...lockReasons(state, plan, task, limits));
  }
  return reasons;
}

/** What a running attempt waits for. */
function waitsOf(state: State, owner: string): Reason[] {
  const { table } = state.locks;
  return table
    .waitsOf(owner)
    .flatMap((request) => table.obstaclesOf(request).map((obstacle) => heldBy(state, obstacle.owner, obstacle.theirs)));
}

function heldBy(state: State, owner: string, resource: string): Reason {
  const { name, task } = state.locks.owners.get(owner)!;
  const since = heldSince(state.locks, owner, resource);
  return { kind: 'lock', resource, holder: name, task, how: 'held', since };
}

/** Why a ready task cannot have its locks: everybody is looked at as admission does. */
function lockReasons(state: State, plan: PlanState, task: number, limits: Limits): Reason[] {
  const own = [...admissions(state, plan, limits, task)].find((looked) => looked.task === task)!;
  const { admission } = own;
  switch (admission.kind) {
    case 'free':
      return [];
    case 'held':
      return [heldBy(state, admission.owner, admission.resource)];
    case 'behind': {
      const { task: other, resource } = admission;
      return [{ kind: 'lock', resource, holder: other, task: other, how: 'behind', since: 0 }];
    }
    case 'after': {
      const { name, task: other, resource } = admission;
      return [{ kind: 'lock', resource, holder: name, task: other, how: 'after', since: 0 }];
    }
    default: // its own last attempt
      return [{ kind: 'running', attempt: admission.attempt, since: plan.tasks[task]!.startedAt, ending: true }];
  }
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

/** Needs and preferences, own and inherited, that do not let the task start yet, and what the order puts before it. */
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
  return [...reasons, ...stepsBefore(plan, task)];
}

const shown = 20;

/** In each chain that the task or a group around it stands in: the first step that is not passed. */
function stepsBefore(plan: PlanState, task: number): Reason[] {
  const gates = new Set<number>();
  for (let at: number | undefined = task; at !== undefined; at = plan.plan.tasks[at]!.parent) {
    for (const gate of closedGates(plan, at)) gates.add(firstClosed(plan, gate));
  }
  return [...gates].map((gate) => describeStep(plan, task, gate));
}

function describeStep(state: PlanState, task: number, gate: number): Reason {
  const { plan } = state;
  const inTheWay = leavesInTheWay(state, gate);
  const { phase } = plan.tasks[inTheWay[0]!]!;
  const isStep = phase === plan.tasks[task]!.phase || plan.order === 'sequential';
  const tasks = inTheWay.slice(0, shown).map((leaf) => ({ task: plan.tasks[leaf]!.id, status: statusOf(state, leaf) }));
  return { kind: 'phase', phase: plan.phases[phase]!.name, tasks, ...(isStep ? { step: true } : {}) };
}

/** Every gate of a chain that is behind a closed one is closed too. */
function firstClosed(plan: PlanState, gate: number): number {
  let first = gate;
  for (let [before] = closedGates(plan, first); before !== undefined; [before] = closedGates(plan, first))
    first = before;
  return first;
}

function closedGates({ graph, signals }: PlanState, node: number): number[] {
  const { offset, target, kind } = graph.dependsOn;
  const closed: number[] = [];
  for (let e = offset[node]!; e < offset[node + 1]!; e++) {
    const to = target[e]!;
    if (kind[e] === START && to >= graph.firstGate && !(signals[to]! & GOOD)) closed.push(to);
  }
  return closed;
}

function leavesInTheWay({ graph, signals }: PlanState, gate: number): number[] {
  const { offset, target, kind } = graph.dependsOn;
  const leaves: number[] = [];
  for (let e = offset[gate]!; e < offset[gate + 1]!; e++) {
    const to = target[e]!;
    if (waits(kind[e]!, signals[to]!) || spoils(kind[e]!, signals[to]!, graph.optional[to]!)) leaves.push(to);
  }
  return leaves;
}
