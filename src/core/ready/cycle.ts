// Finds tasks that can never start because they wait for themselves, and drops preferences that would close such a cycle. Starts and
// ends of groups and the gates of the order are nodes too. No recursion: a chain may be 100,000 tasks long.

import type { TaskId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import type { TaskIndex } from './chains.ts';
import { BARRIER, buildGraph, GATE, type Graph, indexTasks, NEED, PREFER, START } from './graph.ts';

export interface Cycle {
  /** Each step starts where the one before ends; the last ends where the first starts. */
  readonly steps: readonly CycleStep[];
}

export interface CycleStep {
  readonly from: TaskId;
  readonly to: TaskId;
  /**
   * `part-of`: a group waits for its part; `start-of`: a part waits for its group to start; `phase`: for a phase before
   * its own; `order`: for a task that the order puts before it.
   */
  readonly why: 'need' | 'preference' | 'part-of' | 'start-of' | 'phase' | 'order';
}

/** The first cycle without preferences, or null. */
export const findCycle = (plan: Plan, index: TaskIndex = indexTasks(plan)): Cycle | null =>
  findCycles(plan, 1, index)[0] ?? null;

/** Cycles without a common need: mending one leaves the others. Of very many, the first. */
export function findCycles(plan: Plan, most: number, index: TaskIndex = indexTasks(plan)): Cycle[] {
  const graph = buildGraph(plan, index);
  const { kind } = graph.dependsOn;
  const told = new Set<number>();
  const cycles: Cycle[] = [];
  const search = new Search(graph, (edge) => kind[edge] !== PREFER && !told.has(edge));
  for (let node = 0; node < graph.nodes; node++) {
    for (let found = search.from(node); found; found = search.from(node)) {
      cycles.push({ steps: describe(plan, graph, found) });
      if (cycles.length === most) return cycles;
      // No cycle is made of order alone.
      for (const edge of found) if (kind[edge] === NEED) told.add(edge);
    }
  }
  return cycles;
}

/** The plan without the preferences that close a cycle. The plan must have no cycle of needs. */
export function dropPreferenceCycles(
  plan: Plan,
  index: TaskIndex = indexTasks(plan),
): { readonly plan: Plan; readonly dropped: readonly Dropped[] } {
  const graph = buildGraph(plan, index);
  const { kind, target } = graph.dependsOn;
  const gone = new Set<number>();
  const dropped: Dropped[] = [];
  const search = new Search(graph, (edge) => !gone.has(edge));
  for (let node = 0; node < graph.nodes; node++) {
    for (let found = search.from(node); found; found = search.from(node)) {
      const edge = found.findLast((e) => kind[e] === PREFER)!;
      gone.add(edge);
      const task = plan.tasks[graph.task[sourceOf(graph, edge)]!]!.id;
      dropped.push({ task, preferred: plan.tasks[graph.task[target[edge]!]!]!.id });
    }
  }
  return { plan: dropped.length === 0 ? plan : without(plan, dropped), dropped };
}

export interface Dropped {
  readonly task: TaskId;
  readonly preferred: TaskId;
}

const UNSEEN = 0;
const ON_PATH = 1;
const DONE = 2;

/** A depth-first search. Nodes proved free of cycles are remembered from one call to the next. */
class Search {
  private readonly graph: Graph;
  private readonly allowed: (edge: number) => boolean;
  private readonly colour: Uint8Array;
  private readonly next: Int32Array;

  constructor(graph: Graph, allowed: (edge: number) => boolean) {
    this.graph = graph;
    this.allowed = allowed;
    this.colour = new Uint8Array(graph.nodes);
    this.next = graph.dependsOn.offset.slice();
  }

  /** The edges of a cycle that can be reached from the node, in order, or null. */
  from(node: number): number[] | null {
    if (this.colour[node] !== UNSEEN) return null;
    const { offset, target } = this.graph.dependsOn;
    const path = [node];
    const taken: number[] = [];
    this.colour[node] = ON_PATH;
    while (path.length > 0) {
      const top = path[path.length - 1]!;
      const edge = this.next[top]!;
      if (edge === offset[top + 1]) {
        this.colour[top] = DONE;
        path.pop();
        taken.pop();
        continue;
      }
      this.next[top] = edge + 1;
      const seen = this.colour[target[edge]!];
      if (seen === DONE || !this.allowed(edge)) continue;
      taken.push(edge);
      if (seen === ON_PATH) {
        for (const n of path) {
          this.colour[n] = UNSEEN;
          this.next[n] = offset[n]!;
        }
        return taken.slice(path.indexOf(target[edge]!));
      }
      this.colour[target[edge]!] = ON_PATH;
      path.push(target[edge]!);
    }
    return null;
  }
}

/** The cycle in terms of tasks: gates have no name, so a way through them is one step from task to task. */
function describe(plan: Plan, graph: Graph, edges: readonly number[]): CycleStep[] {
  const { target, kind } = graph.dependsOn;
  const first = edges.findIndex((edge) => graph.kind[sourceOf(graph, edge)] !== GATE);
  const turned = [...edges.slice(first), ...edges.slice(0, first)];
  const id = (node: number) => plan.tasks[graph.task[node]!]!.id;
  const steps: CycleStep[] = [];
  let from = sourceOf(graph, turned[0]!);
  for (const edge of turned) {
    const to = target[edge]!;
    if (graph.kind[to] === GATE) continue;
    const isBarrier = kind[edge] === BARRIER;
    const why = isBarrier ? orderBetween(plan, graph.task[from]!, graph.task[to]!) : reason(kind[edge]!);
    steps.push({ from: id(from), to: id(to), why });
    from = to;
  }
  return steps;
}

function orderBetween(plan: Plan, from: number, to: number): CycleStep['why'] {
  const isSamePhase = plan.tasks[from]!.phase === plan.tasks[to]!.phase;
  return isSamePhase || plan.order === 'sequential' ? 'order' : 'phase';
}

function reason(kind: number): CycleStep['why'] {
  if (kind === NEED) return 'need';
  return kind === START ? 'start-of' : 'part-of';
}

/** Binary search: edges are sorted by their first node. */
function sourceOf(graph: Graph, edge: number): number {
  const { offset } = graph.dependsOn;
  let low = 0;
  let high = graph.nodes - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offset[middle]! <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}

function without(plan: Plan, dropped: readonly Dropped[]): Plan {
  const gone = new Map<TaskId, Set<TaskId>>();
  for (const { task, preferred } of dropped) gone.set(task, (gone.get(task) ?? new Set()).add(preferred));
  const tasks = plan.tasks.map((task) => {
    const of = gone.get(task.id);
    return of ? { ...task, prefers: task.prefers!.filter((id) => !of.has(id)) } : task;
  });
  return { ...plan, tasks };
}
