// The root causes that stand in the way of a task, however deep the chain. They are computed from the state each time and never
// stored, so repairing one of two causes can never unblock a task by mistake.

import type { Cause } from '../model/event.ts';
import type { Limits } from '../model/run-event.ts';
import { closedFor, hasClosed } from '../ready/closed-for.ts';
import { LEAF } from '../ready/graph.ts';
import { leafStatus } from '../ready/refresh.ts';
import { BAD, spoils, waits } from '../ready/signal.ts';
import type { PlanState } from '../state/state.ts';

/** Task indices, sorted. Chains share one set, so 100,000 blocked tasks share one array. */
type Causes = readonly number[];
const none: Causes = [];

export class RootCauses {
  private readonly plan: PlanState;
  private readonly limits: Limits | null;
  private readonly known = new Map<number, Causes>();
  private readonly described = new Map<Causes, readonly Cause[]>();
  private isClear: boolean | null = null;

  /** @param limits of the run. With them, a ready task kept out by a limit of 0 is a cause too. */
  constructor(plan: PlanState, limits: Limits | null) {
    this.plan = plan;
    this.limits = limits;
  }

  /**
   * The causes that keep a leaf, or a group, from completing. Empty when nothing stands in the way. Tasks with the same causes get
   * the same array.
   */
  of(task: number): readonly Cause[] {
    this.isClear ??= isClear(this.plan, this.limits);
    const causes = this.isClear ? none : this.search(this.plan.graph.end[task]!);
    const known = this.described.get(causes);
    if (known) return known;
    const described = causes.map((cause) => this.describe(cause));
    this.described.set(causes, described);
    return described;
  }

  private describe(task: number): Cause {
    const id = this.plan.plan.tasks[task]!.id;
    const status = leafStatus(this.plan, task) as Cause['status'];
    if (status !== 'pending') return { task: id, status };
    return { task: id, status, limit: closedFor(this.plan, task, this.limits!)! };
  }

  /** Depth first without recursion: a node comes after everything it waits for. */
  private search(start: number): Causes {
    const stack = [start];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const causes = this.known.get(node) ?? this.ownCause(node) ?? this.inherited(node, stack);
      if (causes === null) continue;
      this.known.set(node, causes);
      stack.pop();
    }
    return this.known.get(start)!;
  }

  /** Null: the causes of something it waits for are not known yet; that node is on the stack now. */
  private inherited(node: number, stack: number[]): Causes | null {
    const nodes = this.inTheWay(node);
    const before = stack.length;
    for (const to of nodes) if (!this.known.has(to)) stack.push(to);
    return stack.length > before ? null : this.union(nodes);
  }

  /** The leaf itself, if it is a cause. Null: look at the nodes it waits for. */
  private ownCause(node: number): Causes | null {
    const { plan, limits } = this;
    if (plan.graph.kind[node] !== LEAF) return null;
    const status = leafStatus(plan, node);
    if (status === 'blocked') return null;
    if (status === 'pending') {
      if (!plan.ready.has(node)) return null;
      return limits !== null && closedFor(plan, node, limits) !== null ? [node] : none;
    }
    return plan.signals[node]! & BAD ? [node] : none;
  }

  private inTheWay(node: number): number[] {
    const { graph, signals } = this.plan;
    const { offset, target, kind } = graph.dependsOn;
    const nodes: number[] = [];
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      if (waits(kind[e]!, signals[to]!) || spoils(kind[e]!, signals[to]!, graph.optional[to]!)) nodes.push(to);
    }
    return nodes;
  }

  /** The largest set, unchanged, if it contains all the others: chains and phases then share one array. */
  private union(nodes: readonly number[]): Causes {
    let largest: Causes = none;
    for (const node of nodes) {
      const causes = this.known.get(node)!;
      if (causes.length > largest.length) largest = causes;
    }
    const more = new Set<number>();
    for (const node of nodes) {
      const causes = this.known.get(node)!;
      if (causes === largest) continue;
      for (const cause of causes) if (!includes(largest, cause)) more.add(cause);
    }
    return more.size === 0 ? largest : [...largest, ...more].sort((a, b) => a - b);
  }
}

/** Whether nothing in the plan can be a cause. That is the usual case, and saves following a chain of 10,000 tasks. */
function isClear({ signals }: PlanState, limits: Limits | null): boolean {
  for (let node = 0; node < signals.length; node++) if (signals[node]! & BAD) return false;
  return limits === null || !hasClosed(limits);
}

/** Binary search. */
function includes(causes: Causes, cause: number): boolean {
  let low = 0;
  let high = causes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (causes[middle]! < cause) low = middle + 1;
    else high = middle;
  }
  return causes[low] === cause;
}
