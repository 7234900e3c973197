// A plan too large for a readable picture is drawn with its groups closed. If that is not enough, every phase becomes one box.
// Edges then join the boxes that are left.
import type { Status } from '../../core/state/state.ts';
import type { GraphEdge, GraphNode, GraphReport } from '../reports/graph.ts';

export interface FoldedGraph {
  readonly nodes: readonly FoldedNode[];
  readonly edges: readonly GraphEdge[];
  readonly folded: number;
}

export interface FoldedNode extends GraphNode {
  /** How many tasks a closed box stands for, and how many of them are completed or skipped. */
  readonly holds?: { readonly tasks: number; readonly done: number };
}

/** Whether the phase waits for another, or another for it: then it is drawn as a box, also without a name. */
export const isBarred = ({ barriers }: GraphReport, phase: number): boolean =>
  barriers.some(({ from, to }) => from === phase || to === phase);

const readableTasks = 250;
const readableNodes = 1_500;

export function foldGraph({ nodes, edges, phases }: GraphReport): FoldedGraph {
  const leaves = nodes.filter(({ group }) => !group).length;
  if (leaves <= readableTasks) return { nodes, edges, folded: 0 };
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const outermost = (id: string): string => {
    const parent = parents.get(id);
    return parent === undefined ? id : outermost(parent);
  };
  const closed = fold(nodes, edges, ({ id }) => outermost(id));
  if (closed.nodes.length <= readableNodes || phases.length < 2) return closed;
  const names = new Set(nodes.map(({ id }) => id));
  const phaseIds = phases.map((name, i) => freeName(name || `phase ${i + 1}`, names));
  return fold(nodes, edges, ({ phase }) => phaseIds[phase]!, phases);
}

function fold(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  boxOf: (node: GraphNode) => string,
  titles?: readonly string[],
): FoldedGraph {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const members = new Map<string, GraphNode[]>();
  const homes = new Map<string, string>();
  for (const node of nodes) {
    const home = boxOf(node);
    homes.set(node.id, home);
    const list = members.get(home) ?? [];
    list.push(node);
    members.set(home, list);
  }
  const drawn = [...members].map(([home, inside]): FoldedNode => {
    const own = byId.get(home);
    if (own && inside.length === 1) return own;
    const tasks = inside.filter(({ group }) => !group);
    const counted = tasks.filter(isCounted);
    const done = counted.filter(({ status }) => status === 'completed' || status === 'skipped').length;
    const holds = { tasks: counted.length, done };
    if (own) {
      const { group: _, ...rest } = own;
      return { ...rest, holds };
    }
    const { phase } = inside[0]!;
    return { id: home, title: titles?.[phase] ?? '', phase, status: worst(tasks), holds };
  });
  return { nodes: drawn, edges: joined(edges, homes), folded: drawn.filter(({ holds }) => holds).length };
}

/** Each pair once, by the strongest word. */
function joined(edges: readonly GraphEdge[], homes: ReadonlyMap<string, string>): GraphEdge[] {
  const kept = new Map<string, GraphEdge>();
  for (const { from, to, kind } of edges) {
    const edge = { from: homes.get(from)!, to: homes.get(to)!, kind };
    const key = JSON.stringify([edge.from, edge.to]);
    const known = kept.get(key);
    if (edge.from !== edge.to && (!known || strength[kind] > strength[known.kind])) kept.set(key, edge);
  }
  return [...kept.values()];
}

const strength: Readonly<Record<GraphEdge['kind'], number>> = { need: 2, order: 1, preference: 0 };

/** As in every summary: groups and what Signalbox adds are no tasks. */
export const isCounted = ({ group, closes }: GraphNode): boolean => !group && closes === undefined;

const gravest: readonly Status[] = ['in_progress', 'failed', 'blocked', 'suspended', 'pending', 'completed', 'skipped'];
const worst = (tasks: readonly GraphNode[]): Status =>
  gravest.find((status) => tasks.some((task) => task.status === status)) ?? 'pending';

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
  taken.add(free);
  return free;
}
