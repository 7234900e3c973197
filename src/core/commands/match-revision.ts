// Matches an edited plan with the loaded one by id: new tasks join, removed ones that never ran go, ended ones stay. Anything else is a
// conflict that only a person may decide.
import type { TaskId } from '../model/ids.ts';
import type { Plan, Task } from '../model/plan.ts';
import type { PlanState, TaskState } from '../state/state.ts';

export interface Revision {
  /** The plan to load: the file, and the ended tasks that are no longer in it. */
  readonly definition: Plan;
  readonly added: readonly TaskId[];
  readonly removed: readonly TaskId[];
  /** Ended, no longer in the file; kept in the record. */
  readonly kept: readonly TaskId[];
  /** Tasks that never ran and mean something else now; or whose words changed while they are not running. */
  readonly changed: readonly TaskId[];
  /** Changes of the plan itself, beside its tasks. */
  readonly planChanges: readonly ChangedPart[];
  /** Tasks with a history that mean something else now, or were removed before they ended. */
  readonly conflicts: readonly { readonly task: TaskId; readonly what: 'changed' | 'removed' }[];
}

/** `phases`: their names and keys, and which tasks are in which; `order`: who follows whom beside the needs. */
export type ChangedPart = 'title' | 'phases' | 'order' | 'keys';

export function matchRevision(known: PlanState, file: Plan): Revision {
  const fileIndex = new Map(file.tasks.map((task, i) => [task.id, i]));
  const added = file.tasks.filter((task) => !known.index.has(task.id)).map((task) => task.id);
  const removed: TaskId[] = [];
  const kept: Task[] = [];
  const changed: TaskId[] = [];
  const conflicts: { task: TaskId; what: 'changed' | 'removed' }[] = [];
  known.plan.tasks.forEach((task, i) => {
    // A closing task is not in the file: it comes and goes with its group or phase.
    if (task.closes !== undefined) return;
    const state = known.tasks[i]!;
    const at = fileIndex.get(task.id);
    if (at === undefined) {
      if (task.group || !hasHistory(state)) removed.push(task.id);
      else if (hasEnded(state)) kept.push(task);
      else conflicts.push({ task: task.id, what: 'removed' });
      return;
    }
    const now = file.tasks[at]!;
    if (meaning(known.plan, task) !== meaning(file, now)) {
      if (hasHistory(state)) conflicts.push({ task: task.id, what: 'changed' });
      else changed.push(task.id);
    } else if (task.title !== now.title || task.prompt !== now.prompt) {
      // Title and prompt go to the agent. A mended typo contradicts no ended work: the next attempt gets the new words.
      if (state.status === 'in_progress' || state.live !== null) conflicts.push({ task: task.id, what: 'changed' });
      else changed.push(task.id);
    }
  });
  return {
    definition: { ...file, tasks: [...file.tasks, ...kept.map((task) => standAlone(task, known.plan, file))] },
    added,
    removed,
    kept: kept.map((task) => task.id),
    changed,
    planChanges: planChanges(known, file),
    conflicts,
  };
}

function planChanges({ plan, index }: PlanState, file: Plan): ChangedPart[] {
  const after = file.tasks.filter(({ id }) => index.has(id));
  const places = after.map(({ id }) => index.get(id)!);
  const isMoved = after.some(
    ({ phase }, i) => file.phases[phase]!.name !== plan.phases[plan.tasks[places[i]!]!.phase]!.name,
  );
  const before = places.sort((a, b) => a - b).map((place) => plan.tasks[place]!);
  const isDifferent: Record<ChangedPart, boolean> = {
    title: plan.title !== file.title,
    phases: isMoved || phasesOf(plan) !== phasesOf(file),
    order: orderOf(plan, before) !== orderOf(file, after),
    keys: keysOf(plan) !== keysOf(file),
  };
  return (Object.keys(isDifferent) as ChangedPart[]).filter((part) => isDifferent[part]);
}

/** Ran, or was steered by a person; a box in the plan is no history. */
function hasHistory(state: TaskState): boolean {
  return state.attempts > 0 || (state.by !== null && state.by !== 'plan');
}

const phasesOf = ({ phases }: Plan): string =>
  JSON.stringify(phases.map(({ name, check = [], batch = false }) => [name, check, batch]));

/** If only phases and needs count, the place in the file means nothing. */
function orderOf({ order, sequences = [] }: Plan, tasks: readonly Task[]): string {
  const isByPlace = order === 'spec-kit' || order === 'sequential';
  return JSON.stringify([order, sequences, isByPlace && tasks.map(({ id, parallel = false }) => [id, parallel])]);
}

function keysOf({ maxParallel, pools = {}, finish, finishAgent, baseline, maxAttempts, budgetUsd }: Plan): string {
  const limits = Object.entries(pools).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([maxParallel, limits, finish, finishAgent, baseline, maxAttempts, budgetUsd]);
}

const hasEnded = ({ status }: TaskState): boolean =>
  status === 'completed' || status === 'failed' || status === 'skipped';

/** Everything that matters for running it, except its words and its place. */
function meaning(plan: Plan, task: Task): string {
  const group = task.parent === undefined ? null : plan.tasks[task.parent]!.id;
  return JSON.stringify([group, task.group, task.needs, task.prefers, task.optional, task.keys]);
}

/** An ended task without a place in the file: no group, in the phase of the same name, or else in the last one, where it blocks nothing. */
function standAlone(task: Task, from: Plan, to: Plan): Task {
  const { parent: _parent, needs: _needs, prefers: _prefers, ...rest } = task;
  const same = to.phases.findIndex((phase) => phase.name === from.phases[task.phase]!.name);
  return { ...rest, phase: same === -1 ? to.phases.length - 1 : same };
}
