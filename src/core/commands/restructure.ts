// Changes a plan without its file: drops needs, merges tasks, or moves tasks to a later phase. The result is a new revision, loaded like
// one from a file, or a refusal.

import { commandLine } from '../model/command-line.ts';
import type { TaskId } from '../model/ids.ts';
import { impossible } from '../model/impossible.ts';
import type { Plan, Task, TaskKeys } from '../model/plan.ts';
import { findCycle } from '../ready/cycle.ts';
import { indexTasks } from '../ready/graph.ts';
import { statusOf } from '../state/questions/status.ts';
import type { PlanState, Status } from '../state/state.ts';

export type Restructure =
  | { readonly kind: 'drop-need'; readonly task: TaskId; readonly need: TaskId }
  /** The first task stays and gets the keys of the second. */
  | { readonly kind: 'merge'; readonly into: TaskId; readonly from: TaskId }
  | { readonly kind: 'move'; readonly task: TaskId; readonly phase: string };

export type Restructured =
  | {
      readonly ok: true;
      readonly plan: Plan;
      /** Ended tasks that the change removes. */
      readonly dropped: readonly { readonly task: TaskId; readonly status: Status }[];
      /** Failed tasks that are tried again in the new shape. */
      readonly retried: readonly TaskId[];
    }
  | { readonly ok: false; readonly because: string; readonly instead: string };

type Refused = Extract<Restructured, { readonly ok: false }>;

/** One change after the other, all or none. */
export function restructure(known: PlanState, changes: readonly Restructure[]): Restructured {
  let result: Extract<Restructured, { readonly ok: true }> = {
    ok: true,
    plan: withoutClosingTasks(known.plan),
    dropped: [],
    retried: [],
  };
  for (const change of changes) {
    const next = apply(known, result.plan, change);
    if (!next.ok) return next;
    const gone = new Set(next.dropped.map(({ task }) => task));
    result = {
      ...next,
      dropped: [...result.dropped, ...next.dropped],
      retried: [...new Set([...result.retried, ...next.retried])].filter((id) => !gone.has(id)),
    };
  }
  const cycle = findCycle(result.plan);
  if (cycle === null) return result;
  const names = cycle.steps.map(({ from }) => from).join(' → ');
  return refuse(
    `with this change, tasks would wait for each other: ${names}`,
    'choose another change, or edit the file and reload it',
  );
}

function apply(known: PlanState, plan: Plan, change: Restructure): Restructured {
  switch (change.kind) {
    case 'drop-need':
      return dropNeed(plan, change.task, change.need);
    case 'merge':
      return merge(known, plan, change.into, change.from);
    case 'move':
      return move(known, plan, change.task, change.phase);
    /* v8 ignore start */
    default:
      return impossible(change);
    /* v8 ignore stop */
  }
}

const refuse = (because: string, instead: string): Refused => ({ ok: false, because, instead });
const unknown = (id: TaskId): Refused => refuse(`the plan has no task ${id}`, 'list its tasks: signalbox status');
const done = (plan: Plan, more: Partial<Extract<Restructured, { ok: true }>> = {}): Restructured => ({
  ok: true,
  plan,
  dropped: [],
  retried: [],
  ...more,
});

/** The plan as the author wrote it: closing tasks are added again on loading. */
export function withoutClosingTasks(plan: Plan): Plan {
  return plan.tasks.some(({ closes }) => closes !== undefined)
    ? { ...plan, tasks: reindexed(plan.tasks, (task) => task.closes === undefined) }
    : plan;
}

/** The tasks that stay, with their groups' new indices. */
function reindexed(tasks: readonly Task[], stays: (task: Task) => boolean): Task[] {
  const place = new Map<number, number>();
  const left: Task[] = [];
  tasks.forEach((task, i) => {
    if (!stays(task)) return;
    place.set(i, left.length);
    left.push(task.parent === undefined ? task : { ...task, parent: place.get(task.parent)! });
  });
  return left;
}

function dropNeed(plan: Plan, id: TaskId, need: TaskId): Restructured {
  const i = indexTasks(plan).get(id);
  if (i === undefined) return unknown(id);
  const { needs = [] } = plan.tasks[i]!;
  if (!needs.includes(need)) {
    const own = needs.length === 0 ? 'it has no needs of its own' : `it needs ${needs.join(', ')}`;
    return refuse(`${id} does not need ${need} itself: ${own}`, `see what it waits for: ${commandLine('why', id)}`);
  }
  const rest = needs.filter((other) => other !== need);
  return done(replaced(plan, i, withNeeds(plan.tasks[i]!, rest)));
}

function withNeeds({ needs: _, ...task }: Task, needs: readonly TaskId[]): Task {
  return needs.length === 0 ? task : { ...task, needs };
}

const replaced = (plan: Plan, i: number, task: Task): Plan => ({ ...plan, tasks: plan.tasks.with(i, task) });

function merge(known: PlanState, plan: Plan, into: TaskId, from: TaskId): Restructured {
  const index = indexTasks(plan);
  const a = index.get(into);
  const b = index.get(from);
  if (a === undefined) return unknown(into);
  if (b === undefined) return unknown(from);
  if (a === b) return refuse(`${into} and ${from} are the same task`, 'name two tasks');
  const one = plan.tasks[a]!;
  const other = plan.tasks[b]!;
  if (one.group || other.group) {
    return refuse(`${one.group ? into : from} is a group`, 'only tasks without subtasks can be merged');
  }
  const statuses = [into, from].map((id) => ({ task: id, status: statusOf(known, known.index.get(id)!) }));
  const busy = statuses.find(({ status }) => status === 'completed' || status === 'in_progress');
  if (busy)
    return refuse(
      `${busy.task} is ${busy.status.replace('_', ' ')}`,
      'only tasks that are neither running nor completed can be merged',
    );
  const merged = mergedTask(one, other);
  const tasks = reindexed(plan.tasks, (task) => task !== other).map((task) => {
    if (task.id === into) return { ...merged, ...(task.parent === undefined ? {} : { parent: task.parent }) };
    return renamed(task, from, into);
  });
  const dropped = statuses.filter(({ task, status }) => task === from && (status === 'failed' || status === 'skipped'));
  const retried = statuses.flatMap(({ task, status }) => (task === into && status === 'failed' ? task : []));
  const sequences = plan.sequences?.map((ids) => [...new Set(ids.map((id) => (id === from ? into : id)))]);
  return done({ ...plan, tasks, ...(sequences ? { sequences } : {}) }, { dropped, retried });
}

function mergedTask(one: Task, other: Task): Task {
  const others = new Set([one.id, other.id]);
  const both = (a: readonly TaskId[] = [], b: readonly TaskId[] = []) =>
    [...new Set([...a, ...b])].filter((id) => !others.has(id));
  const needs = both(one.needs, other.needs);
  const prefers = both(one.prefers, other.prefers);
  const prompt = [one.prompt, `Together with this: ${other.title}`, other.prompt].filter((text) => text).join('\n\n');
  const { needs: _needs, prefers: _prefers, optional, ...rest } = one;
  return {
    ...rest,
    title: `${one.title}; ${other.title}`,
    ...(needs.length === 0 ? {} : { needs }),
    ...(prefers.length === 0 ? {} : { prefers }),
    ...(optional && other.optional ? { optional } : {}),
    prompt,
    keys: mergedKeys(one.keys, other.keys),
  };
}

/** The keys of the first win. Lists are joined, and commands run one after the other. */
function mergedKeys(one: TaskKeys, other: TaskKeys): TaskKeys {
  const lists = (['files', 'reads', 'locks', 'check', 'accept', 'labels', 'uses'] as const).flatMap((key) => {
    const all = [...new Set([...(one[key] ?? []), ...(other[key] ?? [])])];
    return all.length === 0 ? [] : [[key, all] as const];
  });
  const run = one.run !== undefined && other.run !== undefined ? { run: `${one.run}\n${other.run}` } : {};
  const env = one.env || other.env ? { env: { ...other.env, ...one.env } } : {};
  return { ...other, ...one, ...Object.fromEntries(lists), ...run, ...env };
}

function renamed(task: Task, from: TaskId, into: TaskId): Task {
  const change = (ids: readonly TaskId[] | undefined) =>
    ids?.includes(from) ? [...new Set(ids.map((id) => (id === from ? into : id)))].filter((id) => id !== task.id) : ids;
  const needs = change(task.needs);
  const prefers = change(task.prefers);
  return { ...task, ...(needs ? { needs } : {}), ...(prefers ? { prefers } : {}) };
}

function move(known: PlanState, plan: Plan, id: TaskId, name: string): Restructured {
  const i = indexTasks(plan).get(id);
  if (i === undefined) return unknown(id);
  const task = plan.tasks[i]!;
  if (task.parent !== undefined) {
    return refuse(
      `${id} is a subtask of ${plan.tasks[task.parent]!.id}`,
      'move the group, or edit the file and reload it',
    );
  }
  const phase = phaseOf(plan, name);
  if (phase === -1) {
    const names = plan.phases.map((other, n) => `${n + 1} (${other.name || 'without a name'})`);
    return refuse(`the plan has no phase ${JSON.stringify(name)}`, `its phases are ${names.join(', ')}`);
  }
  if (phase <= task.phase) return refuse(`${id} is already in phase ${task.phase + 1}`, 'name a later phase');
  const status = statusOf(known, known.index.get(id)!);
  if (status === 'completed' || status === 'in_progress') {
    return refuse(
      `${id} is ${status.replace('_', ' ')}`,
      'only a task that is neither running nor completed can be moved',
    );
  }
  const retried = status === 'failed' && !task.group ? [id] : [];
  return done({ ...plan, tasks: movedTo(plan, i, phase) }, { retried });
}

/** By number, by name, or by a unique part of the name. */
function phaseOf(plan: Plan, name: string): number {
  const wanted = name.trim().toLowerCase();
  const exact = plan.phases.findIndex((phase) => phase.name.toLowerCase() === wanted);
  if (exact !== -1 || wanted === '') return exact;
  if (/^\d+$/.test(wanted)) return Number(wanted) <= plan.phases.length ? Number(wanted) - 1 : -1;
  const some = plan.phases.flatMap((phase, i) => (phase.name.toLowerCase().includes(wanted) ? i : []));
  return some.length === 1 ? some[0]! : -1;
}

/** The task and everything inside it, behind the last task of that phase. */
function movedTo(plan: Plan, i: number, phase: number): Task[] {
  let end = i + 1;
  while (end < plan.tasks.length && isInside(plan, end, i)) end++;
  const order = plan.tasks.map((_, at) => at);
  const block = order.splice(i, end - i);
  const last = order.findLastIndex((at) => plan.tasks[at]!.phase <= phase);
  order.splice(last + 1, 0, ...block);
  const place = new Map(order.map((at, to) => [at, to]));
  return order.map((at) => {
    const task = plan.tasks[at]!;
    const parent = task.parent === undefined ? {} : { parent: place.get(task.parent)! };
    return { ...task, ...parent, ...(at >= i && at < end ? { phase } : {}) };
  });
}

function isInside(plan: Plan, task: number, group: number): boolean {
  for (let at: number | undefined = task; at !== undefined; at = plan.tasks[at]!.parent) if (at === group) return true;
  return false;
}
