// The part of a plan that a run is about: only these tasks, or everything from one task on. Tasks outside are neither started nor
// judged. They must not be in the way either; this is checked before the run starts.
import { GATE, LEAF, MEMBER, NEED, START } from '../ready/graph.ts';
import { spoils, waits } from '../ready/signal.ts';
import { leavesOf } from '../state/questions/status.ts';
import type { PlanState } from '../state/state.ts';
import type { TaskId } from './ids.ts';

export type Selection =
  | { readonly only: readonly TaskId[] }
  /** The task and everything that waits for it. */
  | { readonly from: TaskId };

type Shape = Pick<PlanState, 'plan' | 'graph' | 'index'>;

/** By task: 1 for a leaf that is selected. An id that the plan does not have selects nothing. */
export function selectLeaves(plan: Shape, selection: Selection): Uint8Array {
  const selected = new Uint8Array(plan.graph.tasks);
  const ids = 'only' in selection ? selection.only : [selection.from];
  for (const id of ids) {
    const task = plan.index.get(id);
    if (task !== undefined) for (const leaf of leavesOf(plan, task)) selected[leaf] = 1;
  }
  if ('from' in selection) followDependents(plan, selected);
  return selected;
}

/** Without a selection, everything is. */
export const isSelected = (plan: PlanState, task: number): boolean => plan.selected?.[task] !== 0;

/** Needs, barriers and preferences make tasks wait. The end of a group comes after its parts, but makes none of them wait. */
function followDependents({ graph }: Shape, selected: Uint8Array): void {
  const seen = new Uint8Array(graph.nodes);
  const queue: number[] = [];
  selected.forEach((is, leaf) => {
    if (is) queue.push(leaf);
  });
  const { offset, target } = graph.dependents;
  while (queue.length > 0) {
    const node = queue.pop()!;
    if (graph.kind[node] === LEAF) selected[node] = 1;
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      if (seen[target[e]!]) continue;
      seen[target[e]!] = 1;
      queue.push(target[e]!);
    }
  }
}

export interface OutsideInTheWay {
  readonly task: TaskId;
  /** Outside of the selection, and not completed as the task needs it. */
  readonly waitsFor: TaskId;
  readonly why: 'need' | 'preference' | 'order';
}

/** Tasks outside the selection that keep selected ones from starting; the first for each. */
export function outsideInTheWay(plan: PlanState, selected: Uint8Array): OutsideInTheWay[] {
  const found: OutsideInTheWay[] = [];
  const { graph } = plan;
  for (let leaf = 0; leaf < graph.tasks; leaf++) {
    const { status } = plan.tasks[leaf]!;
    if (!selected[leaf] || (status !== 'pending' && status !== 'in_progress')) continue;
    const way = firstOutside(plan, selected, leaf);
    if (way) found.push(way);
  }
  return found;
}

function firstOutside(plan: PlanState, selected: Uint8Array, leaf: number): OutsideInTheWay | null {
  const { graph, signals } = plan;
  const { offset, target, kind } = graph.dependsOn;
  const seen = new Set([leaf]);
  const queue: { node: number; why: OutsideInTheWay['why'] }[] = [{ node: leaf, why: 'need' }];
  for (const { node, why } of queue) {
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      const open = waits(kind[e]!, signals[to]!) || spoils(kind[e]!, signals[to]!, graph.optional[to]!);
      if (!open || seen.has(to)) continue;
      seen.add(to);
      const reason = graph.kind[node] === GATE ? 'order' : kindOf(kind[e]!, why);
      if (graph.kind[to] !== LEAF) queue.push({ node: to, why: reason });
      else if (!selected[to]) {
        return { task: plan.plan.tasks[leaf]!.id, waitsFor: plan.plan.tasks[to]!.id, why: reason };
      }
    }
  }
  return null;
}

/** Inside a group that is needed or preferred, the reason stays the same. */
function kindOf(edge: number, way: OutsideInTheWay['why']): OutsideInTheWay['why'] {
  if (edge === NEED) return 'need';
  return edge === START || edge === MEMBER ? way : 'preference';
}
