// The order of a plan as chains of steps. Tasks of one step may run side by side; a step waits for the one before it in its chain.
//
//   phases       a phase is a step
//   spec-kit     a run of `[P]` neighbours in a phase is a step, and so is every other task
//   sequential   every leaf is a step
//   explicit     there is no chain
//
// Each `[SEQUENTIAL]` list is one more chain, with one task per step. The closing task of a group, a phase or the plan comes after the
// rest of it.
import type { TaskId } from '../model/ids.ts';
import type { Plan, Task } from '../model/plan.ts';

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
  const sequences = (plan.sequences ?? []).map((ids) => oneByOne(ids.flatMap((id) => index.get(id) ?? [])));
  const chains = [...sequences, ...closingChains(plan)];
  // A single phase waits for nothing.
  if (plan.order === 'explicit' || (plan.order === 'phases' && plan.phases.length === 1)) return chains;
  return [plan.order === 'sequential' ? oneByOne(leaves(plan)) : byPhase(plan), ...chains];
}

/** Chains of two steps: the tasks, then their closing task. */
function closingChains(plan: Plan): Chain[] {
  const closing = plan.tasks.flatMap((task, i) => (task.closes === undefined ? [] : i));
  if (closing.length === 0) return [];
  const members = new Map<string, number[]>();
  plan.tasks.forEach((task, i) => {
    for (const place of placesOf(task)) {
      const known = members.get(place);
      if (known) known.push(i);
      else members.set(place, [i]);
    }
  });
  return closing.flatMap((i): Chain[] => {
    const closed = members.get(placeClosedBy(plan.tasks[i]!)) ?? [];
    return closed.length === 0 ? [] : [{ tasks: [...closed, i], ends: [closed.length, closed.length + 1] }];
  });
}

/** The keys of its possible closing tasks: group or phase, and plan. */
function placesOf({ parent, phase, closes }: Task): string[] {
  if (closes === 'plan' || closes === 'group') return [];
  if (parent !== undefined) return [`group ${parent}`];
  return closes === 'phase' ? ['plan'] : [`phase ${phase}`, 'plan'];
}

function placeClosedBy({ closes, parent, phase }: Task): string {
  if (closes === 'group') return `group ${parent}`;
  return closes === 'phase' ? `phase ${phase}` : 'plan';
}

function oneByOne(tasks: readonly number[]): Chain {
  return { tasks, ends: tasks.map((_, i) => i + 1) };
}

function leaves(plan: Plan): number[] {
  return plan.tasks.flatMap((task, i) => (task.group ? [] : i));
}

/** The plan's last step is behind all of them already. */
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
    if (task.parent === undefined && task.closes !== 'plan') members[task.phase]!.push(i);
  });
  return members;
}
