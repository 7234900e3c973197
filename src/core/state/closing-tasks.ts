// Closing tasks: the check and the review of a group or a phase, and the last step of the plan. Signalbox adds them. They run, are judged
// and are decided like any other task, but count in no summary.
//
//   of a group   inside it, behind its other parts
//   of a phase   behind all of the phase, before the next one
//   of the plan  behind everything
import { type TaskId, taskId } from '../model/ids.ts';
import type { Plan, Task, TaskKeys } from '../model/plan.ts';

/** A plan that already has them stays as it is. */
export function withClosingTasks(plan: Plan): Plan {
  if (plan.tasks.some(({ closes }) => closes !== undefined)) return plan;
  const closesGroups = plan.tasks.some(({ group, keys }) => group && isClosed(keys));
  const closesPhases = plan.phases.some(({ check }) => check !== undefined && check.length > 0);
  if (!closesGroups && !closesPhases && plan.finish === undefined) return plan;
  return { ...plan, tasks: insert(plan) };
}

const isClosed = ({ check, review }: TaskKeys): boolean =>
  (check !== undefined && check.length > 0) || (review !== undefined && review !== 'none');

function insert(plan: Plan): Task[] {
  const tasks: Task[] = [];
  const names = new Set<string>(plan.tasks.map(({ id }) => id));
  const named = (name: string): TaskId => {
    let free = name;
    for (let n = 2; names.has(free); n++) free = `${name}-${n}`;
    names.add(free);
    return taskId(free);
  };
  const movedTo: number[] = [];
  /** Groups that are open at this place, with where they end in the plan. */
  const open: { readonly group: number; readonly after: number }[] = [];
  const after = endsOf(plan);
  const phaseEnds = lastOfPhases(plan);
  plan.tasks.forEach((task, i) => {
    movedTo[i] = tasks.length;
    tasks.push(task.parent === undefined ? task : { ...task, parent: movedTo[task.parent]! });
    if (task.group) open.push({ group: i, after: after[i]! });
    while (open.length > 0 && open[open.length - 1]!.after === i + 1) {
      const { group } = open.pop()!;
      const closed = plan.tasks[group]!;
      if (isClosed(closed.keys)) tasks.push(ofGroup(closed, movedTo[group]!, named(`${closed.id}:check`)));
    }
    const phase = phaseEnds.get(i);
    const check = phase === undefined ? undefined : plan.phases[phase]!.check;
    if (check?.length) tasks.push(ofPhase(plan, phase!, check, named(`phase-${phase! + 1}:check`), task.line));
  });
  if (plan.finish !== undefined) tasks.push(ofPlan(plan, plan.finish, named('finish')));
  return tasks;
}

function endsOf(plan: Plan): number[] {
  const after = plan.tasks.map((_, i) => i + 1);
  for (let i = plan.tasks.length - 1; i >= 0; i--) {
    const { parent } = plan.tasks[i]!;
    if (parent !== undefined) after[parent] = Math.max(after[parent]!, after[i]!);
  }
  return after;
}

/** By the last task of a phase in the file: the phase. */
function lastOfPhases(plan: Plan): Map<number, number> {
  const last = new Map<number, number>();
  plan.tasks.forEach(({ phase }, i) => {
    last.set(phase, i);
  });
  return new Map([...last].map(([phase, i]) => [i, phase]));
}

/** It runs the first check, and the others are its checks. A retry would only repeat the same, so it has none. */
function keysOf(check: readonly string[] | undefined, more: TaskKeys): TaskKeys {
  const [run = ':', ...rest] = check ?? [];
  return { run, ...(rest.length > 0 ? { check: rest } : {}), retries: 0, timeoutMs: 600_000, ...more };
}

function ofGroup({ title, line, phase, optional, keys }: Task, parent: number, id: TaskId): Task {
  const { review, env, onFailure, accept } = keys;
  const more: TaskKeys = {
    ...(review === undefined ? {} : { review }),
    ...(env === undefined ? {} : { env }),
    ...(accept === undefined ? {} : { accept }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
  const about = { id, title: `Check of ${title}`, line, phase, parent, closes: 'group' } as const;
  return { ...about, ...(optional ? { optional } : {}), keys: keysOf(keys.check, more) };
}

function ofPhase(plan: Plan, phase: number, check: readonly string[], id: TaskId, line: number): Task {
  const name = plan.phases[phase]!.name || 'the tasks without a phase';
  return { id, title: `Check of ${name}`, line, phase, closes: 'phase', keys: keysOf(check, {}) };
}

function ofPlan(plan: Plan, finish: string, id: TaskId): Task {
  const phase = plan.phases.length - 1;
  const keys: TaskKeys = { ...(plan.finishAgent ? { agent: finish } : { run: finish }), retries: 0 };
  return { id, title: 'Last step', line: 1, phase, closes: 'plan', keys };
}

/** The closing tasks of a task: of its groups, its phase and the plan. */
export class Closers {
  private readonly byPlace = new Map<string, number>();
  private readonly plan: Plan;

  constructor(plan: Plan, closing: readonly number[]) {
    this.plan = plan;
    for (const i of closing) {
      const { closes, parent, phase } = plan.tasks[i]!;
      this.byPlace.set(closes === 'group' ? `group ${parent}` : closes === 'phase' ? `phase ${phase}` : 'plan', i);
    }
  }

  of(task: number): number[] {
    const { tasks } = this.plan;
    // Nothing comes after the last step.
    if (this.byPlace.size === 0 || tasks[task]!.closes === 'plan') return [];
    const places = [`phase ${tasks[task]!.phase}`, 'plan'];
    for (let at = tasks[task]!.parent; at !== undefined; at = tasks[at]!.parent) places.push(`group ${at}`);
    return places.flatMap((place) => this.byPlace.get(place) ?? []).filter((i) => i !== task);
  }
}

/** The result of a closing task counts only for the same checks. */
export const isSameClosing = (one: Task, other: Task): boolean =>
  one.title === other.title && JSON.stringify(one.keys) === JSON.stringify(other.keys);
