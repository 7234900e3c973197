// A plan as nodes and edges: what is written in it, and what its order says. Groups are nodes too, and the needs of a group are its own
// edges. Phases that wait for each other are barriers: an edge for each pair of tasks would hide all others.
import { type Chain, chainsOf } from '../../core/ready/chains.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { GraphBarrier, GraphEdge, GraphNode, GraphReport } from '../reports/graph.ts';

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
      ...(task.closes === undefined ? {} : { closes: task.closes }),
      status: statusOf(state, i),
    }),
  );
  const edges = new Edges();
  for (const { id, needs, prefers } of plan.tasks) {
    for (const from of needs ?? []) edges.add({ from, to: id, kind: 'need' });
    for (const from of prefers ?? []) edges.add({ from, to: id, kind: 'preference' });
  }
  const barriers: GraphBarrier[] = [];
  for (const chain of chainsOf(plan, state.index)) addChain(state, chain, { edges, barriers });
  const phases = plan.phases.map(({ name }) => name);
  const { list } = edges;
  return { plan: plan.path, title: plan.title, order: plan.order, phases, nodes, edges: list, barriers, picture: null };
}

interface Drawn {
  readonly edges: Edges;
  readonly barriers: GraphBarrier[];
}

/** A step of one phase behind a step of another is a barrier, where the order makes phases wait; any other has edges. */
function addChain({ plan }: PlanState, { tasks, ends }: Chain, { edges, barriers }: Drawn): void {
  const isByPhase = plan.order === 'phases' || plan.order === 'spec-kit';
  let before: readonly number[] = [];
  let from = 0;
  for (const end of ends) {
    const step = tasks.slice(from, end);
    from = end;
    if (step.length === 0) continue;
    const [earlier, later] = [plan.tasks[before[0] ?? -1], plan.tasks[step[0]!]!];
    const isClosing = later.closes !== undefined && step.length === 1;
    if (earlier && isByPhase && !isClosing && earlier.phase !== later.phase)
      barriers.push({ from: earlier.phase, to: later.phase });
    else {
      // The last step of the plan comes after its last phase, and so after all.
      const barred = new Set(later.closes === 'plan' ? barriers.map((barrier) => barrier.from) : []);
      const ids = before.flatMap((i) => (barred.has(plan.tasks[i]!.phase) ? [] : [plan.tasks[i]!.id]));
      const last = ids.length > 1 && step.length === 1 ? edges.lastOf(ids) : ids;
      for (const i of step) for (const id of last) edges.add({ from: id, to: plan.tasks[i]!.id, kind: 'order' });
    }
    before = step;
  }
}

class Edges {
  readonly list: GraphEdge[] = [];
  /** By the earlier task: what waits for it, and by which word. */
  private readonly after = new Map<string, Map<string, GraphEdge['kind']>>();

  /** What a need or another chain says, the order need not say again. */
  add(edge: GraphEdge): void {
    const known = this.after.get(edge.from) ?? new Map<string, GraphEdge['kind']>();
    this.after.set(edge.from, known);
    const said = known.get(edge.to);
    if (edge.kind === 'order' && (said === 'need' || said === 'order')) return;
    known.set(edge.to, edge.kind);
    this.list.push(edge);
  }

  /** Those that none of the others waits for: who comes after them comes after all. */
  lastOf(ids: readonly string[]): string[] {
    const all = new Set(ids);
    return ids.filter(
      (id) => ![...(this.after.get(id) ?? [])].some(([to, kind]) => kind !== 'preference' && all.has(to)),
    );
  }
}
