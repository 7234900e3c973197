// The rules of the core for lists of tasks that a program has in memory, under the names that people look for.

import { RootCauses } from '../../core/explain/root-causes.ts';
import { attemptsCap, defaultLivelock, defaultMaxParallel, defaultPools } from '../../core/model/defaults.ts';
import type { Event, StoredEvent } from '../../core/model/event.ts';
import { fingerprintOf } from '../../core/model/review.ts';
import { nextAdmissible } from '../../core/ready/capacity.ts';
import { leafStatus } from '../../core/ready/refresh.ts';
import { evolve } from '../../core/state/evolve.ts';
import type { Status } from '../../core/state/state.ts';
import { knowList, type ListedTask, schedule } from './task-list.ts';

export interface PlanDeadlock {
  /** Something is left, nothing runs, and nothing can ever start. */
  readonly deadlocked: boolean;
  /** Nothing is left, and no required task failed. */
  readonly complete: boolean;
  /** What is left and cannot start, with what is to blame, however far away. */
  readonly blocked: readonly { readonly task: string; readonly causes: readonly DeadlockCause[] }[];
  /** Tasks that wait for each other. */
  readonly cycles: readonly (readonly string[])[];
  /** Needs that no task of the list has. */
  readonly unknown: readonly { readonly task: string; readonly need: string }[];
}

export interface DeadlockCause {
  readonly task: string;
  readonly status: Status | 'cycle' | 'unknown-need';
}

export function detectPlanDeadlock(tasks: readonly ListedTask[]): PlanDeadlock {
  const { plan, given, cycles, unknown } = knowList(tasks);
  const causes = new RootCauses(plan, null);
  const inCycle = new Set(cycles.flat());
  const withoutNeed = new Set(unknown.map(({ task }) => task));
  const wordFor = (task: string, status: Status): DeadlockCause['status'] => {
    const own = given.get(task)!.status ?? 'pending';
    if (status !== 'suspended' || own === 'suspended') return status;
    return withoutNeed.has(task) ? 'unknown-need' : inCycle.has(task) ? 'cycle' : status;
  };
  const blocked: PlanDeadlock['blocked'][number][] = [];
  let left = 0;
  let failed = 0;
  plan.plan.tasks.forEach((task, i) => {
    if (task.group) return;
    const status = leafStatus(plan, i);
    if (status === 'failed' && !task.optional) failed++;
    if (status === 'completed' || status === 'failed' || status === 'skipped' || task.optional) return;
    left++;
    if (status === 'suspended')
      blocked.push({ task: task.id, causes: [{ task: task.id, status: wordFor(task.id, status) }] });
    if (status !== 'blocked') return;
    blocked.push({
      task: task.id,
      causes: causes.of(i).map((cause) => ({ task: cause.task, status: wordFor(cause.task, cause.status) })),
    });
  });
  const canGoOn = plan.live > 0 || plan.ready.size > 0;
  return {
    deadlocked: left > 0 && !canGoOn,
    complete: left === 0 && failed === 0 && !canGoOn,
    blocked,
    cycles,
    unknown,
  };
}

/** Leaves whose needs are all completed; best first: by priority, then in the order of the list. */
export function findReadyTasks<T extends ListedTask>(tasks: readonly T[]): T[] {
  const { plan, given } = knowList(tasks);
  return plan.ready.inOrder().map((i) => given.get(plan.plan.tasks[i]!.id) as T);
}

export interface SlotLimits {
  /** 3 by default; 0 lets none start. */
  readonly maxParallel?: number;
  /** By model or resource: haiku 5, sonnet 3, opus 1 by default. */
  readonly pools?: Readonly<Record<string, number>>;
}

/** How many of the ready tasks can start now, and which: a full pool keeps back its own tasks and no others. */
export function calculateAvailableSlots(
  tasks: readonly ListedTask[],
  { maxParallel = defaultMaxParallel, pools = {} }: SlotLimits = {},
): { readonly slots: number; readonly start: readonly string[] } {
  const { state, plan } = knowList(tasks);
  const limits = { plan: maxParallel, pools: { ...defaultPools, ...pools } };
  const record = (event: Event): void => evolve(state, { ...event, seq: state.seq + 1, at: 1 } as StoredEvent);
  const start: string[] = [];
  for (let next = nextAdmissible(state, plan, limits); next; next = nextAdmissible(state, plan, limits)) {
    const { id } = plan.plan.tasks[next.task]!;
    schedule(state, record, id);
    start.push(id);
  }
  return { slots: start.length, start };
}

export interface CircuitTask {
  /** Made so far. */
  readonly attempts: number;
  /** What each rejection said, the last one last. */
  readonly rejections?: readonly (readonly (string | { readonly message: string })[])[];
}

export interface CircuitLimits {
  /** 5 by default. */
  readonly maxAttempts?: number;
  /** The same rejection so often in a row is a loop; 3 by default. */
  readonly sameRejections?: number;
}

export function checkCircuitBreaker(
  { attempts, rejections = [] }: CircuitTask,
  { maxAttempts = attemptsCap, sameRejections = defaultLivelock.sameRejections }: CircuitLimits = {},
): { readonly tripped: boolean; readonly reason: string | null } {
  if (attempts >= maxAttempts) return { tripped: true, reason: `${attempts} attempts were made, of ${maxAttempts}` };
  const last = rejections
    .slice(-sameRejections)
    .map((issues) =>
      fingerprintOf(
        issues.map((issue) => (typeof issue === 'string' ? { message: issue } : { message: issue.message })),
      ),
    );
  const isSame = last.length >= sameRejections && last.every((one) => one === last[0]);
  return { tripped: isSame, reason: isSame ? `rejected ${sameRejections} times in a row for the same reason` : null };
}
