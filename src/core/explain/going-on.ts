// The tasks that go on while a decision is open: they run, or will start by themselves. Everything else waits for a person too, even
// if it is not blocked.
//
//   stands still                                         because
//   nothing new starts                                   no run, paused, stopping, no attempts left, or a loop of the whole plan
//   it was asked about, or is under review by a person   only an answer helps
//   it will be asked about                               it prefers a task that ended badly, and says soft-failure: ask
//   it is not selected, or a limit of 0 keeps it out     this run never starts it
//   it waits for one of these
import type { Names } from '../model/decision.ts';
import { closedFor, hasClosed } from '../ready/closed-for.ts';
import { LEAF, PREFER } from '../ready/graph.ts';
import { IntSet } from '../ready/int-set.ts';
import { leafStatus } from '../ready/refresh.ts';
import { BAD, ENDED, spoils, waits } from '../ready/signal.ts';
import { isAdmitting } from '../rules/outcome.ts';
import { leavesOf } from '../state/questions/status.ts';
import type { PlanState } from '../state/state.ts';

export interface AskedAbout {
  /** Index of the task; -1: the plan. */
  readonly about: number;
  /** Leaves that it blocks. */
  readonly blocked: readonly number[];
  /** A runner is at work. */
  readonly isRunning: boolean;
  /** Nothing more starts before it is answered. */
  readonly holds?: boolean;
}

const mostNamed = 20;
const mostLookedAt = 2_000;

/** All are counted, and some near the task in the plan are named. */
export function goingOn(plan: PlanState, { about, blocked, isRunning, holds = false }: AskedAbout): Names {
  const isLetOn = isRunning && (plan.run!.stopping === null || plan.run!.stopping.mode === 'drain');
  const starts = isLetOn && !holds && isAdmitting(plan);
  const still = standingStill(plan, about);
  const except = new IntSet(plan.plan.tasks.length);
  for (const i of [...(about === -1 ? [] : [about]), ...blocked]) except.add(i);
  const isGoing = (i: number): boolean => {
    const { group, closes } = plan.plan.tasks[i]!;
    if (group || closes !== undefined || except.has(i) || still?.has(i)) return false;
    const status = leafStatus(plan, i);
    if (status === 'in_progress') return isLetOn || plan.tasks[i]!.hand !== null;
    return status === 'pending' && starts;
  };
  const all = plan.plan.tasks.length;
  // One of a thousand failures must not look at all tasks, in the usual case that nothing stands still.
  const isUsual = starts && still === null;
  const most = isUsual ? Math.min(all, mostLookedAt) : all;
  const found: number[] = [];
  let count = isUsual ? countUsual(plan, except.inOrder()) : 0;
  for (let n = 1; n <= most && !(isUsual && found.length >= Math.min(count, mostNamed)); n++) {
    const i = (about + n) % all;
    if (!isGoing(i)) continue;
    if (found.length < mostNamed) found.push(i);
    if (!isUsual) count++;
  }
  return { count, tasks: found.sort((a, b) => a - b).map((i) => plan.plan.tasks[i]!.id) };
}

/** From the counts that are kept. */
function countUsual(plan: PlanState, except: readonly number[]): number {
  const { required, optional } = plan.counts;
  const left = except.filter((i) => {
    const status = leafStatus(plan, i);
    return plan.plan.tasks[i]!.closes === undefined && (status === 'pending' || status === 'in_progress');
  });
  return required.pending + required.in_progress + optional.pending + optional.in_progress - left.length;
}

/** Nodes of the graph; null: none. */
function standingStill(plan: PlanState, about: number): IntSet | null {
  const roots = [...underQuestion(plan), ...neverStarted(plan), ...willBeAskedAbout(plan, about)];
  return roots.length === 0 ? null : withDependents(plan, roots);
}

/** Leaves, and other nodes of the graph, that only an answer to an open question lets on; null: none. */
export function waitingForAnswers(plan: PlanState): IntSet | null {
  const roots = underQuestion(plan);
  return roots.length === 0 ? null : withDependents(plan, roots);
}

function underQuestion(plan: PlanState): number[] {
  const found: number[] = [];
  for (const { kind, task } of plan.decisions.values()) {
    if (kind === 'review' || kind === 'soft-failure') found.push(plan.index.get(task!)!);
  }
  return found;
}

function neverStarted(plan: PlanState): number[] {
  const { run, selected } = plan;
  const isClosed = run !== null && hasClosed(run.limits);
  if (!selected && !isClosed) return [];
  return plan.plan.tasks.flatMap(({ group }, i) => {
    if (group || leafStatus(plan, i) !== 'pending') return [];
    return selected?.[i] === 0 || (isClosed && closedFor(plan, i, run.limits) !== null) ? i : [];
  });
}

/** Follows what the failure spoils, and looks who prefers any of it. */
function willBeAskedAbout(plan: PlanState, about: number): number[] {
  if (about === -1) return [];
  const { graph } = plan;
  const { offset, target, kind } = graph.dependents;
  const found: number[] = [];
  const seen = new IntSet(graph.nodes);
  const queue = [...leavesOf(plan, about), graph.end[about]!];
  for (const node of queue) seen.add(node);
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      if (kind[e] === PREFER) found.push(...leavesOf(plan, graph.task[to]!).filter((leaf) => asks(plan, leaf)));
      if (seen.has(to) || !spoils(kind[e]!, BAD, graph.optional[node]!)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return found;
}

const asks = (plan: PlanState, leaf: number): boolean =>
  plan.plan.tasks[leaf]!.keys.softFailure === 'ask' &&
  !plan.tasks[leaf]!.goesOn &&
  plan.tasks[leaf]!.status === 'pending';

function withDependents({ graph, signals, tasks }: PlanState, roots: readonly number[]): IntSet {
  const { offset, target, kind } = graph.dependents;
  const still = new IntSet(graph.nodes);
  const queue = [...roots];
  for (const node of queue) still.add(node);
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      if (still.has(to) || signals[to]! & ENDED || !waits(kind[e]!, signals[node]!)) continue;
      // It was started before its need was opened again.
      if (graph.kind[to] === LEAF && tasks[to]!.status === 'in_progress') continue;
      still.add(to);
      queue.push(to);
    }
  }
  return still;
}
