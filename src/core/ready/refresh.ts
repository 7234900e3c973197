// Keeps the derived part of a plan's state in step with the recorded part. Each change of a task costs only what depends on
// it: counters per node say how much a node still waits for and how much of it is bad, and a change ripples along edges.
import { lookAgain, lookAtPlan } from '../state/decision-book.ts';
import type { PlanState, Status } from '../state/state.ts';
import { GROUP_END, LEAF } from './graph.ts';
import { BAD, ENDED, GOOD, SKIPPED, spoils, waits } from './signal.ts';

/** Recomputes what follows from a change of the task's recorded state. Tasks that get ready have the age `seq`. */
export function refresh(plan: PlanState, task: number, seq: number): void {
  ripple(plan, [task], seq);
}

/** Computes everything derived from scratch. */
export function refreshAll(plan: PlanState, seq: number): void {
  const { graph } = plan;
  for (let node = 0; node < graph.nodes; node++) {
    plan.waiting[node] = graph.dependsOn.offset[node + 1]! - graph.dependsOn.offset[node]!;
  }
  const queue: number[] = [];
  // Backwards, so that the queue is worked off in the order of the plan.
  for (let node = graph.nodes - 1; node >= 0; node--) queue.push(node);
  ripple(plan, queue, seq);
}

/** Leaves come last: while counters change one by one, a leaf may look ready for a moment. */
function ripple(plan: PlanState, queue: number[], seq: number): void {
  const leaves: number[] = [];
  while (queue.length > 0) {
    const node = queue.pop()!;
    if (plan.graph.kind[node] === LEAF) leaves.push(node);
    refreshNode(plan, node, queue);
  }
  for (const leaf of leaves) refreshLeaf(plan, leaf, seq);
}

function refreshNode(plan: PlanState, node: number, queue: number[]): void {
  const { graph, signals, waiting, bad } = plan;
  const before = signals[node]!;
  const after = signalOf(plan, node);
  if (before === after) return;
  signals[node] = after;
  const { offset, target, kind } = graph.dependents;
  for (let e = offset[node]!; e < offset[node + 1]!; e++) {
    const waitsMore = waits(kind[e]!, after) - waits(kind[e]!, before);
    const optional = graph.optional[node]!;
    const spoilsMore = spoils(kind[e]!, after, optional) - spoils(kind[e]!, before, optional);
    if (waitsMore === 0 && spoilsMore === 0) continue;
    waiting[target[e]!]! += waitsMore;
    bad[target[e]!]! += spoilsMore;
    queue.push(target[e]!);
  }
}

function signalOf(plan: PlanState, node: number): number {
  const waiting = plan.waiting[node]! > 0;
  const bad = plan.bad[node]! > 0;
  switch (plan.graph.kind[node]) {
    case LEAF:
      return leafSignal(plan, node);
    case GROUP_END:
      return (waiting ? 0 : ENDED) | (bad ? BAD : 0) | (waiting || bad ? 0 : GOOD);
    default: // a group's start, or a gate
      if (bad) return ENDED | BAD;
      return waiting ? 0 : ENDED | GOOD;
  }
}

function leafSignal(plan: PlanState, task: number): number {
  switch (leafStatus(plan, task)) {
    case 'pending':
    case 'in_progress':
      return 0;
    case 'completed':
      return ENDED | GOOD;
    case 'skipped':
      return plan.tasks[task]!.treatAsDone ? ENDED | GOOD | SKIPPED : ENDED | BAD | SKIPPED;
    default: // failed, suspended, blocked
      return ENDED | BAD;
  }
}

/** As people see it: a pending task is `blocked` when a dependency of it is bad. */
export function leafStatus(plan: PlanState, task: number): Status {
  const { status } = plan.tasks[task]!;
  return status === 'pending' && plan.bad[task]! > 0 ? 'blocked' : status;
}

function refreshLeaf(plan: PlanState, task: number, seq: number): void {
  const status = leafStatus(plan, task);
  if (plan.plan.tasks[task]!.closes === undefined) count(plan, task, status);
  const state = plan.tasks[task]!;
  const free = status === 'pending' && state.live === null && state.hold === null && plan.waiting[task] === 0;
  if (free && state.notBefore === 0) {
    if (state.age === 0) state.age = seq;
    plan.ready.add(task);
  } else plan.ready.remove(task);
  if (free && state.notBefore > 0) plan.backoff.add(task);
  else plan.backoff.remove(task);
  lookAgain(plan, task);
}

function count(plan: PlanState, task: number, status: Status): void {
  const counts = plan.graph.optional[task] ? plan.counts.optional : plan.counts.required;
  const counted = plan.counted[task]!;
  if (counted !== null) counts[counted]--;
  counts[status]++;
  plan.counted[task] = status;
  if (plan.batches.size === 0 || counted === status) return;
  const isOptional = plan.graph.optional[task] === 1;
  if (plan.batches.move(plan.plan.tasks[task]!.phase, counted, status, isOptional)) lookAtPlan(plan);
}
