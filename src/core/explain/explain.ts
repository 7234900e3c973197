// Why a task has its status. The answer is derived from the state each time, so it is never out of date.

import type { DecisionKind } from '../model/decision.ts';
import { limitsFor } from '../model/defaults.ts';
import type { Cause } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import type { AttemptId, DecisionId, TaskId } from '../model/ids.ts';
import { impossible } from '../model/impossible.ts';
import type { Task } from '../model/plan.ts';
import type { Limits } from '../model/run-event.ts';
import type { Settings } from '../model/settings.ts';
import { admissions, closedAccount, closedNow, fullFor, minds } from '../ready/capacity.ts';
import { START } from '../ready/graph.ts';
import { ENDED, GOOD, spoils, waits } from '../ready/signal.ts';
import { attemptsLeft } from '../rules/attempts-left.ts';
import { purseOf, type Short, shortFor } from '../rules/budget.ts';
import { reviewAccountOf } from '../rules/quota.ts';
import { isTriedAgain } from '../rules/try-again.ts';
import { heldSince, ownerOfToken } from '../state/lock-state.ts';
import { statusOf } from '../state/questions/status.ts';
import type { PlanState, State, Status } from '../state/state.ts';
import {
  decisionsAbout,
  type MergeReason,
  type ReviewReason,
  rejectedBefore,
  verifying,
} from './explain-verification.ts';
import { RootCauses } from './root-causes.ts';

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
  /** `step`: the order puts these tasks before it. Otherwise it waits for an earlier phase, and these are tasks of that phase. */
  | {
      readonly kind: 'phase';
      readonly phase: string;
      readonly tasks: readonly InTheWay[];
      readonly step?: true;
    }
  | { readonly kind: 'slot'; readonly pool: string; readonly limit: number; readonly running: number }
  /** `held`: `holder` has it, or asked first; `behind`: a task that has not started comes first; `after`: a deadlock put it behind. */
  | {
      readonly kind: 'lock';
      readonly resource: string;
      readonly holder: string;
      readonly task: TaskId | null;
      readonly how: 'held' | 'behind' | 'after';
      readonly since: number;
      /** No runner watches the holder any more. The log cannot know this; the caller adds it. */
      readonly unattended?: { readonly is: 'dead' | 'alone' | 'asked'; readonly plan: string };
    }
  | { readonly kind: 'backoff'; readonly until: number; readonly failure: Failure | null }
  /** The account of its agent has reached its limit. `until` 0: its time is over, and another attempt tries it first. */
  | { readonly kind: 'quota'; readonly account: string; readonly until: number }
  /** `budget`: this one has no room for it, and `by` is `signalbox`. */
  | { readonly kind: 'paused'; readonly by: string; readonly reason?: string; readonly budget?: Short }
  | { readonly kind: 'suspended' | 'skipped'; readonly by: string; readonly reason: string | null }
  /** `left`: attempts left by hand; absent: none. `again`: the next run tries it, too. */
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly attempts: number;
      readonly left?: number;
      readonly again?: true;
    }
  | { readonly kind: 'done'; readonly at: number; readonly by: string | null }
  /** `check`: the attempt has ended, and this command checks its work. `by`: the person who works on it by hand. */
  | {
      readonly kind: 'running';
      readonly attempt: AttemptId;
      readonly since: number;
      readonly ending: boolean;
      readonly by?: string;
      readonly check?: string;
    }
  | ReviewReason
  | MergeReason
  /** An open decision about this task, about one it waits for (`task`), or about the plan (null). */
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
      if (verified) return [verified, ...reviewHeld(state, plan, task)];
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
  const left = attemptsLeft(plan.plan.tasks[task]!, plan.tasks[task]!);
  return left > 0 ? { left, ...(isTriedAgain(plan, task) ? { again: true } : {}) } : {};
}

function explainPending(state: State, plan: PlanState, task: number, limits: Limits): Reason[] {
  const own = plan.tasks[task]!;
  const reasons: Reason[] = dependencies(plan, task, limits);
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
    const closed = closedAccount(state, plan, task);
    if (closed) reasons.push({ kind: 'quota', ...closed });
    reasons.push(...moneyReasons(shortFor(plan, task, purseOf(state, plan, limits))));
    if (minds(state, plan, limits)) reasons.push(...lockReasons(state, plan, task, limits));
  }
  return reasons;
}

const moneyReasons = (budget: Short | null): Reason[] =>
  budget === null ? [] : [{ kind: 'paused', by: 'signalbox', budget }];

/** Why the review that an attempt waits for does not start. */
function reviewHeld(state: State, plan: PlanState, task: number): Reason[] {
  if (!plan.toReview.has(task)) return [];
  const closed = closedNow(state, reviewAccountOf(plan));
  const quota: Reason[] = closed ? [{ kind: 'quota', ...closed }] : [];
  // Work by hand may wait for its first run.
  const limits = plan.run?.limits;
  return limits ? [...quota, ...moneyReasons(shortFor(plan, task, purseOf(state, plan, limits), 'review'))] : quota;
}

/** The locks that a running attempt waits for. */
export function waitsOf(state: State, owner: string): LockReason[] {
  const { table } = state.locks;
  return table
    .waitsOf(owner)
    .flatMap((request) => table.obstaclesOf(request).map((obstacle) => heldBy(state, obstacle.owner, obstacle.theirs)));
}

type LockReason = Extract<Reason, { readonly kind: 'lock' }>;

function heldBy(state: State, owner: string, resource: string): LockReason {
  const { name, task } = state.locks.owners.get(owner)!;
  const since = heldSince(state.locks, owner, resource);
  return { kind: 'lock', resource, holder: name, task, how: 'held', since };
}

/** Why a ready task cannot have its locks: the same walk as admission. */
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

/** A group waits for its own dependencies, then for its parts that are not completed. */
function explainGroup(plan: PlanState, group: number, limits: Limits): Reason[] {
  if (plan.signals[plan.graph.end[group]!]! & GOOD) {
    return [{ kind: 'done', at: lastEnd(plan, group), by: null }];
  }
  const causes = new RootCauses(plan, limits);
  const reasons: Reason[] = dependencies(plan, group, limits);
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

const shown = 20;

type Dependency = Extract<Reason, { readonly kind: 'need' | 'preference' | 'phase' }>;

/**
 * The needs and preferences, own and inherited, that keep the task from starting, and the tasks that the order puts before it.
 * @param most of these, for each step.
 */
export function dependencies(plan: PlanState, task: number, limits: Limits | null, most = shown): Dependency[] {
  const causes = new RootCauses(plan, limits);
  const reasons: Dependency[] = [];
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
  return [...reasons, ...stepsBefore(plan, task, most)];
}

/** The first step not passed, in each chain of the task or of a group around it. */
function stepsBefore(plan: PlanState, task: number, most: number): Dependency[] {
  const gates = new Set<number>();
  for (let at: number | undefined = task; at !== undefined; at = plan.plan.tasks[at]!.parent) {
    for (const gate of closedGates(plan, at)) gates.add(firstClosed(plan, gate));
  }
  return [...gates].map((gate) => describeStep(plan, task, gate, most));
}

function describeStep(state: PlanState, task: number, gate: number, most: number): Dependency {
  const { plan } = state;
  const inTheWay = leavesInTheWay(state, gate);
  const { phase } = plan.tasks[inTheWay[0]!]!;
  const isStep = phase === plan.tasks[task]!.phase || plan.order === 'sequential';
  const tasks = inTheWay.slice(0, most).map((leaf) => ({ task: plan.tasks[leaf]!.id, status: statusOf(state, leaf) }));
  return { kind: 'phase', phase: plan.phases[phase]!.name, tasks, ...(isStep ? { step: true } : {}) };
}

/** All gates behind a closed one are closed too. */
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
