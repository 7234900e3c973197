// Matches an edited plan with the loaded one by id, also while it runs:
//
//   new                                     joins
//   removed, never ran                      goes
//   removed, has ended                      stays in the record
//   says something else, is running         keeps what it was started with; its next attempt has the new text
//   says something else, has not completed  takes it
//   other words, has completed              takes them: a mended typo contradicts no work
//
// Anything else is a conflict. A person may load it all the same (`reload`), unless it takes away what is running.
import type { ChangedPart, PlanDifference } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { Plan, Task } from '../model/plan.ts';
import { withClosingTasks } from '../state/closing-tasks.ts';
import { isAtWork } from '../state/questions/started-task.ts';
import type { PlanState, TaskState } from '../state/state.ts';

export interface Revision extends PlanDifference {
  /** The plan to load: the file, and the ended tasks that are no longer in it. */
  readonly definition: Plan;
  /** Tasks with a history that mean something else now, or were removed before they ended. */
  readonly conflicts: readonly Conflict[];
}

export interface Conflict {
  readonly task: TaskId;
  readonly what: 'changed' | 'removed';
  /** Of the file; where it was when it was loaded, if it was removed. */
  readonly line: number;
  /** Nobody can take it away now. */
  readonly isRunning: boolean;
}

export function matchRevision(known: PlanState, file: Plan): Revision {
  const closed = withClosingTasks(file);
  const inFile = new Map(closed.tasks.map((task) => [task.id, task]));
  const found = { removed: [], changed: [], nextAttempt: [], ticked: [] } as Record<'removed' | Present, TaskId[]>;
  const kept: Task[] = [];
  const conflicts: Conflict[] = [];
  known.plan.tasks.forEach((task, i) => {
    const { id } = task;
    const state = known.tasks[i]!;
    const now = inFile.get(id);
    // A closing task is not in the file: it comes and goes with its group or phase, but not while it runs.
    if (task.closes !== undefined) {
      if (state.live !== null && now === undefined) conflicts.push(removed(task, true));
    } else if (now === undefined) {
      if (isAtWork(state)) conflicts.push(removed(task, true));
      else if (task.group || !hasHistory(state)) found.removed.push(id);
      else if (hasEnded(state)) kept.push(task);
      else conflicts.push(removed(task, false));
    } else {
      const what = compare(known, i, closed, now);
      if (what === 'conflict')
        conflicts.push({ task: id, what: 'changed', line: now.line, isRunning: isAtWork(state) });
      else if (what !== 'same') found[what].push(id);
    }
  });
  return {
    definition: { ...file, tasks: [...file.tasks, ...kept.map((task) => standAlone(task, known.plan, file))] },
    added: file.tasks.filter((task) => !known.index.has(task.id)).map((task) => task.id),
    ...found,
    kept: kept.map((task) => task.id),
    planChanges: planChanges(known, file),
    conflicts,
  };
}

const removed = ({ id, line }: Task, isRunning: boolean): Conflict => ({ task: id, what: 'removed', line, isRunning });

type Present = 'changed' | 'nextAttempt' | 'ticked';

function compare(known: PlanState, i: number, file: Plan, now: Task): Present | 'same' | 'conflict' {
  const task = known.plan.tasks[i]!;
  const state = known.tasks[i]!;
  const hasNewMeaning = meaning(known.plan, task) !== meaning(file, now);
  const hasNewWords = task.title !== now.title || task.prompt !== now.prompt;
  // A group never runs: the history of the task would have no place.
  if (hasHistory(state) && task.group !== now.group) return 'conflict';
  if (hasNewMeaning || hasNewWords) {
    if (isAtWork(state)) return 'nextAttempt';
    return hasNewMeaning && hasHistory(state) && !isToRun(state) ? 'conflict' : 'changed';
  }
  const isTicked = now.ticked !== undefined && now.ticked !== task.ticked;
  return isTicked && state.status === 'pending' && !isAtWork(state) ? 'ticked' : 'same';
}

/** With what only a person may load: changed, or removed. */
export function withConflicts(match: Revision): Revision {
  const those = (wanted: Conflict['what']) =>
    match.conflicts.flatMap(({ task, what }) => (what === wanted ? task : []));
  return {
    ...match,
    changed: [...match.changed, ...those('changed')],
    removed: [...match.removed, ...those('removed')],
  };
}

/** The changes of a revision, as they are told. */
export function differenceIn(revision: PlanDifference): PlanDifference {
  const { added, removed: gone, kept, changed, nextAttempt, ticked, planChanges: parts } = revision;
  return { added, removed: gone, kept, changed, nextAttempt, ticked, planChanges: parts };
}

export const noDifference: PlanDifference = {
  added: [],
  removed: [],
  kept: [],
  changed: [],
  nextAttempt: [],
  ticked: [],
  planChanges: [],
};

/** Only boxes of ended tasks, remarks and places changed: nothing that anybody has to hear of. */
export const isNothing = (difference: PlanDifference): boolean =>
  Object.values(differenceIn(difference)).every(({ length }) => length === 0);

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

function keysOf({ pools = {}, worktree = {}, ...plan }: Plan): string {
  const { maxParallel, finish, finishAgent, baseline, maxAttempts, budgetUsd, isolation, land } = plan;
  const { setup, include, generated = {}, at } = worktree;
  const own = [maxParallel, finish, finishAgent, baseline, maxAttempts, budgetUsd, isolation, land, setup, include, at];
  return JSON.stringify([own, byName(pools), byName(generated)]);
}

const byName = (map: Readonly<Record<string, unknown>>) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));

const hasEnded = ({ status }: TaskState): boolean =>
  status === 'completed' || status === 'failed' || status === 'skipped';

/** It has done nothing that counts: another attempt, if there is one, goes by the new text. */
const isToRun = ({ status }: TaskState): boolean =>
  status === 'pending' || status === 'failed' || status === 'suspended';

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
