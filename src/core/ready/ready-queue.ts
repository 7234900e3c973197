// Ready tasks in the order in which they are admitted: priority, then age, then place in the plan. One heap per set of pools,
// so that a full pool is passed over in one step however many tasks wait for it.

import type { Plan, Task } from '../model/plan.ts';
import type { TaskState } from '../state/state.ts';
import { IndexedHeap } from './indexed-heap.ts';

/** Tasks that count against the same pools. */
export interface PoolClass {
  readonly pools: readonly string[];
  readonly heap: IndexedHeap;
}

export class ReadyQueue {
  readonly classes: readonly PoolClass[];
  /** By task: its place among the classes. */
  private readonly classOf: Int32Array;
  private readonly place: Int32Array;
  private readonly plan: Plan;
  private readonly tasks: readonly TaskState[];

  constructor(plan: Plan, tasks: readonly TaskState[]) {
    this.plan = plan;
    this.tasks = tasks;
    this.place = new Int32Array(plan.tasks.length).fill(-1);
    this.classOf = new Int32Array(plan.tasks.length);
    this.classes = this.classify();
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

  remove(task: number): void {
    this.classes[this.classOf[task]!]!.heap.remove(task);
  }

  poolsOf(task: number): readonly string[] {
    return this.classes[this.classOf[task]!]!.pools;
  }

  /** Every ready task, first one first. */
  inOrder(): number[] {
    return this.classes.flatMap(({ heap }) => heap.all()).sort((a, b) => this.compare(a, b));
  }

  before(a: number, b: number): boolean {
    return this.compare(a, b) < 0;
  }

  private compare(a: number, b: number): number {
    const { plan, tasks } = this;
    return priorityOf(plan, b) - priorityOf(plan, a) || tasks[a]!.age - tasks[b]!.age || a - b;
  }

  private classify(): PoolClass[] {
    const classes: PoolClass[] = [];
    const known = new Map<string, number>();
    this.plan.tasks.forEach((task, i) => {
      const pools = poolsOf(task);
      const name = pools.join('\n');
      let at = known.get(name);
      if (at === undefined) {
        at = classes.push({ pools, heap: new IndexedHeap(this.place, (a, b) => this.before(a, b)) }) - 1;
        known.set(name, at);
      }
      this.classOf[i] = at;
    });
    return classes;
  }
}

export function priorityOf(plan: Plan, task: number): number {
  return plan.tasks[task]!.keys.priority ?? 0;
}

function poolsOf({ keys: { model, uses } }: Task): string[] {
  if (!uses) return model === undefined ? [] : [model];
  return [...new Set(model === undefined ? uses : [model, ...uses])];
}
