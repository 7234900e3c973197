// What a run would do first, and what then: the tasks in waves, each wave needing only those before it. Nothing is kept.
import type { Limits } from '../core/event.ts';
import { LEAF } from '../core/graph.ts';
import type { PlanState } from '../core/state.ts';
import type { DryRunReport } from './signalbox.ts';

export function dryRunReport(plan: PlanState, limits: Limits, selected: Uint8Array | null): DryRunReport {
  const waves: { id: string; title: string; command: string }[][] = [];
  const depth = depths(plan);
  plan.plan.tasks.forEach((task, i) => {
    const { status } = plan.tasks[i]!;
    if (task.group || selected?.[i] === 0 || (status !== 'pending' && status !== 'in_progress')) return;
    const command = task.keys.run ?? (task.keys.agent === undefined ? '' : `agent ${task.keys.agent}`);
    const at = depth[i]!;
    waves[at] ??= [];
    waves[at].push({ id: task.id, title: task.title, command });
  });
  return {
    plan: plan.path,
    order: plan.plan.order,
    limits: {
      plan: limits.plan,
      pools: limits.pools,
      ...(limits.workspace === undefined ? {} : { workspace: limits.workspace }),
    },
    waves: [...waves].filter((tasks) => tasks !== undefined).map((tasks) => ({ tasks })),
  };
}

/** How many unended leaves lie one behind the other before each node: the longest way, in topological order. */
function depths({ graph, tasks }: PlanState): Int32Array {
  const depth = new Int32Array(graph.nodes);
  const open = new Int32Array(graph.nodes);
  const queue: number[] = [];
  for (let n = 0; n < graph.nodes; n++) {
    open[n] = graph.dependsOn.offset[n + 1]! - graph.dependsOn.offset[n]!;
    if (open[n] === 0) queue.push(n);
  }
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next]!;
    const isStep = graph.kind[node] === LEAF && tasks[node]!.status === 'pending';
    const { offset, target } = graph.dependents;
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      depth[to] = Math.max(depth[to]!, depth[node]! + (isStep ? 1 : 0));
      if (--open[to]! === 0) queue.push(to);
    }
  }
  return depth;
}
