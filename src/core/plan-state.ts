// Makes the state of a plan from its definition and the recorded state of its tasks; everything derived is computed here.
import { Batches } from './batches.ts';
import { Closers } from './closing-tasks.ts';
import { columnsOf } from './columns.ts';
import type { OpenDecision } from './decision.ts';
import { DecisionBook, enter, lookAtPlan } from './decision-book.ts';
import type { Derived } from './derived.ts';
import { buildGraph, indexTasks } from './graph.ts';
import { IndexedHeap } from './indexed-heap.ts';
import { noCounts } from './no-counts.ts';
import type { Plan, Task } from './plan.ts';
import { ReadyQueue } from './ready-queue.ts';
import { refreshAll } from './refresh.ts';
import { selectLeaves } from './selection.ts';
import type { Loops, PlanState, State, TaskPlaces, TaskState } from './state.ts';
import { placesOf, statusAt } from './status-code.ts';
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

/** What is not like most tasks, so that nobody has to look through all of them. */
export interface Notable {
  /** Their attempt has ended and was not judged, in the order of arrival. */
  readonly ended: readonly number[];
  /** A deadlock has put them behind somebody. */
  readonly heldBack: readonly number[];
  /** They have failed, or have failed or been rejected before. */
  readonly tried: readonly number[];
  readonly live: readonly number[];
}

export function notableOf(tasks: readonly TaskState[]): Notable {
  const [ended, heldBack, tried, live]: number[][] = [[], [], [], []];
  tasks.forEach((task, i) => {
    if (task.ended) ended!.push(i);
    if (task.after) heldBack!.push(i);
    if (hasFailed(task)) tried!.push(i);
    if (task.live) live!.push(i);
  });
  ended!.sort((a, b) => tasks[a]!.ended!.since - tasks[b]!.ended!.since);
  return { ended: ended!, heldBack: heldBack!, tried: tried!, live: live! };
}

export const hasFailed = ({ status, failures, rejections }: TaskState): boolean =>
  status === 'failed' || failures + rejections > 0;

/** What was found before for just this record. */
export interface Known {
  readonly derived: Derived | null;
  readonly notable: Notable;
  readonly index: TaskPlaces;
}

export function createPlanState(record: PlanRecord, seq: number, known?: Known): PlanState {
  const { plan, tasks } = record;
  const derived = known?.derived;
  const notable = known?.notable ?? notableOf(tasks);
  const index = known?.index ?? indexTasks(plan);
  const columns = derived?.columns ?? columnsOf(plan);
  const graph = derived?.graph ?? buildGraph(plan, index);
  const place = new Int32Array(tasks.length).fill(-1);
  const closing = placesOf(columns.closes, 1);
  const state: PlanState = {
    ...record,
    path: plan.path,
    graph,
    index,
    columns,
    signals: derived?.signals ?? new Uint8Array(graph.nodes),
    waiting: derived?.waiting ?? new Int32Array(graph.nodes),
    bad: derived?.bad ?? new Int32Array(graph.nodes),
    ready: new ReadyQueue(plan, tasks, columns, derived ?? undefined),
    backoff: new IndexedHeap(place, (a, b) => tasks[a]!.notBefore < tasks[b]!.notBefore),
    counted: derived?.counted ?? new Uint8Array(tasks.length),
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
    takesLocks: columns.locks.includes(1),
    heldBack: new Set(notable.heldBack),
    tried: new Set(notable.tried),
    live: notable.live.length,
  };
  if (record.run?.selection && !record.run.ended) state.selected = selectLeaves(state, record.run.selection);
  for (const i of notable.live) {
    const { job, token } = tasks[i]!.live!;
    if (job.kind === 'review') state.reviewing = token;
  }
  for (const i of notable.ended) sortOut(state, i);
  for (const decision of record.decisions) enter(state, decision);
  if (derived) {
    state.ready.restore(derived.ready);
    state.backoff.restore(derived.backoff);
    if (state.batches.size > 0) recount(state);
  } else refreshAll(state, seq);
  lookAtPlan(state);
  return state;
}

function recount({ batches, counted, columns, graph }: PlanState): void {
  counted.forEach((code, i) => {
    const status = statusAt(code);
    if (status !== null) batches.move(columns.phase[i]!, null, status, graph.optional[i] === 1);
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
