// Which task may start next. Ready tasks are admitted one at a time in their order, each against the global limit, its model's pool
// and its resources. A full pool never holds back a task of another pool. A limit of 0 admits none, and is no reason to wait.

import type { TaskId } from '../model/ids.ts';
import type { Limits } from '../model/run-event.ts';
import { isSelected } from '../model/selection.ts';
import { purseOf, shortFor } from '../rules/budget.ts';
import { type Admission, admissionOf, type InLine, inLineOf } from '../rules/locks/plan-locks.ts';
import { accountOf } from '../rules/quota.ts';
import { isIsolated } from '../state/questions/isolated.ts';
import type { PlanState, State } from '../state/state.ts';
import { closedFor } from './closed-for.ts';
import type { IndexedHeap } from './indexed-heap.ts';

/** A limit that a task runs into. */
export interface Full {
  /** `workspace`, `plan`, or a pool's name. */
  readonly pool: string;
  readonly limit: number;
  readonly running: number;
}

export interface Admissible {
  readonly task: number;
  /** Tasks in front of it that it passes. */
  readonly passes: readonly TaskId[];
}

/** The first ready task that has room everywhere and can have its locks; null for none. */
export function nextAdmissible(state: State, plan: PlanState, limits: Limits): Admissible | null {
  if (globallyFull(state, plan, limits).length > 0) return null;
  if (minds(state, plan, limits)) return nextWithLocks(state, plan, limits);
  const task = nextWithRoom(state, plan, limits);
  return task === -1 ? null : { task, passes: [] };
}

/** Whether each ready task is looked at by itself: locks can keep it from starting, the limit of its account, or a budget. */
export const minds = (state: State, plan: PlanState, limits: Limits): boolean =>
  state.accounts.size > 0 ||
  plan.takesLocks ||
  isIsolated(plan) ||
  plan.hasBudgets ||
  limits.budgetUsd !== undefined ||
  plan.heldBack.size > 0 ||
  state.salvage.size > 0;

function nextWithLocks(state: State, plan: PlanState, limits: Limits): Admissible | null {
  for (const { task, admission } of admissions(state, plan, limits)) {
    if (admission.kind === 'free') return { task, passes: admission.passes };
  }
  return null;
}

/**
 * Ready tasks in their order, each with its locks: one that cannot have them stays in line before those behind it. A task without
 * room stands in no line.
 * @param about included in any case
 */
export function* admissions(
  state: State,
  plan: PlanState,
  limits: Limits,
  about = -1,
): Generator<{ readonly task: number; readonly admission: Admission }> {
  const inLine: InLine[] = [];
  const purse = purseOf(state, plan, limits);
  for (const task of plan.ready.inOrder()) {
    const couldStart =
      isSelected(plan, task) &&
      fullPools(state, plan.ready.poolsOf(task), limits).length === 0 &&
      closedAccount(state, plan, task) === null &&
      shortFor(plan, task, purse) === null;
    if (!couldStart && task !== about) continue;
    const admission = admissionOf(state, plan, task, inLine);
    yield { task, admission };
    if (admission.kind === 'held' || admission.kind === 'behind') inLine.push(inLineOf(plan, task));
  }
}

function nextWithRoom(state: State, plan: PlanState, limits: Limits): number {
  let best = -1;
  for (const { pools, heap } of plan.ready.classes) {
    if (heap.size === 0 || fullPools(state, pools, limits).length > 0) continue;
    const first = firstSelected(plan, heap);
    if (first !== -1 && (best === -1 || plan.ready.before(first, best))) best = first;
  }
  return best;
}

/** Every limit that keeps a ready task from starting now. */
export function fullFor(state: State, plan: PlanState, task: number, limits: Limits): Full[] {
  return [...globallyFull(state, plan, limits), ...fullPools(state, plan.ready.poolsOf(task), limits)];
}

/** Whether some ready task will have room once the running attempts have ended. */
export function anyoneMayStart(plan: PlanState, limits: Limits): boolean {
  return plan.ready.classes.some(({ heap }) => {
    const first = firstSelected(plan, heap);
    return first !== -1 && closedFor(plan, first, limits) === null;
  });
}

/** A selection is searched task by task: it is small, and most runs have none. */
function firstSelected(plan: PlanState, heap: IndexedHeap): number {
  if (!plan.selected) return heap.first();
  let best = -1;
  for (const task of heap.all()) {
    if (isSelected(plan, task) && (best === -1 || plan.ready.before(task, best))) best = task;
  }
  return best;
}

/** A review needs no slot, nor does a merge. */
const placesOf = ({ live, reviewing, merging }: PlanState): number =>
  live - (reviewing === 0 ? 0 : 1) - (merging === 0 ? 0 : 1);

function globallyFull(state: State, plan: PlanState, limits: Limits): Full[] {
  const full: Full[] = [];
  if (limits.workspace !== undefined) {
    let running = 0;
    for (const other of state.plans.values()) running += placesOf(other);
    if (running >= limits.workspace) full.push({ pool: 'workspace', limit: limits.workspace, running });
  }
  const running = placesOf(plan);
  if (running >= limits.plan) full.push({ pool: 'plan', limit: limits.plan, running });
  return full;
}

/** The account of the task's agent, if it has reached its limit: nobody starts, or, when its time is over, one that tries. */
export const closedAccount = (state: State, plan: PlanState, task: number): ClosedAccount | null =>
  closedNow(state, accountOf(plan, task));

export function closedNow(state: State, account: string | undefined): ClosedAccount | null {
  const pause = account === undefined ? undefined : state.accounts.get(account);
  if (account === undefined || pause === undefined) return null;
  if (!pause.isTried) return { account, until: pause.until };
  for (const live of state.live.values()) if (live.account === account) return { account, until: 0 };
  return null;
}

export interface ClosedAccount {
  readonly account: string;
  /** 0: its time is over, and one attempt tries it. */
  readonly until: number;
}

/** The pools that are full. */
export function fullPools(state: State, pools: readonly string[], limits: Limits): Full[] {
  const full: Full[] = [];
  for (const pool of pools) {
    const limit = limits.pools[pool];
    const running = state.usage.get(pool) ?? 0;
    if (limit !== undefined && running >= limit) full.push({ pool, limit, running });
  }
  return full;
}
