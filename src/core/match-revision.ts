// A plan edited since it was loaded, matched by id with what is known: new tasks join, removed ones that never ran go, ended
// ones stay. Anything else is a conflict that only a person may decide.
import type { TaskId } from './ids.ts';
import type { Plan, Task } from './plan.ts';
import type { PlanState, TaskState } from './state.ts';

export interface Revision {
  /** What is to be loaded: the file, and the ended tasks that are no longer in it. */
  readonly definition: Plan;
  readonly added: readonly TaskId[];
  readonly removed: readonly TaskId[];
  /** Ended, no longer in the file; kept in the record. */
  readonly kept: readonly TaskId[];
  /** Never ran, says something else now. */
  readonly changed: readonly TaskId[];
  /** Has a history, and the file now says something else about it, or nothing although it has not ended. */
  readonly conflicts: readonly { readonly task: TaskId; readonly what: 'changed' | 'removed' }[];
}

export function matchRevision(known: PlanState, file: Plan): Revision {
  const fileIndex = new Map(file.tasks.map((task, i) => [task.id, i]));
  const added = file.tasks.filter((task) => !known.index.has(task.id)).map((task) => task.id);
  const removed: TaskId[] = [];
  const kept: Task[] = [];
  const changed: TaskId[] = [];
  const conflicts: { task: TaskId; what: 'changed' | 'removed' }[] = [];
  known.plan.tasks.forEach((task, i) => {
    // Not written by anybody: it comes and goes with what it closes.
    if (task.closes !== undefined) return;
    const state = known.tasks[i]!;
    const at = fileIndex.get(task.id);
    if (at === undefined) {
      if (task.group || !hasHistory(state)) removed.push(task.id);
      else if (state.status === 'completed' || state.status === 'failed' || state.status === 'skipped') kept.push(task);
      else conflicts.push({ task: task.id, what: 'removed' });
    } else if (meaning(known.plan, task) !== meaning(file, file.tasks[at]!)) {
      if (hasHistory(state)) conflicts.push({ task: task.id, what: 'changed' });
      else changed.push(task.id);
    }
  });
  return {
    definition: { ...file, tasks: [...file.tasks, ...kept.map((task) => standAlone(task, known.plan, file))] },
    added,
    removed,
    kept: kept.map((task) => task.id),
    changed,
    conflicts,
  };
}

/** Ran, or was steered by a person; a box in the plan is no history. */
function hasHistory(state: TaskState): boolean {
  return state.attempts > 0 || (state.by !== null && state.by !== 'plan');
}

/** Everything that matters for running it; not where it stands, nor its title. */
function meaning(plan: Plan, task: Task): string {
  const group = task.parent === undefined ? null : plan.tasks[task.parent]!.id;
  return JSON.stringify([group, task.group, task.needs, task.prefers, task.optional, task.prompt, task.keys]);
}

/** An ended task that lost its place: no group, in the phase of the same name or the last one, where it bars nothing. */
function standAlone(task: Task, from: Plan, to: Plan): Task {
  const { parent: _parent, needs: _needs, prefers: _prefers, ...rest } = task;
  const same = to.phases.findIndex((phase) => phase.name === from.phases[task.phase]!.name);
  return { ...rest, phase: same === -1 ? to.phases.length - 1 : same };
}
