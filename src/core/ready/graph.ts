// The static shape of a plan as nodes and edges, in flat arrays: 100,000 tasks cost a few milliseconds and no objects.
//
//   leaf            a task that runs                       START  part → its group's start; task, gate → the gate before
//   start, end      of a group: needing a group is         MEMBER group's end → end of each part
//                   needing its end                        EXTRA  the same, of a part that the group can do without
//                                                          NEED   dependent → end of what it needs
//   gate            behind a step of a chain (`chains.ts`) PREFER dependent → end of what it prefers
//                                                          BARRIER gate → every leaf of its step
//
// A gate links to the gate before it, so one edge per task makes a step wait for all steps before it.

import type { TaskId } from '../model/ids.ts';
import type { Plan, Task } from '../model/plan.ts';
import { type Chain, chainsOf, type TaskIndex } from './chains.ts';

export const NEED = 0;
export const PREFER = 1;
export const BARRIER = 2;
export const MEMBER = 3;
export const START = 4;
export const EXTRA = 5;

export const LEAF = 0;
export const GROUP_START = 1;
export const GROUP_END = 2;
export const GATE = 3;

/** Edges by their first node: those of node n are `offset[n]` to `offset[n + 1]`. */
export interface Edges {
  readonly offset: Int32Array;
  readonly target: Int32Array;
  readonly kind: Uint8Array;
}

export interface Graph {
  readonly nodes: number;
  /** Nodes 0 … tasks-1 are the tasks of the plan: a leaf, or the start of a group. */
  readonly tasks: number;
  /** Gates are the last nodes. */
  readonly firstGate: number;
  readonly kind: Uint8Array;
  /** By node: the task it belongs to; -1 for a gate. */
  readonly task: Int32Array;
  /** By task: the node that stands for its end. */
  readonly end: Int32Array;
  /** By task: the first task behind it that is not inside it. */
  readonly after: Int32Array;
  /** By node: 1 for an optional task. */
  readonly optional: Uint8Array;
  /** From a node to those it waits for. */
  readonly dependsOn: Edges;
  /** From a node to those that wait for it. */
  readonly dependents: Edges;
}

export function indexTasks(plan: Plan): Map<TaskId, number> {
  const index = new Map<TaskId, number>();
  plan.tasks.forEach((task, i) => {
    index.set(task.id, i);
  });
  return index;
}

/** Unknown ids are left out: plans with one are refused earlier. */
export function buildGraph(plan: Plan, index: TaskIndex): Graph {
  const chains = chainsOf(plan, index);
  const shape = layOut(
    plan,
    chains.reduce((gates, { ends }) => gates + ends.length, 0),
  );
  const edges: EdgeList = { from: [], to: [], kinds: [] };
  const addIds = (node: number, ids: readonly TaskId[] | undefined, kind: number) => {
    for (const id of ids ?? []) {
      const target = index.get(id);
      if (target !== undefined) add(edges, node, shape.end[target]!, kind);
    }
  };
  let gate = shape.firstGate;
  for (const chain of chains) {
    addChain(edges, { plan, chain, gate, after: shape.after });
    gate += chain.ends.length;
  }
  plan.tasks.forEach((task, i) => {
    if (task.parent !== undefined) {
      add(edges, i, task.parent, START);
      add(edges, shape.end[task.parent]!, shape.end[i]!, isExtra(plan, task.parent, task) ? EXTRA : MEMBER);
    }
    addIds(i, task.needs, NEED);
    addIds(i, task.prefers, PREFER);
  });
  return {
    ...shape,
    dependsOn: sortEdges(shape.nodes, edges.from, edges.to, edges.kinds),
    dependents: sortEdges(shape.nodes, edges.to, edges.from, edges.kinds),
  };
}

interface EdgeList {
  readonly from: number[];
  readonly to: number[];
  readonly kinds: number[];
}

function add({ from, to, kinds }: EdgeList, node: number, target: number, kind: number): void {
  from.push(node);
  to.push(target);
  kinds.push(kind);
}

interface ChainPlace {
  readonly plan: Plan;
  readonly chain: Chain;
  /** The gate behind its first step; the others follow. */
  readonly gate: number;
  readonly after: Int32Array;
}

function addChain(edges: EdgeList, { plan, chain: { tasks, ends }, gate: firstGate, after }: ChainPlace): void {
  // The first edge found describes a cycle: from phase to phase here, but straight back over 100,000 single tasks.
  const isLong = plan.order !== 'phases';
  let next = 0;
  ends.forEach((end, step) => {
    const gate = firstGate + step;
    if (step > 0 && isLong) add(edges, gate, gate - 1, START);
    for (; next < end; next++) {
      const task = tasks[next]!;
      if (step > 0) add(edges, task, gate - 1, START);
      for (let i = task; i < after[task]!; i++) if (!plan.tasks[i]!.group) add(edges, gate, i, BARRIER);
    }
    if (step > 0 && !isLong) add(edges, gate, gate - 1, START);
  });
}

/** Parts of an optional group are optional for the plan, but required for the group. */
const isExtra = (plan: Plan, group: number, part: Task) => part.optional === true && !plan.tasks[group]!.optional;

function layOut(plan: Plan, gates: number) {
  const tasks = plan.tasks.length;
  const groups = plan.tasks.reduce((n, task) => n + (task.group ? 1 : 0), 0);
  const nodes = tasks + groups + gates;
  const kind = new Uint8Array(nodes).fill(GATE);
  const task = new Int32Array(nodes).fill(-1);
  const end = new Int32Array(tasks);
  const after = new Int32Array(tasks);
  const optional = new Uint8Array(nodes);
  let nextEnd = tasks;
  plan.tasks.forEach((definition, i) => {
    kind[i] = definition.group ? GROUP_START : LEAF;
    task[i] = i;
    end[i] = definition.group ? nextEnd++ : i;
    kind[end[i]!] = definition.group ? GROUP_END : LEAF;
    task[end[i]!] = i;
    optional[i] = optional[end[i]!] = definition.optional ? 1 : 0;
  });
  for (let i = tasks - 1; i >= 0; i--) {
    after[i] = Math.max(after[i]!, i + 1);
    const parent = plan.tasks[i]!.parent;
    if (parent !== undefined) after[parent] = Math.max(after[parent]!, after[i]!);
  }
  return { nodes, tasks, firstGate: tasks + groups, kind, task, end, after, optional };
}

/** A counting sort by the first node that keeps the order in which the edges were added. */
function sortEdges(nodes: number, from: readonly number[], to: readonly number[], kinds: readonly number[]): Edges {
  const offset = new Int32Array(nodes + 1);
  for (const node of from) offset[node + 1]!++;
  for (let n = 0; n < nodes; n++) offset[n + 1]! += offset[n]!;
  const place = offset.slice();
  const target = new Int32Array(from.length);
  const kind = new Uint8Array(from.length);
  for (let e = 0; e < from.length; e++) {
    const at = place[from[e]!]!++;
    target[at] = to[e]!;
    kind[at] = kinds[e]!;
  }
  return { offset, target, kind };
}
