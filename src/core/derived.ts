// The derived part of a plan's state as bytes, so that a command that only looks need not compute it: for 1,000 tasks that
// takes as long as everything else it does. Nothing but numbers, in one block; whatever does not fit the plan is computed anew.
import type { Columns } from './columns.ts';
import type { Graph } from './graph.ts';
import type { Plan } from './plan.ts';
import type { Counts, PlanState, StatusCounts } from './state.ts';
import { statuses } from './status-code.ts';

/** To be raised with every change of the layout or of what is derived. */
const layout = 3;
/** An even number with the counts, so that large numbers can lie behind them. */
const headerWords = 10;
/** Numbers of most plans fit into two bytes. */
const shortBelow = 2 ** 15;

export interface Derived {
  readonly graph: Graph;
  readonly columns: Columns;
  readonly signals: Uint8Array;
  readonly waiting: Int32Array;
  readonly bad: Int32Array;
  readonly counted: Uint8Array;
  readonly counts: Counts;
  /** By task: its class in the ready queue; by class: a task that is in it. */
  readonly classOf: Int32Array;
  readonly classes: Int32Array;
  /** In the order of their heaps, in which they can be put back. */
  readonly ready: Int32Array;
  readonly backoff: Int32Array;
}

interface Sizes {
  readonly tasks: number;
  readonly nodes: number;
  readonly firstGate: number;
  readonly edges: number;
  readonly classes: number;
  readonly ready: number;
  readonly backoff: number;
  /** 1: numbers have two bytes. */
  readonly short: number;
  /** 1: no task has a priority, so that there is no column of them. */
  readonly plain: number;
}

export function packDerived(plan: PlanState): Uint8Array {
  const { graph, ready } = plan;
  const readyTasks = ready.classes.flatMap(({ heap }) => heap.all());
  const backoff = plan.backoff.all();
  const sizes: Sizes = {
    tasks: graph.tasks,
    nodes: graph.nodes,
    firstGate: graph.firstGate,
    edges: graph.dependsOn.target.length,
    classes: ready.classes.length,
    ready: readyTasks.length,
    backoff: backoff.length,
    short: largest(plan) < shortBelow ? 1 : 0,
    plain: plan.columns.priority.some((priority) => priority !== 0) ? 0 : 1,
  };
  const block = new Block(new Uint8Array(bytesFor(sizes)), sizes, 'as it lies');
  const { tasks, nodes, firstGate, edges, classes, short, plain } = sizes;
  const numbers = [tasks, nodes, firstGate, edges, classes, readyTasks.length, backoff.length, short, plain];
  block.head(headerWords).set([layout, ...numbers]);
  block.head(2 * statuses.length).set([...countsIn(plan.counts.required), ...countsIn(plan.counts.optional)]);
  const derived = block.derived();
  for (const [to, from] of pairs(derived, plan)) to.set(from);
  derived.classOf.set(plan.ready.classOf);
  plan.ready.classOf.forEach((at, task) => {
    derived.classes[at] = task;
  });
  derived.ready.set(readyTasks);
  derived.backoff.set(backoff);
  block.bytes(tasks).set(plan.counted);
  return block.all;
}

/**
 * Null when the bytes are not of this layout or not of this plan.
 * @param packed given away: what is derived changes in place.
 */
export function unpackDerived(packed: Uint8Array, plan: Plan): Derived | null {
  if (packed.length < 4 * headerWords) return null;
  // Copied only where it does not lie as numbers have to: getting room for it takes longer than reading it.
  const all = packed.byteOffset % 8 === 0 ? packed : packed.slice();
  const [version, ...numbers] = new Int32Array(all.buffer, all.byteOffset, headerWords);
  const [tasks, nodes, firstGate, edges, classes, ready, backoff, short, plain] = numbers as number[];
  const sizes = { tasks, nodes, firstGate, edges, classes, ready, backoff, short, plain } as Sizes;
  if (version !== layout || tasks !== plan.tasks.length || bytesFor(sizes) !== all.length) return null;
  const block = new Block(all, sizes, 'wide');
  block.head(headerWords);
  const counts = block.head(2 * statuses.length);
  const derived = block.derived();
  const counted = block.bytes(sizes.tasks);
  const countsFrom = (at: number) =>
    Object.fromEntries(statuses.map((status, i) => [status, counts[at + i]!])) as StatusCounts;
  return { ...derived, counted, counts: { required: countsFrom(0), optional: countsFrom(statuses.length) } };
}

const countsIn = (counts: StatusCounts) => statuses.map((status) => counts[status]);

/** Of all that is kept in words. */
function largest({ graph, columns }: PlanState): number {
  return Math.max(
    graph.nodes,
    graph.dependsOn.target.length,
    columns.phase.reduce((most, at) => Math.max(most, at), 0),
  );
}

function bytesFor({ tasks, nodes, edges, classes, ready, backoff, short, plain }: Sizes): number {
  const words = 3 * nodes + 4 * tasks + 2 * (nodes + 1 + edges) + classes + ready + backoff;
  const head = 4 * (headerWords + 2 * statuses.length) + (plain ? 0 : 8 * tasks);
  return head + (short ? 2 : 4) * words + 3 * nodes + 2 * edges + 3 * tasks;
}

/** Hands out the parts of the block one after the other: the large numbers first, then words, so that they stay aligned. */
class Block {
  readonly all: Uint8Array;
  private readonly sizes: Sizes;
  private readonly words: (n: number) => Int32Array;
  private at = 0;

  /** @param how `as it lies`: to be filled. `wide`: to be worked with. */
  constructor(all: Uint8Array, sizes: Sizes, how: 'as it lies' | 'wide') {
    this.all = all;
    this.sizes = sizes;
    // What is filled is only ever set and written to, which the short ones can as well.
    const asItLies = (n: number) => this.short(n) as ArrayLike<number> as Int32Array;
    const wide = (n: number) => new Int32Array(this.short(n));
    this.words = sizes.short === 0 ? (n) => this.head(n) : how === 'wide' ? wide : asItLies;
  }

  numbers(n: number): Float64Array {
    const part = new Float64Array(this.all.buffer, this.all.byteOffset + this.at, n);
    this.at += 8 * n;
    return part;
  }

  head(n: number): Int32Array {
    const part = new Int32Array(this.all.buffer, this.all.byteOffset + this.at, n);
    this.at += 4 * n;
    return part;
  }

  private short(n: number): Int16Array {
    const part = new Int16Array(this.all.buffer, this.all.byteOffset + this.at, n);
    this.at += 2 * n;
    return part;
  }

  bytes(n: number): Uint8Array {
    const part = new Uint8Array(this.all.buffer, this.all.byteOffset + this.at, n);
    this.at += n;
    return part;
  }

  derived(): Omit<Derived, 'counted' | 'counts'> {
    const { tasks, nodes, firstGate, edges, classes, ready, backoff } = this.sizes;
    const priority = this.sizes.plain ? new Float64Array(tasks) : this.numbers(tasks);
    const parts = {
      task: this.words(nodes),
      end: this.words(tasks),
      after: this.words(tasks),
      waiting: this.words(nodes),
      bad: this.words(nodes),
      phase: this.words(tasks),
      classOf: this.words(tasks),
      classes: this.words(classes),
      ready: this.words(ready),
      backoff: this.words(backoff),
    };
    const [onOffset, onTarget] = [this.words(nodes + 1), this.words(edges)];
    const [byOffset, byTarget] = [this.words(nodes + 1), this.words(edges)];
    const { task, end, after, phase, ...rest } = parts;
    const [kind, optional, signals] = [this.bytes(nodes), this.bytes(nodes), this.bytes(nodes)];
    const dependsOn = { offset: onOffset, target: onTarget, kind: this.bytes(edges) };
    const dependents = { offset: byOffset, target: byTarget, kind: this.bytes(edges) };
    const graph = { nodes, tasks, firstGate, kind, task, end, after, optional, dependsOn, dependents };
    const columns = { priority, phase, closes: this.bytes(tasks), locks: this.bytes(tasks) };
    return { ...rest, graph, columns, signals };
  }
}

/** What is copied as it is: an array of the block, and the one of the plan. */
function pairs(
  to: Omit<Derived, 'counted' | 'counts'>,
  from: PlanState,
): [Float64Array | Int32Array | Uint8Array, ArrayLike<number>][] {
  const [graph, own] = [to.graph, from.graph];
  return [
    [graph.task, own.task],
    [graph.end, own.end],
    [graph.after, own.after],
    [graph.kind, own.kind],
    [graph.optional, own.optional],
    [graph.dependsOn.offset, own.dependsOn.offset],
    [graph.dependsOn.target, own.dependsOn.target],
    [graph.dependsOn.kind, own.dependsOn.kind],
    [graph.dependents.offset, own.dependents.offset],
    [graph.dependents.target, own.dependents.target],
    [graph.dependents.kind, own.dependents.kind],
    [to.columns.priority, from.columns.priority],
    [to.columns.phase, from.columns.phase],
    [to.columns.closes, from.columns.closes],
    [to.columns.locks, from.columns.locks],
    [to.waiting, from.waiting],
    [to.bad, from.bad],
    [to.signals, from.signals],
  ];
}
