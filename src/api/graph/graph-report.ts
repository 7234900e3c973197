// A plan as nodes and edges, as it was written. Groups are nodes too, and the needs of a group are its own edges.
import type { PlanState } from '../../core/state/state.ts';
import { statusOf } from '../../core/state/status.ts';
import type { GraphEdge, GraphNode, GraphReport } from '../reports/graph.ts';

export function graphReport(state: PlanState): GraphReport {
  const { plan } = state;
  const nodes = plan.tasks.map(
    (task, i): GraphNode => ({
      id: task.id,
      title: task.title,
      phase: task.phase,
      ...(task.parent === undefined ? {} : { parent: plan.tasks[task.parent]!.id }),
      ...(task.group ? { group: true } : {}),
      ...(task.optional ? { optional: true } : {}),
      status: statusOf(state, i),
    }),
  );
  const edges: GraphEdge[] = [];
  for (const { id, needs, prefers } of plan.tasks) {
    for (const from of needs ?? []) edges.push({ from, to: id, kind: 'need' });
    for (const from of prefers ?? []) edges.push({ from, to: id, kind: 'preference' });
  }
  const phases = plan.phases.map(({ name }) => name);
  return { plan: plan.path, title: plan.title, order: plan.order, phases, nodes, edges, picture: null };
}
