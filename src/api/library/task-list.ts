// Turns a plain list of tasks in memory into a plan of the core. Where the list cannot be a plan (an unknown need, tasks that wait for
// each other), the tasks concerned can never start; all others are judged as usual.

import type { Event, StoredEvent } from '../../core/model/event.ts';
import { attemptId, hostId, planPath, runId, type TaskId, taskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import { findCycles } from '../../core/ready/cycle.ts';
import { createState, evolve } from '../../core/state/evolve.ts';
import type { PlanState, State, Status } from '../../core/state/state.ts';

export interface ListedTask {
  readonly id: string;
  /** Pending by default. `blocked` is derived: whoever says so means pending. */
  readonly status?: Status;
  readonly needs?: readonly string[];
  readonly prefers?: readonly string[];
  readonly priority?: number;
  readonly model?: string;
  readonly uses?: readonly string[];
  readonly optional?: boolean;
  /** A task that was skipped and counts as done. */
  readonly treatAsDone?: boolean;
  readonly subtasks?: readonly ListedTask[];
}

export interface KnownList {
  readonly state: State;
  readonly plan: PlanState;
  readonly given: ReadonlyMap<string, ListedTask>;
  readonly cycles: readonly (readonly string[])[];
  readonly unknown: readonly { readonly task: string; readonly need: string }[];
}

const path = planPath('list');
const run = runId('list');

export function knowList(tasks: readonly ListedTask[]): KnownList {
  const given = new Map<string, ListedTask>();
  const flat: Task[] = [];
  const add = (task: ListedTask, parent: number | undefined): void => {
    if (given.has(task.id)) throw new TypeError(`the task ${JSON.stringify(task.id)} is there twice`);
    given.set(task.id, task);
    const at = flat.push(asTask(task, parent, parent === undefined ? undefined : flat[parent])) - 1;
    for (const part of task.subtasks ?? []) add(part, at);
  };
  for (const task of tasks) add(task, undefined);
  const unknown = flat.flatMap(({ id, needs = [] }) =>
    needs.filter((need) => !given.has(need)).map((need) => ({ task: id as string, need: need as string })),
  );
  const { plan, cycles, unable } = withoutCycles(flat, given, new Set(unknown.map(({ task }) => task)));
  return { ...stateOf(plan, given, unable), given, cycles, unknown };
}

function asTask(task: ListedTask, parent: number | undefined, around: Task | undefined): Task {
  const { id, needs = [], prefers = [], priority, model, uses, subtasks = [] } = task;
  const isOptional = task.optional === true || around?.optional === true;
  return {
    id: taskId(id),
    title: id,
    line: 1,
    phase: 0,
    // As in a plan file, where subtasks inherit the keys of their groups.
    keys: {
      ...around?.keys,
      ...(priority === undefined ? {} : { priority }),
      ...(model === undefined ? {} : { model }),
      ...(uses === undefined ? {} : { uses: [...uses] }),
    },
    needs: needs.map(taskId),
    prefers: prefers.map(taskId),
    ...(parent === undefined ? {} : { parent }),
    ...(subtasks.length > 0 ? { group: true } : {}),
    ...(isOptional ? { optional: true } : {}),
  };
}

/** A task that waits for itself waits for ever. Its needs are left out of the graph, and the task is held back instead. */
function withoutCycles(flat: readonly Task[], given: ReadonlyMap<string, ListedTask>, unable: Set<string>) {
  const cycles: string[][] = [];
  for (;;) {
    const tasks = flat.map((task) => ({
      ...task,
      needs: unable.has(task.id) ? [] : (task.needs ?? []).filter((need) => given.has(need)),
      prefers: (task.prefers ?? []).filter((id) => given.has(id) && !unable.has(task.id)),
    }));
    const plan: Plan = { path, title: '', order: 'explicit', phases: [{ name: '' }], tasks };
    const found = findCycles(plan, 100);
    if (found.length === 0) return { plan, cycles, unable };
    for (const { steps } of found) {
      cycles.push([...new Set(steps.map(({ from }) => from as string))]);
      for (const { from, why } of steps) if (why === 'need') unable.add(from);
    }
  }
}

function stateOf(plan: Plan, given: ReadonlyMap<string, ListedTask>, unable: ReadonlySet<string>) {
  const state = createState();
  const record = (event: Event): void => evolve(state, { ...event, seq: state.seq + 1, at: 1 } as StoredEvent);
  record({ type: 'plan-loaded', v: 1, plan: path, revision: '', definition: plan });
  const statuses: { id: TaskId; status: Status; treatAsDone: boolean }[] = [];
  plan.tasks.forEach((task, i) => {
    if (task.group) return;
    const isUnable = around(plan, i).some((id) => unable.has(id));
    const { status = 'pending', treatAsDone = false } = given.get(task.id)!;
    const isOpen = status === 'pending' || status === 'blocked' || status === 'in_progress';
    statuses.push({
      id: task.id,
      status: isUnable && isOpen && status !== 'in_progress' ? 'suspended' : status,
      treatAsDone,
    });
  });
  for (const { id: task, status, treatAsDone } of statuses) {
    const about = { v: 1, plan: path, task } as const;
    if (status === 'completed') record({ type: 'task-completed', ...about });
    else if (status === 'failed')
      record({ type: 'task-failed', ...about, failure: { kind: 'said', message: 'failed' } });
    else if (status === 'suspended') record({ type: 'task-suspended', ...about, by: '' });
    else if (status === 'skipped')
      record({ type: 'task-skipped', ...about, by: '', ...(treatAsDone ? { treatAsDone } : {}) });
    else if (status === 'in_progress') schedule(state, record, task);
  }
  return { state, plan: state.plans.get(path)! };
}

export function schedule(state: State, record: (event: Event) => void, task: TaskId): void {
  const about = { v: 1, plan: path, run, task, attempt: attemptId(task, 1) } as const;
  record({ type: 'attempt-scheduled', ...about, token: state.token + 1, host: hostId('list') });
}

/** The task and the groups around it. */
function around(plan: Plan, i: number): string[] {
  const ids: string[] = [];
  for (let at: number | undefined = i; at !== undefined; at = plan.tasks[at]!.parent) ids.push(plan.tasks[at]!.id);
  return ids;
}
