// The rules of readiness, groups and order as the design says them, word for word and with no thought of speed: the oracle that
// the incremental machine is compared with. Also random plans to compare them on.
import fc from 'fast-check';
import { planPath, type TaskId, taskId } from '../src/core/model/ids.ts';
import type { Plan, Task } from '../src/core/model/plan.ts';
import { dropPreferenceCycles, findCycle } from '../src/core/ready/cycle.ts';
import type { Status, StatusCounts, TaskState } from '../src/core/state/state.ts';

export class PlainRules {
  private readonly plan: Plan;
  private readonly tasks: readonly TaskState[];
  private readonly known = new Map<number, Status>();

  constructor(plan: Plan, tasks: readonly TaskState[]) {
    this.plan = plan;
    this.tasks = tasks;
  }

  get leaves(): number[] {
    return this.plan.tasks.flatMap((task, i) => (task.group ? [] : [i]));
  }

  /** "A task is ready when it is a leaf, pending, all its needs are satisfied, all its preferences have ended." */
  ready(leaf: number): boolean {
    return this.free(leaf) && this.tasks[leaf]!.notBefore === 0;
  }

  backingOff(leaf: number): boolean {
    return this.free(leaf) && this.tasks[leaf]!.notBefore > 0;
  }

  status(i: number): Status {
    const task = this.plan.tasks[i]!;
    if (!task.group) return this.leafStatus(i);
    if (this.satisfied(i)) return 'completed';
    const leaves = this.leaves.filter((leaf) => this.around(leaf).includes(i));
    if (this.ended(i)) {
      const counting = leaves.filter((leaf) => task.optional || !this.plan.tasks[leaf]!.optional);
      const bad = new Set(counting.filter((leaf) => this.endedBadly(leaf)).map((leaf) => this.status(leaf)));
      return (['failed', 'blocked', 'suspended', 'skipped'] as const).find((status) => bad.has(status))!;
    }
    return leaves.every((leaf) => this.tasks[leaf]!.status === 'pending') ? 'pending' : 'in_progress';
  }

  counts(optional: boolean): StatusCounts {
    const none = { pending: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0, suspended: 0, skipped: 0 };
    for (const leaf of this.leaves) {
      if ((this.plan.tasks[leaf]!.optional ?? false) === optional) none[this.status(leaf)]++;
    }
    return none;
  }

  /** "Completed, or skipped when the decision said treat as done"; a group when it has ended with every required child so. */
  satisfied(i: number): boolean {
    if (this.plan.tasks[i]!.group) {
      return this.ended(i) && this.requiredParts(i).every((part) => this.satisfied(part));
    }
    const { status, treatAsDone } = this.tasks[i]!;
    return status === 'completed' || (status === 'skipped' && treatAsDone);
  }

  /** "A preferred task that failed, was skipped, is blocked or suspended has ended badly." */
  endedBadly(i: number): boolean {
    if (this.plan.tasks[i]!.group) return this.requiredParts(i).some((part) => this.endedBadly(part));
    return ['failed', 'skipped', 'blocked', 'suspended'].includes(this.status(i)) && !this.satisfied(i);
  }

  ended(i: number): boolean {
    if (this.plan.tasks[i]!.group) return this.parts(i).every((part) => this.ended(part));
    return this.satisfied(i) || this.endedBadly(i);
  }

  private leafStatus(leaf: number): Status {
    const { status } = this.tasks[leaf]!;
    if (status !== 'pending') return status;
    const known = this.known.get(leaf);
    if (known) return known;
    this.known.set(leaf, 'pending'); // what waits for itself in a circle is not hopeless because of itself
    const hopeless =
      this.named(leaf, 'needs').some((need) => this.endedBadly(need)) ||
      this.leavesBefore(leaf).some((earlier) => this.breaksBarrier(earlier));
    const derived = hopeless ? 'blocked' : 'pending';
    this.known.set(leaf, derived);
    return derived;
  }

  private free(leaf: number): boolean {
    return (
      this.status(leaf) === 'pending' &&
      this.tasks[leaf]!.live === null &&
      this.named(leaf, 'needs').every((need) => this.satisfied(need)) &&
      this.named(leaf, 'prefers').every((preferred) => this.ended(preferred)) &&
      this.leavesBefore(leaf).every((earlier) => this.passesBarrier(earlier))
    );
  }

  /** "Passed by completed, by any skip, and by any end of an optional task." */
  passesBarrier(leaf: number): boolean {
    const status = this.status(leaf);
    if (status === 'completed' || status === 'skipped') return true;
    return this.plan.tasks[leaf]!.optional === true && this.ended(leaf);
  }

  /** "A failure in a phase blocks the phases after it." */
  private breaksBarrier(leaf: number): boolean {
    return this.endedBadly(leaf) && !this.passesBarrier(leaf);
  }

  /** What the order puts before it. */
  leavesBefore(leaf: number): number[] {
    return this.leaves.filter((other) => this.isBefore(other, leaf) || this.isBeforeInSequence(other, leaf));
  }

  private isBefore(other: number, leaf: number): boolean {
    const [a, b] = [this.plan.tasks[other]!, this.plan.tasks[leaf]!];
    switch (this.plan.order) {
      case 'explicit':
        return false;
      case 'sequential':
        return other < leaf;
      case 'phases':
        return a.phase < b.phase;
      case 'spec-kit':
        return a.phase < b.phase || (a.phase === b.phase && this.isBeforeInPhase(other, leaf));
    }
  }

  /** "Tasks without [P] follow each other": between two that may run together, everything has the mark. */
  private isBeforeInPhase(other: number, leaf: number): boolean {
    const [first, last] = [this.around(other).at(-1)!, this.around(leaf).at(-1)!];
    if (first >= last) return false;
    return this.plan.tasks
      .slice(first, last + 1)
      .some((task) => task.parent === undefined && task.phase === this.plan.tasks[leaf]!.phase && !task.parallel);
  }

  private isBeforeInSequence(other: number, leaf: number): boolean {
    const place = (i: number, ids: readonly TaskId[]) => {
      const names = this.around(i).map((at) => this.plan.tasks[at]!.id);
      return ids.findIndex((id) => names.includes(id));
    };
    return (this.plan.sequences ?? []).some((ids) => place(other, ids) >= 0 && place(other, ids) < place(leaf, ids));
  }

  /** Own and inherited. */
  named(leaf: number, list: 'needs' | 'prefers'): number[] {
    const ids = this.around(leaf).flatMap((i) => this.plan.tasks[i]![list] ?? []);
    return ids.map((id) => this.plan.tasks.findIndex((task) => task.id === id));
  }

  /** The task and the groups around it. */
  private around(i: number): number[] {
    const { parent } = this.plan.tasks[i]!;
    return parent === undefined ? [i] : [i, ...this.around(parent)];
  }

  parts(group: number): number[] {
    return this.plan.tasks.flatMap((task, i) => (task.parent === group ? [i] : []));
  }

  /** A part that the group does not wait for, or no more. */
  harmless(group: number, part: number): boolean {
    return this.requiredParts(group).includes(part) ? this.satisfied(part) : this.ended(part);
  }

  /** Everything inside an optional group is marked optional; for that group itself it counts all the same. */
  private requiredParts(group: number): number[] {
    if (this.plan.tasks[group]!.optional) return this.parts(group);
    return this.parts(group).filter((part) => !this.plan.tasks[part]!.optional);
  }
}

interface Seed {
  readonly depth: number;
  readonly newPhase: boolean;
  readonly optional: boolean;
  readonly parallel: boolean;
  readonly ticked: 'completed' | 'skipped' | null;
  readonly needs: readonly number[];
  readonly prefers: readonly number[];
}

const seed: fc.Arbitrary<Seed> = fc.record({
  depth: fc.nat({ max: 3 }),
  newPhase: fc.boolean(),
  optional: fc.nat({ max: 4 }).map((n) => n === 0),
  parallel: fc.boolean(),
  ticked: fc.constantFrom(null, null, null, null, null, null, 'completed', 'skipped'),
  needs: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
  prefers: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
});

/** Groups in groups, needs and preferences in all directions, every order, optional and ticked tasks; cycles and all. */
export const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    order: fc.constantFrom('explicit', 'phases', 'spec-kit', 'sequential'),
    seeds: fc.array(seed, { minLength: 1, maxLength: 14 }),
    sequences: fc.array(fc.array(fc.nat({ max: 20 }), { maxLength: 4 }), { maxLength: 1 }),
  })
  .map(({ order, seeds, sequences }) => withSequences(grow(order, seeds), sequences));

/** In the order of the file, and none inside another: as a reader makes them. */
function withSequences(plan: Plan, wanted: readonly (readonly number[])[]): Plan {
  const sequences = wanted.map((numbers) => {
    const sorted = [...new Set(numbers.map((n) => n % plan.tasks.length))].sort((a, b) => a - b);
    const isInside = (i: number, other: number): boolean => {
      const { parent } = plan.tasks[i]!;
      return parent !== undefined && (parent === other || isInside(parent, other));
    };
    return sorted.filter((i) => !sorted.some((other) => isInside(i, other))).map((i) => plan.tasks[i]!.id);
  });
  return { ...plan, sequences };
}

/** The same without cycles. */
export const soundPlan: fc.Arbitrary<Plan> = anyPlan.map((plan) => {
  let sound = plan;
  for (let cycle = findCycle(sound); cycle; cycle = findCycle(sound)) {
    const step = cycle.steps.find(({ why }) => why === 'need')!;
    const cut = (task: Task) => ({ ...task, needs: task.needs!.filter((id) => id !== step.to) });
    sound = { ...sound, tasks: sound.tasks.map((task) => (task.id === step.from ? cut(task) : task)) };
  }
  return dropPreferenceCycles(sound).plan;
});

function grow(order: Plan['order'], seeds: readonly Seed[]): Plan {
  const depths: number[] = [];
  for (const { depth } of seeds) depths.push(Math.min(depth, (depths.at(-1) ?? -1) + 1));
  const path: number[] = [];
  let phase = 0;
  const tasks: Task[] = [];
  seeds.forEach((one, i) => {
    const depth = depths[i]!;
    path.length = depth;
    path.push(i);
    if (depth === 0 && i > 0 && one.newPhase) phase++;
    const parent = depth === 0 ? undefined : path[depth - 1]!;
    const group = (depths[i + 1] ?? 0) > depth;
    const optional = one.optional || (parent !== undefined && tasks[parent]!.optional === true);
    tasks.push({
      id: taskId(`t${i}`),
      title: '',
      line: i + 1,
      phase,
      keys: {},
      needs: names(one.needs, seeds.length),
      prefers: names(one.prefers, seeds.length),
      ...(parent === undefined ? {} : { parent }),
      ...(group ? { group: true } : {}),
      ...(optional ? { optional: true } : {}),
      ...(one.parallel ? { parallel: true } : {}),
      ...(one.ticked && !group ? { ticked: one.ticked } : {}),
    });
  });
  const phases = Array.from({ length: phase + 1 }, (_, i) => ({ name: `${i}` }));
  return { path: planPath('plan.md'), title: '', order, phases, tasks };
}

const names = (numbers: readonly number[], count: number): TaskId[] =>
  [...new Set(numbers.map((n) => n % count))].map((n) => taskId(`t${n}`));
