// The rules of readiness, groups, order and outcome as the design says them, word for word and with no thought of speed. Shares
// no code with the core: it knows the plan as its author wrote it, and of every leaf only what the checker has verified.

import type { Plan, Task } from '../../../src/core/model/plan.ts';
import type { Limits } from '../../../src/core/model/run-event.ts';
import type { Status } from '../../../src/core/state/state.ts';

export interface LeafFacts {
  readonly status: Exclude<Status, 'blocked'>;
  readonly treatAsDone: boolean;
  readonly isLive: boolean;
  /** Waits for a time. */
  readonly isBackingOff: boolean;
}

export class PlainOracle {
  readonly leaves: readonly Task[];
  private readonly plan: Plan;
  private readonly facts: (id: string) => LeafFacts;
  private readonly byId = new Map<string, Task>();
  private readonly partsOf = new Map<string, Task[]>();
  private readonly hopelessness = new Map<string, boolean>();
  private readonly broken = new Map<number, boolean>();
  private readonly passed = new Map<number, boolean>();
  /** By leaf: what the order puts before it has a lower number. */
  private readonly steps: ReadonlyMap<string, number>;

  constructor(plan: Plan, facts: (id: string) => LeafFacts) {
    this.plan = plan;
    this.facts = facts;
    this.leaves = plan.tasks.filter((task) => !task.group);
    for (const task of plan.tasks) {
      this.byId.set(task.id, task);
      if (task.parent === undefined) continue;
      const group = plan.tasks[task.parent]!.id;
      this.partsOf.set(group, [...(this.partsOf.get(group) ?? []), task]);
    }
    this.steps = stepsOf(plan);
  }

  /** Blocked: it waits, and what it waits for cannot come as things stand. */
  status(leaf: Task): Status {
    const { status } = this.facts(leaf.id);
    return status === 'pending' && this.isHopeless(leaf) ? 'blocked' : status;
  }

  /** Nothing but a time or a slot keeps it from starting. */
  isFree(leaf: Task): boolean {
    return (
      this.status(leaf) === 'pending' &&
      !this.facts(leaf.id).isLive &&
      this.named(leaf, 'needs').every((need) => this.isSatisfied(need)) &&
      this.named(leaf, 'prefers').every((preferred) => this.hasEnded(preferred)) &&
      this.isReached(leaf)
    );
  }

  isReady(leaf: Task): boolean {
    return this.isFree(leaf) && !this.facts(leaf.id).isBackingOff;
  }

  /** Preferred tasks, own and inherited, that ended badly. */
  warnings(leaf: Task): string[] {
    return this.named(leaf, 'prefers')
      .filter((preferred) => this.hasEnded(preferred) && !this.isSatisfied(preferred))
      .map(({ id }) => id);
  }

  /** `work` is left that could go on by itself. Null: the run is not at its end. */
  outcome(run: {
    limits: Limits;
    stopping: number | null;
    paused: boolean;
    usedUp: boolean;
  }): { outcome: string; exitCode: number } | null {
    const isGoing = ({ id }: Task) => this.facts(id).isLive || this.facts(id).status === 'in_progress';
    if (this.leaves.some(isGoing)) return null;
    const canGoOn = this.leaves.some(
      (leaf) => this.isFree(leaf) && (this.facts(leaf.id).isBackingOff || !isShutOut(leaf, run.limits)),
    );
    if (canGoOn) {
      if (run.stopping !== null) return { outcome: 'aborted', exitCode: run.stopping };
      return run.paused || run.usedUp ? { outcome: 'paused', exitCode: 6 } : null;
    }
    const isUnended = (leaf: Task) => ['pending', 'blocked', 'suspended'].includes(this.status(leaf));
    const isOpen = (leaf: Task) => (leaf.optional ? this.status(leaf) === 'pending' : isUnended(leaf));
    // "First match: interrupted or aborted", as long as something has not ended.
    if (this.leaves.some(isOpen)) {
      return run.stopping !== null ? { outcome: 'aborted', exitCode: run.stopping } : { outcome: 'stuck', exitCode: 5 };
    }
    const hasFailed = (leaf: Task) => !leaf.optional && this.status(leaf) === 'failed';
    return this.leaves.some(hasFailed) ? { outcome: 'failed', exitCode: 1 } : { outcome: 'complete', exitCode: 0 };
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = { totalTasks: this.leaves.length };
    for (const status of ['completed', 'pending', 'in_progress', 'failed', 'blocked', 'suspended', 'skipped']) {
      counts[status] = this.leaves.filter((leaf) => this.status(leaf) === status).length;
    }
    return counts;
  }

  /** A group: every part has ended, and every required one well. */
  private isSatisfied(task: Task): boolean {
    if (task.group) return this.hasEnded(task) && this.required(task).every((part) => this.isSatisfied(part));
    const { status, treatAsDone } = this.facts(task.id);
    return status === 'completed' || (status === 'skipped' && treatAsDone);
  }

  private hasEnded(task: Task): boolean {
    if (task.group) return this.partsOf.get(task.id)!.every((part) => this.hasEnded(part));
    const status = this.status(task);
    return status !== 'pending' && status !== 'in_progress';
  }

  /** As things stand it never satisfies. */
  private isSpoiled(task: Task): boolean {
    if (task.group) return this.required(task).some((part) => this.isSpoiled(part));
    return this.hasEnded(task) && !this.isSatisfied(task);
  }

  private isHopeless(leaf: Task): boolean {
    const known = this.hopelessness.get(leaf.id);
    if (known !== undefined) return known;
    const isHopeless =
      this.named(leaf, 'needs').some((need) => this.isSpoiled(need)) || this.isBrokenBefore(this.steps.get(leaf.id)!);
    this.hopelessness.set(leaf.id, isHopeless);
    return isHopeless;
  }

  private isReached(leaf: Task): boolean {
    const step = this.steps.get(leaf.id)!;
    let isPassed = this.passed.get(step);
    if (isPassed === undefined) {
      isPassed = this.leaves.every((other) => this.steps.get(other.id)! >= step || this.passes(other));
      this.passed.set(step, isPassed);
    }
    return isPassed;
  }

  private isBrokenBefore(step: number): boolean {
    const known = this.broken.get(step);
    if (known !== undefined) return known;
    const isBroken = this.leaves.some(
      (other) => this.steps.get(other.id)! < step && this.hasEnded(other) && !this.passes(other),
    );
    this.broken.set(step, isBroken);
    return isBroken;
  }

  /** "A barrier is passed by completed, by any skip, and by any end of an optional task." */
  private passes(leaf: Task): boolean {
    const { status } = this.facts(leaf.id);
    if (status === 'completed' || status === 'skipped') return true;
    return leaf.optional === true && this.hasEnded(leaf);
  }

  /** Everything inside an optional group is optional; the group itself cannot do without it. */
  private required(group: Task): Task[] {
    const parts = this.partsOf.get(group.id)!;
    return group.optional ? parts : parts.filter((part) => !part.optional);
  }

  /** Own and those of the groups around. */
  private named(task: Task, list: 'needs' | 'prefers'): Task[] {
    const own = (task[list] ?? []).map((id) => this.byId.get(id)!);
    return task.parent === undefined ? own : [...own, ...this.named(this.plan.tasks[task.parent]!, list)];
  }
}

/**
 * Phases: each is a step. Spec-kit: "inside a phase tasks follow each other, but for neighbours that are all parallel". Sequential:
 * "every task waits for the one before". Explicit: all in one. An ended task that the file no longer has stands behind all others,
 * and belongs to its phase all the same.
 */
function stepsOf({ order, tasks }: Plan): Map<string, number> {
  const steps = new Map<string, number>();
  let step = 0;
  let before: Task | null = null;
  const isByPhase = order === 'phases' || order === 'spec-kit';
  for (const task of isByPhase ? tasks.toSorted((a, b) => a.phase - b.phase) : tasks) {
    const follows = {
      explicit: false,
      phases: task.phase !== before?.phase,
      'spec-kit': task.parent === undefined && !(task.phase === before?.phase && task.parallel && before?.parallel),
      sequential: !task.group,
    }[order];
    if (follows) step++;
    steps.set(task.id, step);
    if (task.parent === undefined) before = task;
  }
  return steps;
}

/** "A limit of 0 means none may run." */
export function isShutOut(leaf: Task, limits: Limits): boolean {
  if (limits.plan === 0 || limits.workspace === 0) return true;
  return poolsOf(leaf).some((pool) => limits.pools[pool] === 0);
}

export function poolsOf({ keys }: Task): string[] {
  return [...new Set([...(keys.model === undefined ? [] : [keys.model]), ...(keys.uses ?? [])])];
}
