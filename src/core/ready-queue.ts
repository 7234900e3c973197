// Ready tasks in the order in which they are admitted: priority, then age, then place in the plan. One heap per set of pools,
// so that a full pool is passed over in one step however many tasks wait for it.
import type { Columns } from './columns.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { Plan, Task } from './plan.ts';
import type { TaskState } from './state.ts';

/** Tasks that count against the same pools. */
export interface PoolClass {
  readonly pools: readonly string[];
  readonly heap: IndexedHeap;
}

export class ReadyQueue {
  readonly classes: readonly PoolClass[];
  /** By task: its place among the classes. */
  readonly classOf: Int32Array;
  private readonly place: Int32Array;
  private readonly tasks: readonly TaskState[];
  private readonly priority: Float64Array;

  /** `known`: the classes as they were found before, each with one of its tasks. */
  constructor(plan: Plan, tasks: readonly TaskState[], { priority }: Pick<Columns, 'priority'>, known?: KnownClasses) {
    this.priority = priority;
    this.tasks = tasks;
    this.place = new Int32Array(plan.tasks.length).fill(-1);
    const { classOf, classes } = known ?? classify(plan);
    this.classOf = classOf;
    this.classes = Array.from(classes, (task) => ({
      pools: poolsOf(plan.tasks[task]!),
      heap: new IndexedHeap(this.place, (a, b) => this.before(a, b)),
    }));
  }

  get size(): number {
    return this.classes.reduce((n, { heap }) => n + heap.size, 0);
  }

  has(task: number): boolean {
    return this.place[task] !== -1;
  }

  add(task: number): void {
    this.classes[this.classOf[task]!]!.heap.add(task);
  }

  /** All of what `classes` had in their heaps, in that order. */
  restore(tasks: Int32Array): void {
    // Most plans have no pools.
    if (this.classes.length === 1) return this.classes[0]!.heap.restore(tasks);
    for (let from = 0, to = 0; from < tasks.length; from = to) {
      const at = this.classOf[tasks[from]!]!;
      while (to < tasks.length && this.classOf[tasks[to]!] === at) to++;
      this.classes[at]!.heap.restore(tasks.subarray(from, to));
    }
  }

  remove(task: number): void {
    this.classes[this.classOf[task]!]!.heap.remove(task);
  }

  poolsOf(task: number): readonly string[] {
    return this.classes[this.classOf[task]!]!.pools;
  }

  before(a: number, b: number): boolean {
    const priority = this.priority[b]! - this.priority[a]!;
    if (priority !== 0) return priority < 0;
    const age = this.tasks[a]!.age - this.tasks[b]!.age;
    return age !== 0 ? age < 0 : a < b;
  }

  /** Every ready task, first one first. */
  inOrder(): number[] {
    const all = this.classes.flatMap(({ heap }) => heap.all());
    const { priority, tasks } = this;
    // Each is asked for its age once, not at every comparison.
    const ages = new Map(all.map((task) => [task, tasks[task]!.age]));
    return all.sort((a, b) => priority[b]! - priority[a]! || ages.get(a)! - ages.get(b)! || a - b);
  }

  /** The same one by one, for those who ask for a few: only those are looked at. Nothing may change meanwhile. */
  *oneByOne(): Generator<number> {
    const heads: { task: number; readonly rest: Iterator<number, void> }[] = [];
    for (const { heap } of this.classes) {
      const rest = heap.oneByOne();
      const { value } = rest.next();
      if (value !== undefined) heads.push({ task: value, rest });
    }
    while (heads.length > 0) {
      const best = heads.reduce((a, b) => (this.before(b.task, a.task) ? b : a));
      yield best.task;
      const { value } = best.rest.next();
      if (value === undefined) heads.splice(heads.indexOf(best), 1);
      else best.task = value;
    }
  }
}

export interface KnownClasses {
  readonly classOf: Int32Array;
  /** By class: a task that is in it. */
  readonly classes: ArrayLike<number>;
}

function classify(plan: Plan): KnownClasses {
  const classOf = new Int32Array(plan.tasks.length);
  const classes: number[] = [];
  const known = new Map<string, number>();
  plan.tasks.forEach((task, i) => {
    const name = poolsOf(task).join('\n');
    let at = known.get(name);
    if (at === undefined) {
      at = classes.push(i) - 1;
      known.set(name, at);
    }
    classOf[i] = at;
  });
  return { classOf, classes };
}

function poolsOf({ keys: { model, uses } }: Task): string[] {
  if (!uses) return model === undefined ? [] : [model];
  return [...new Set(model === undefined ? uses : [model, ...uses])];
}
