// Builds the state of a plan from its definition and the recorded state of its tasks. Everything derived is computed here.

import type { OpenDecision } from '../model/decision.ts';
import type { Plan, Task } from '../model/plan.ts';
import { selectLeaves } from '../model/selection.ts';
import { Batches } from '../ready/batches.ts';
import { buildGraph } from '../ready/graph.ts';
import { IndexedHeap } from '../ready/indexed-heap.ts';
import { ReadyQueue } from '../ready/ready-queue.ts';
import { refreshAll } from '../ready/refresh.ts';
import { verdictOn } from '../rules/verdict.ts';
import { Closers } from './closing-tasks.ts';
import { DecisionBook, enter, lookAtPlan } from './decision-book.ts';
import { startedTask } from './questions/started-task.ts';
import { noCounts } from './questions/statuses.ts';
import type { Loops, PlanState, State, TaskState } from './state.ts';

export interface PlanRecord
  extends Pick<
    PlanState,
    | 'index'
    | 'paused'
    | 'run'
    | 'runs'
    | 'loadedAt'
    | 'changedAt'
    | 'revision'
    | 'definedAt'
    | 'baseline'
    | 'loops'
    | 'history'
    | 'earlier'
  > {
  readonly plan: Plan;
  readonly tasks: TaskState[];
  readonly decisions: readonly OpenDecision[];
}

export const hasFailed = ({ status, failures, rejections }: TaskState): boolean =>
  status === 'failed' || failures + rejections > 0;

/** Tasks that get ready have the age `seq`. */
export function createPlanState(record: PlanRecord, seq: number): PlanState {
  const { plan, tasks, index } = record;
  const graph = buildGraph(plan, index);
  const place = new Int32Array(tasks.length).fill(-1);
  const closing = placesWhere(plan.tasks, ({ closes }) => closes !== undefined);
  const live = placesWhere(tasks, (task) => task.live !== null);
  const state: PlanState = {
    ...record,
    path: plan.path,
    graph,
    signals: new Uint8Array(graph.nodes),
    waiting: new Int32Array(graph.nodes),
    bad: new Int32Array(graph.nodes),
    ready: new ReadyQueue(plan, tasks),
    backoff: new IndexedHeap(place, (a, b) => tasks[a]!.notBefore < tasks[b]!.notBefore),
    counted: new Array(tasks.length).fill(null),
    counts: { required: noCounts(), optional: noCounts() },
    unjudged: new Set(),
    toCheck: new Set(),
    toReview: new Set(),
    toMerge: new Set(),
    closing,
    closers: new Closers(plan, closing),
    decisions: new Map(),
    book: new DecisionBook(),
    batches: new Batches(plan),
    reviewing: 0,
    merging: 0,
    selected: null,
    takesLocks: plan.tasks.some(declaresLocks),
    hasBudgets: plan.tasks.some(({ keys }) => keys.budgetUsd !== undefined),
    heldBack: new Set(placesWhere(tasks, ({ after }) => after !== null)),
    haveFailed: new Set(placesWhere(tasks, hasFailed)),
    live: live.length,
  };
  if (record.run?.selection && !record.run.ended) state.selected = selectLeaves(state, record.run.selection);
  for (const i of live) {
    const { job, token } = tasks[i]!.live!;
    if (job.kind === 'review') state.reviewing = token;
    if (job.kind === 'merge') state.merging = token;
  }
  const ended = placesWhere(tasks, (task) => task.ended !== null);
  for (const i of ended.sort((a, b) => tasks[a]!.ended!.since - tasks[b]!.ended!.since)) sortOut(state, i);
  for (const decision of record.decisions) enter(state, decision);
  refreshAll(state, seq);
  lookAtPlan(state);
  return state;
}

function placesWhere<T>(items: readonly T[], fits: (item: T) => boolean): number[] {
  const places: number[] = [];
  items.forEach((item, i) => {
    if (fits(item)) places.push(i);
  });
  return places;
}

function declaresLocks({ keys: { files, reads, locks } }: Task): boolean {
  return [files, reads, locks].some((names) => names !== undefined && names.length > 0);
}

/** Attempts of tasks that the plan no longer has keep their slots until they are dead. */
export function countStrays({ live: all }: State, plan: PlanState): void {
  for (const live of all.values()) {
    if (live.plan !== plan.path || plan.index.has(live.task)) continue;
    plan.live++;
    if (live.job.kind === 'review') plan.reviewing = live.token;
    if (live.job.kind === 'merge') plan.merging = live.token;
  }
}

/** The next step for an ended attempt of the task. */
export function sortOut(plan: PlanState, i: number): void {
  const step = nextStep(startedTask(plan, i), plan.tasks[i]!);
  put(plan.unjudged, i, step === 'judge');
  put(plan.toCheck, i, step === 'check');
  put(plan.toReview, i, step === 'review');
  put(plan.toMerge, i, step === 'merge');
}

function put(set: Set<number>, i: number, belongs: boolean): void {
  if (belongs) set.add(i);
  else set.delete(i);
}

/** Null: it has not ended, a job is running for it, or a person was asked. */
function nextStep(task: Task, { ended, live }: TaskState): 'judge' | 'check' | 'review' | 'merge' | null {
  if (ended === null || live !== null) return null;
  const verdict = verdictOn(task, ended);
  if (verdict.kind === 'check' || verdict.kind === 'merge') return verdict.kind;
  if (verdict.kind !== 'review') return 'judge';
  if (verdict.by === 'agent') return 'review';
  return ended.asked === null ? 'judge' : null;
}

export const noLoops = (): Loops => ({ idle: [], blames: {}, files: {} });
