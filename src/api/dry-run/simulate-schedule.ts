// How long a run would take if every task took its estimated time. Plays the plan through with its limits, pools and locks, by the
// rules of admission (the first in line that has room); nothing fails.
import type { Limits } from '../../core/model/run-event.ts';
import { IndexedHeap } from '../../core/ready/indexed-heap.ts';
import type { PlanState } from '../../core/state/state.ts';
import { keepApart, type LockKeys } from './task-locks.ts';

export interface ImaginedRun {
  readonly plan: PlanState;
  readonly wouldRun: Uint8Array;
  readonly limits: Limits;
  readonly locks: LockKeys;
  readonly durations: Float64Array;
}

/** In milliseconds; null when something would never start. */
export function simulateSchedule(run: ImaginedRun): number | null {
  const schedule = new Schedule(run);
  while (schedule.step());
  return schedule.isComplete ? schedule.now : null;
}

/** How many tasks that wait for a pool or a lock are passed over in one look; an estimate needs no more. */
const mostPassedOver = 200;

class Schedule {
  now = 0;
  private readonly run: ImaginedRun;
  private readonly open: Int32Array;
  private readonly ready: IndexedHeap;
  private readonly running: IndexedHeap;
  private readonly ends: Float64Array;
  private readonly usage = new Map<string, number>();
  private left: number;

  constructor(run: ImaginedRun) {
    this.run = run;
    const { graph, plan } = run.plan;
    this.left = run.wouldRun.reduce((sum, would) => sum + would, 0);
    this.open = new Int32Array(graph.nodes);
    this.ends = new Float64Array(graph.tasks);
    const priority = (i: number) => plan.tasks[i]!.keys.priority ?? 0;
    this.ready = new IndexedHeap(new Int32Array(graph.tasks).fill(-1), (a, b) =>
      priority(a) === priority(b) ? a < b : priority(a) > priority(b),
    );
    this.running = new IndexedHeap(new Int32Array(graph.tasks).fill(-1), (a, b) =>
      this.ends[a] === this.ends[b] ? a < b : this.ends[a]! < this.ends[b]!,
    );
    const free: number[] = [];
    for (let n = 0; n < graph.nodes; n++) {
      this.open[n] = graph.dependsOn.offset[n + 1]! - graph.dependsOn.offset[n]!;
      if (this.open[n] === 0) free.push(n);
    }
    this.release(free);
  }

  get isComplete(): boolean {
    return this.left === 0;
  }

  /** Starts what may start, and goes on to the next end. False when nothing runs. */
  step(): boolean {
    this.admit();
    const first = this.running.first();
    if (first === -1) return false;
    this.now = this.ends[first]!;
    this.running.remove(first);
    this.left--;
    for (const pool of this.run.plan.ready.poolsOf(first)) this.usage.set(pool, this.usage.get(pool)! - 1);
    this.release(this.passed(first));
    return true;
  }

  private admit(): void {
    const { limits } = this.run;
    const most = Math.min(limits.plan, limits.workspace ?? limits.plan);
    const passedOver: number[] = [];
    while (this.running.size < most && this.ready.size > 0 && passedOver.length < mostPassedOver) {
      const task = this.ready.first();
      this.ready.remove(task);
      if (this.mayStart(task)) this.start(task);
      else passedOver.push(task);
    }
    for (const task of passedOver) this.ready.add(task);
  }

  private mayStart(task: number): boolean {
    const { plan, limits, locks } = this.run;
    const isFull = (pool: string) => (this.usage.get(pool) ?? 0) >= (limits.pools[pool] ?? Number.POSITIVE_INFINITY);
    if (plan.ready.poolsOf(task).some(isFull)) return false;
    const wanted = locks.of(task);
    return wanted.length === 0 || !this.running.all().some((other) => keepApart(wanted, locks.of(other)));
  }

  private start(task: number): void {
    this.ends[task] = this.now + this.run.durations[task]!;
    this.running.add(task);
    for (const pool of this.run.plan.ready.poolsOf(task)) this.usage.set(pool, (this.usage.get(pool) ?? 0) + 1);
  }

  /** Nodes that nothing holds back any more: those to run get in line, the others are passed at once. */
  private release(free: number[]): void {
    for (let next = 0; next < free.length; next++) {
      const node = free[next]!;
      if (this.run.wouldRun[node] === 1) this.ready.add(node);
      else for (const to of this.passed(node)) free.push(to);
    }
  }

  private passed(node: number): number[] {
    const { offset, target } = this.run.plan.graph.dependents;
    const free: number[] = [];
    for (let e = offset[node]!; e < offset[node + 1]!; e++) if (--this.open[target[e]!]! === 0) free.push(target[e]!);
    return free;
  }
}
