// Makes the state of a plan from its definition and the recorded state of its tasks; everything derived is computed here.
import { Batches } from './batches.ts';
import { Closers } from './closing-tasks.ts';
import type { OpenDecision } from './decision.ts';
import { DecisionBook, enter, lookAtPlan } from './decision-book.ts';
import type { Derived } from './derived.ts';
import { buildGraph, indexTasks } from './graph.ts';
import { IndexedHeap } from './indexed-heap.ts';
import { noCounts } from './no-counts.ts';
import type { Plan, Task } from './plan.ts';
import { wantsOf } from './plan-locks.ts';
import { ReadyQueue } from './ready-queue.ts';
import { refreshAll } from './refresh.ts';
import { selectLeaves } from './selection.ts';
import type { Loops, PlanState, State, TaskState } from './state.ts';
import { verdictOn } from './verdict.ts';

export interface PlanRecord
  extends Pick<
    PlanState,
    'paused' | 'run' | 'runs' | 'loadedAt' | 'changedAt' | 'revision' | 'definedAt' | 'baseline' | 'loops' | 'history'
  > {
  readonly plan: Plan;
  readonly tasks: TaskState[];
  readonly decisions: readonly OpenDecision[];
}

/** `derived`: what was derived from just this record before. */
export function createPlanState(record: PlanRecord, seq: number, derived: Derived | null = null): PlanState {
  const { plan, tasks } = record;
  const index = indexTasks(plan);
  const graph = derived?.graph ?? buildGraph(plan, index);
  const place = new Int32Array(tasks.length).fill(-1);
  const closing = plan.tasks.flatMap((task, i) => (task.closes === undefined ? [] : i));
  const state: PlanState = {
    ...record,
    path: plan.path,
    graph,
    index,
    signals: derived?.signals ?? new Uint8Array(graph.nodes),
    waiting: derived?.waiting ?? new Int32Array(graph.nodes),
    bad: derived?.bad ?? new Int32Array(graph.nodes),
    ready: new ReadyQueue(plan, tasks, derived ?? undefined),
    backoff: new IndexedHeap(place, (a, b) => tasks[a]!.notBefore < tasks[b]!.notBefore),
    counted: derived?.counted ?? new Array(tasks.length).fill(null),
    counts: derived?.counts ?? { required: noCounts(), optional: noCounts() },
    unjudged: new Set(),
    toCheck: new Set(),
    toReview: new Set(),
    closing,
    closers: new Closers(plan, closing),
    decisions: new Map(),
    book: new DecisionBook(),
    batches: new Batches(plan),
    reviewing: 0,
    selected: null,
    takesLocks: plan.tasks.some((task) => wantsOf(task).length > 0),
    heldBack: new Set(),
    live: 0,
  };
  if (record.run?.selection && !record.run.ended) state.selected = selectLeaves(state, record.run.selection);
  tasks.forEach((task, i) => {
    if (task.live) state.live++;
    if (task.live?.job.kind === 'review') state.reviewing = task.live.token;
    if (task.after) state.heldBack.add(i);
  });
  for (const i of inOrderOfArrival(tasks)) sortOut(state, i);
  for (const decision of record.decisions) enter(state, decision);
  if (derived) {
    for (const task of derived.ready) state.ready.add(task);
    for (const task of derived.backoff) state.backoff.add(task);
    if (state.batches.size > 0) recount(state);
  } else refreshAll(state, seq);
  lookAtPlan(state);
  return state;
}

function inOrderOfArrival(tasks: readonly TaskState[]): number[] {
  const ended = tasks.flatMap((task, i) => (task.ended ? i : []));
  return ended.sort((a, b) => tasks[a]!.ended!.since - tasks[b]!.ended!.since);
}

function recount({ batches, counted, plan, graph }: PlanState): void {
  counted.forEach((status, i) => {
    if (status !== null) batches.move(plan.tasks[i]!.phase, null, status, graph.optional[i] === 1);
  });
}

/** What still runs for tasks that the plan no longer has keeps its place until it is dead. */
export function countStrays({ live: all }: State, plan: PlanState): void {
  for (const live of all.values()) {
    if (live.plan !== plan.path || plan.index.has(live.task)) continue;
    plan.live++;
    if (live.job.kind === 'review') plan.reviewing = live.token;
  }
}

/** What is to be done next about the task's attempt that has ended. */
export function sortOut(plan: PlanState, i: number): void {
  const step = nextStep(plan.plan.tasks[i]!, plan.tasks[i]!);
  put(plan.unjudged, i, step === 'judge');
  put(plan.toCheck, i, step === 'check');
  put(plan.toReview, i, step === 'review');
}

function put(set: Set<number>, i: number, belongs: boolean): void {
  if (belongs) set.add(i);
  else set.delete(i);
}

/** Null: it has not ended, somebody is at work on it, or a person was asked. */
function nextStep(task: Task, { ended, live }: TaskState): 'judge' | 'check' | 'review' | null {
  if (ended === null || live !== null) return null;
  const verdict = verdictOn(task, ended);
  if (verdict.kind === 'check') return 'check';
  if (verdict.kind !== 'review') return 'judge';
  if (verdict.by === 'agent') return 'review';
  return ended.asked === null ? 'judge' : null;
}

export const noLoops = (): Loops => ({ idle: [], blames: {}, files: {} });
