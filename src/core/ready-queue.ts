// Ready tasks in the order in which they are admitted: priority, then age, then place in the plan. One heap per set of pools,
// so that a full pool is passed over in one step however many tasks wait for it.
import { IndexedHeap } from './indexed-heap.ts';
import type { Plan } from './plan.ts';
import type { TaskState } from './state.ts';

/** Tasks that count against the same pools. */
export interface PoolClass {
  readonly pools: readonly string[];
  readonly heap: IndexedHeap;
}

export class ReadyQueue {
  readonly classes: readonly PoolClass[];
  private readonly classOf: Uint32Array;
  private readonly place: Int32Array;
  private readonly plan: Plan;
  private readonly tasks: readonly TaskState[];

  constructor(plan: Plan, tasks: readonly TaskState[]) {
    this.plan = plan;
    this.tasks = tasks;
    this.place = new Int32Array(plan.tasks.length).fill(-1);
    this.classOf = new Uint32Array(plan.tasks.length);
    const classes: PoolClass[] = [];
    const known = new Map<string, number>();
    plan.tasks.forEach((task, i) => {
      const pools = poolsOf(task.keys.model, task.keys.uses);
      const name = pools.join('\n');
      let at = known.get(name);
      if (at === undefined) {
        at = classes.push({ pools, heap: new IndexedHeap(this.place, (a, b) => this.before(a, b)) }) - 1;
        known.set(name, at);
      }
      this.classOf[i] = at;
    });
    this.classes = classes;
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

  before(a: number, b: number): boolean {
    const priority = (this.plan.tasks[b]!.keys.priority ?? 0) - (this.plan.tasks[a]!.keys.priority ?? 0);
    if (priority !== 0) return priority < 0;
    const age = this.tasks[a]!.age - this.tasks[b]!.age;
    return age !== 0 ? age < 0 : a < b;
  }

  /** Every ready task, first one first. */
  inOrder(): number[] {
    return this.classes.flatMap(({ heap }) => heap.all()).sort((a, b) => (this.before(a, b) ? -1 : 1));
  }
}

function poolsOf(model: string | undefined, uses: readonly string[] | undefined): string[] {
  if (!uses) return model === undefined ? [] : [model];
  return [...new Set(model === undefined ? uses : [model, ...uses])];
}
