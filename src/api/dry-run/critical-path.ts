// The longest way through what would run: however many may run at once, the plan takes at least as long as these, one by one.
import type { Graph } from '../../core/ready/graph.ts';
import type { PlanState } from '../../core/state/state.ts';

export interface CriticalPath {
  /** First one first. */
  readonly tasks: readonly number[];
  /** In milliseconds, or in tasks where nothing is known about time. */
  readonly length: number;
}

export function criticalPath({ graph }: PlanState, wouldRun: Uint8Array, durations: Float64Array | null): CriticalPath {
  // A group's start and its leaves have the numbers of their tasks; ends and gates come behind all tasks, and take no time.
  const isStep = (node: number) => wouldRun[node] === 1;
  const { order, length, before } = longestWays(graph, (node) => (isStep(node) ? (durations?.[node] ?? 1) : 0));
  let last = -1;
  for (const node of order) if (isStep(node) && (last === -1 || length[node]! > length[last]!)) last = node;
  const tasks: number[] = [];
  for (let node = last; node !== -1; node = before[node]!) if (isStep(node)) tasks.push(node);
  return { tasks: tasks.reverse(), length: last === -1 ? 0 : length[last]! };
}

export interface Ways {
  /** Every node behind those that it waits for. */
  readonly order: readonly number[];
  /** By node: the longest way that ends with it. */
  readonly length: Float64Array;
  /** By node: the one before it on that way; -1: none. */
  readonly before: Int32Array;
}

export function longestWays(graph: Graph, lengthOf: (node: number) => number): Ways {
  const length = new Float64Array(graph.nodes);
  const before = new Int32Array(graph.nodes).fill(-1);
  const open = new Int32Array(graph.nodes);
  const order: number[] = [];
  for (let n = 0; n < graph.nodes; n++) {
    open[n] = graph.dependsOn.offset[n + 1]! - graph.dependsOn.offset[n]!;
    if (open[n] === 0) order.push(n);
  }
  const { offset, target } = graph.dependents;
  for (let next = 0; next < order.length; next++) {
    const node = order[next]!;
    length[node]! += lengthOf(node);
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      // Ways of equal length: the one with a task in it.
      if (length[node]! > length[to]! || before[to] === -1) {
        length[to] = length[node]!;
        before[to] = node;
      }
      if (--open[to]! === 0) order.push(to);
    }
  }
  return { order, length, before };
}
