// Makes the state of a plan from its definition and the recorded state of its tasks; everything derived is computed here.
import type { OpenDecision } from './decision.ts';
import type { Derived } from './derived.ts';
import { buildGraph, indexTasks } from './graph.ts';
import { IndexedHeap } from './indexed-heap.ts';
import { noCounts } from './no-counts.ts';
import type { Plan } from './plan.ts';
import { wantsOf } from './plan-locks.ts';
import { ReadyQueue } from './ready-queue.ts';
import { refreshAll } from './refresh.ts';
import { selectLeaves } from './selection.ts';
import type { Loops, PlanState, TaskState } from './state.ts';

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
    closing: plan.tasks.flatMap((task, i) => (task.closes === undefined ? [] : i)),
    decisions: new Map(record.decisions.map((decision) => [decision.id, decision])),
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
    if (isUnjudged(task)) state.unjudged.add(i);
    if (task.after) state.heldBack.add(i);
  });
  if (derived) {
    for (const task of derived.ready) state.ready.add(task);
    for (const task of derived.backoff) state.backoff.add(task);
  } else refreshAll(state, seq);
  return state;
}

/** Its attempt has ended, and nobody is at work on that or was asked. */
export const isUnjudged = ({ ended, live }: TaskState): boolean =>
  ended !== null && live === null && (ended.asked === null || ended.verdict !== null || ended.failure !== null);

export const noLoops = (): Loops => ({ idle: [], blames: {}, files: {} });
