// What the order of a plan means, as chains of steps: what is in a step may run side by side, and a step waits for the one
// before it in its chain.
//
//   phases       a phase is a step
//   spec-kit     a run of `[P]` neighbours in a phase is a step, and so is every other task
//   sequential   every leaf is a step
//   explicit     there is no chain
//
// Each `[SEQUENTIAL]` list of tasks is one more chain, with one task per step.
import type { TaskId } from './ids.ts';
import type { Plan } from './plan.ts';

/** Which task has an id. */
export interface TaskIndex {
  get(id: TaskId): number | undefined;
}

/** Flat, because a chain may have 100,000 steps. */
export interface Chain {
  /** Step after step; a group stands for everything inside it. */
  readonly tasks: readonly number[];
  /** By step: where it ends in `tasks`. */
  readonly ends: readonly number[];
}

export function chainsOf(plan: Plan, index: TaskIndex): Chain[] {
  const chains = (plan.sequences ?? []).map((ids) => oneByOne(ids.flatMap((id) => index.get(id) ?? [])));
  // One phase alone waits for nobody.
  if (plan.order === 'explicit' || (plan.order === 'phases' && plan.phases.length === 1)) return chains;
  return [plan.order === 'sequential' ? oneByOne(leaves(plan)) : byPhase(plan), ...chains];
}

function oneByOne(tasks: readonly number[]): Chain {
  return { tasks, ends: tasks.map((_, i) => i + 1) };
}

function leaves(plan: Plan): number[] {
  return plan.tasks.flatMap((task, i) => (task.group ? [] : i));
}

function byPhase(plan: Plan): Chain {
  const tasks: number[] = [];
  const ends: number[] = [];
  for (const members of membersByPhase(plan)) {
    for (const task of members) {
      const before = tasks[tasks.length - 1];
      const isBoundary = task !== members[0] && plan.order === 'spec-kit' && !areParallel(plan, before!, task);
      if (isBoundary) ends.push(tasks.length);
      tasks.push(task);
    }
    ends.push(tasks.length);
  }
  return { tasks, ends };
}

const areParallel = (plan: Plan, one: number, other: number) =>
  plan.tasks[one]!.parallel === true && plan.tasks[other]!.parallel === true;

/** Top-level tasks. Ended ones that the file no longer has stand behind all others, whatever their phase. */
function membersByPhase(plan: Plan): number[][] {
  const members = plan.phases.map((): number[] => []);
  plan.tasks.forEach((task, i) => {
    if (task.parent === undefined) members[task.phase]!.push(i);
  });
  return members;
}
