// The static shape of a plan as nodes and edges, in flat arrays: 100,000 tasks cost a few milliseconds and no objects.
//
//   leaf            a task that runs                       START  part → its group's start, or → the gate before its phase
//   start, end      of a group: needing a group is         MEMBER group's end → end of each part
//                   needing its end                        EXTRA  the same, of a part that the group can do without
//                                                          NEED   dependent → end of what it needs
//   gate            of a phase, when phases are barriers   PREFER dependent → end of what it prefers
//                                                          BARRIER gate → every leaf of its phase
import type { TaskId } from './ids.ts';
import type { Plan, Task } from './plan.ts';

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
  readonly kind: Uint8Array;
  /** By node: the task it belongs to; -1 for a gate. */
  readonly task: Int32Array;
  /** By task: the node that stands for its end. */
  readonly end: Int32Array;
  /** By task: the first task behind it that is not inside it. */
  readonly after: Int32Array;
  /** By node: 1 for an optional task. */
  readonly optional: Uint8Array;
  /** What a node waits for. */
  readonly dependsOn: Edges;
  /** Who waits for a node. */
  readonly dependents: Edges;
}

export function indexTasks(plan: Plan): Map<TaskId, number> {
  const index = new Map<TaskId, number>();
  plan.tasks.forEach((task, i) => {
    index.set(task.id, i);
  });
  return index;
}

/** An id that the plan does not have is passed over: plans with one are refused before they get here. */
export function buildGraph(plan: Plan, index: ReadonlyMap<TaskId, number>): Graph {
  const shape = layOut(plan);
  const from: number[] = [];
  const to: number[] = [];
  const kinds: number[] = [];
  const add = (node: number, target: number, kind: number) => {
    from.push(node);
    to.push(target);
    kinds.push(kind);
  };
  const addIds = (node: number, ids: readonly TaskId[] | undefined, kind: number) => {
    for (const id of ids ?? []) {
      const target = index.get(id);
      if (target !== undefined) add(node, shape.end[target]!, kind);
    }
  };
  const gate = (phase: number) => shape.firstGate + phase;
  plan.tasks.forEach((task, i) => {
    if (task.parent !== undefined) {
      add(i, task.parent, START);
      add(shape.end[task.parent]!, shape.end[i]!, isExtra(plan, task.parent, task) ? EXTRA : MEMBER);
    } else if (shape.gates > 0 && task.phase > 0) add(i, gate(task.phase - 1), START);
    addIds(i, task.needs, NEED);
    addIds(i, task.prefers, PREFER);
    if (shape.gates > 0 && !task.group) add(gate(task.phase), i, BARRIER);
  });
  for (let phase = 1; phase < shape.gates; phase++) add(gate(phase), gate(phase - 1), START);
  return {
    ...shape,
    dependsOn: sortEdges(shape.nodes, from, to, kinds),
    dependents: sortEdges(shape.nodes, to, from, kinds),
  };
}

/** Everything in an optional group is optional for the plan; the group itself cannot do without it. */
const isExtra = (plan: Plan, group: number, part: Task) => part.optional === true && !plan.tasks[group]!.optional;

function layOut(plan: Plan) {
  const tasks = plan.tasks.length;
  const gates = plan.order === 'phases' ? plan.phases.length : 0;
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
  return { nodes, tasks, gates, firstGate: tasks + groups, kind, task, end, after, optional };
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
