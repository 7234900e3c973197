// The limits that hold tasks of a plan back now, each with how many: what people want to see while nothing happens.
import type { TaskId } from '../model/ids.ts';
import { type ClosedAccount, closedAccount, closedNow } from '../ready/capacity.ts';
import { purseOf, type Short, shortFor } from '../rules/budget.ts';
import { reviewAccountOf } from '../rules/quota.ts';
import type { PlanState, State } from '../state/state.ts';

export type HeldBack =
  /** `until` 0: its time is over, and one attempt tries it. */
  | ({ readonly kind: 'quota'; readonly tasks: number } & ClosedAccount)
  /** `task`: whose budget it is; absent: the run's. */
  | ({ readonly kind: 'budget'; readonly tasks: number; readonly task?: TaskId } & Omit<Short, 'of'>);

/** @param selected by task, what it is about; null: everything. */
export function heldBack(state: State, plan: PlanState, selected = plan.selected): HeldBack[] {
  const limits = plan.run?.limits;
  // Before its first run nobody knows which accounts a plan uses.
  if (!limits || (state.accounts.size === 0 && !plan.hasBudgets && limits.budgetUsd === undefined)) return [];
  const purse = purseOf(state, plan, limits);
  const found = new Map<string, HeldBack>();
  const add = (name: string, held: HeldBack) => {
    const known = found.get(name);
    found.set(name, known ? { ...known, tasks: known.tasks + 1 } : held);
  };
  const look = (i: number, closed: ClosedAccount | null, short: Short | null) => {
    if (closed) add(closed.account, { kind: 'quota', ...closed, tasks: 1 });
    if (!short) return;
    const { of, ...budget } = short;
    const { id } = plan.plan.tasks[i]!;
    if (of === 'task') add(`task ${id}`, { kind: 'budget', task: id, ...budget, tasks: 1 });
    else add('run', { kind: 'budget', ...budget, tasks: 1 });
  };
  for (const i of plan.toReview) look(i, closedNow(state, reviewAccountOf(plan)), shortFor(plan, i, purse, 'review'));
  for (const i of [...plan.ready.inOrder(), ...plan.backoff.all()])
    if (selected?.[i] !== 0) look(i, closedAccount(state, plan, i), shortFor(plan, i, purse));
  return [...found.values()];
}
