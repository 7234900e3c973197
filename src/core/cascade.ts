// What stands in the way of a task, however deep the chain: the set of its root causes. Computed from the state each time,
// never stored, so that repairing one of two causes can never unblock by mistake.
import { closedFor } from './capacity.ts';
import type { Cause, Limits } from './event.ts';
import { LEAF } from './graph.ts';
import { leafStatus } from './refresh.ts';
import { spoils, waits } from './signal.ts';
import type { PlanState } from './state.ts';

/** Task indices, sorted. Chains share one set, so that 100,000 blocked tasks cost no more than one each. */
type Causes = readonly number[];
const none: Causes = [];

export class RootCauses {
  private readonly plan: PlanState;
  private readonly limits: Limits | null;
  private readonly known = new Map<number, Causes>();

  /** @param limits of the run; with them, a ready task that a limit of 0 keeps out is a cause too. */
  constructor(plan: PlanState, limits: Limits | null) {
    this.plan = plan;
    this.limits = limits;
  }

  /** Why a leaf, or the end of a group, cannot come to a good end by itself. Empty when nothing stands in its way. */
  of(task: number): Cause[] {
    return this.search(this.plan.graph.end[task]!).map((cause) => this.describe(cause));
  }

  private describe(task: number): Cause {
    const id = this.plan.plan.tasks[task]!.id;
    const status = leafStatus(this.plan, task) as Cause['status'];
    if (status !== 'pending') return { task: id, status };
    return { task: id, status, limit: closedFor(this.plan, task, this.limits!)! };
  }

  /** Depth first without recursion: a node is worked out once everything it waits for is. */
  private search(start: number): Causes {
    const { graph } = this.plan;
    const stack = [start];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const own = this.known.has(node) ? null : this.ownCause(node);
      if (own !== null) this.known.set(node, own);
      const ahead = this.known.has(node) ? [] : this.inTheWay(node).filter((n) => !this.known.has(n));
      if (ahead.length > 0) {
        stack.push(...ahead);
        continue;
      }
      if (!this.known.has(node)) this.known.set(node, this.union(this.inTheWay(node)));
      stack.pop();
    }
    return graph.nodes === 0 ? none : this.known.get(start)!;
  }

  /** A leaf that stands in the way by itself. Null: whatever it waits for does. */
  private ownCause(node: number): Causes | null {
    const { plan, limits } = this;
    if (plan.graph.kind[node] !== LEAF) return null;
    const status = leafStatus(plan, node);
    if (status === 'blocked') return null;
    if (status === 'pending') {
      if (!plan.ready.has(node)) return null;
      return limits !== null && closedFor(plan, node, limits) !== null ? [node] : none;
    }
    const inTheWay = status === 'failed' || status === 'suspended' || status === 'skipped';
    return inTheWay ? [node] : none;
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

  private union(nodes: readonly number[]): Causes {
    let all: Causes = none;
    for (const node of nodes) {
      const more = this.known.get(node)!;
      if (all === none || all === more) all = more;
      else if (more !== none) all = [...new Set([...all, ...more])].sort((a, b) => a - b);
    }
    return all;
  }
}
