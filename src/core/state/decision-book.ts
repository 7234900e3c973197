// An index of the open decisions, kept up to date: with a thousand of them, frequent steps must not search all.
import type { OpenDecision } from '../model/decision.ts';
import type { DecisionId, TaskId } from '../model/ids.ts';
import { isOvertaken } from '../rules/overtaken-decisions.ts';
import type { PlanState } from './state.ts';

export class DecisionBook {
  /** By task: the decisions about it or because of it. */
  readonly byTask = new Map<TaskId, Set<DecisionId>>();
  /** About the plan, or a phase. */
  readonly ofPlan = new Set<DecisionId>();
  /** These need no answer any more. */
  readonly overtaken = new Set<DecisionId>();
  /** How many stop the whole plan until they are answered. */
  holding = 0;
  /** The nearest one; Infinity for none. */
  deadline = Number.POSITIVE_INFINITY;
}

export function enter(plan: PlanState, decision: OpenDecision): void {
  const { book } = plan;
  strike(plan, decision.id);
  plan.decisions.set(decision.id, decision);
  for (const task of tasksOf(decision)) {
    const known = book.byTask.get(task);
    if (known) known.add(decision.id);
    else book.byTask.set(task, new Set([decision.id]));
  }
  if (decision.task === undefined) book.ofPlan.add(decision.id);
  if (holds(decision)) book.holding++;
  book.deadline = Math.min(book.deadline, deadlineIn(decision));
  look(plan, decision.id);
}

export function strike(plan: PlanState, id: DecisionId): OpenDecision | undefined {
  const { book, decisions } = plan;
  const decision = decisions.get(id);
  if (!decision) return undefined;
  decisions.delete(id);
  book.overtaken.delete(id);
  book.ofPlan.delete(id);
  for (const task of tasksOf(decision)) {
    const known = book.byTask.get(task)!;
    known.delete(id);
    if (known.size === 0) book.byTask.delete(task);
  }
  if (holds(decision)) book.holding--;
  if (deadlineIn(decision) === book.deadline && book.deadline !== Number.POSITIVE_INFINITY) {
    book.deadline = Number.POSITIVE_INFINITY;
    for (const other of decisions.values()) book.deadline = Math.min(book.deadline, deadlineIn(other));
  }
  return decision;
}

/** The task or its derived state has changed. */
export function lookAgain(plan: PlanState, task: number): void {
  if (plan.book.byTask.size === 0) return;
  for (let at: number | undefined = task; at !== undefined; at = plan.plan.tasks[at]!.parent) {
    for (const id of plan.book.byTask.get(plan.plan.tasks[at]!.id) ?? []) look(plan, id);
  }
}

/** A run has started or ended, or a phase has. */
export function lookAtPlan(plan: PlanState): void {
  for (const id of plan.book.ofPlan) look(plan, id);
}

function look(plan: PlanState, id: DecisionId): void {
  if (isOvertaken(plan, plan.decisions.get(id)!)) plan.book.overtaken.add(id);
  else plan.book.overtaken.delete(id);
}

/** Its own task, preferred ones, and the first of those it blocks: their change may make the decision needless. */
function tasksOf({ kind, task, evidence, blocks }: OpenDecision): Set<TaskId> {
  const preferred = evidence?.kind === 'preferred' ? evidence.tasks : [];
  const isAboutThem = kind === 'failure' || kind === 'stuck' || kind === 'livelock' || kind === 'merge';
  return new Set([...(task === undefined ? [] : [task]), ...preferred, ...(isAboutThem ? blocks.tasks : [])]);
}

/** A loop of the whole plan: nothing more starts before a person has answered. */
const holds = ({ kind, task }: OpenDecision): boolean => kind === 'livelock' && task === undefined;

const deadlineIn = ({ deadline }: OpenDecision): number => deadline ?? Number.POSITIVE_INFINITY;
