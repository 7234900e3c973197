// The recorded part of the state as JSON, so a log need not be folded from its first event each time. The derived part is computed anew,
// and the definition of a plan stays in its event. A snapshot of another version is thrown away.

import type { PlanLoaded } from '../model/event.ts';
import type { PlanPath } from '../model/ids.ts';
import { indexTasks } from '../ready/graph.ts';
import type { AccountPause } from './accounts.ts';
import type { ClockStep } from './clock-state.ts';
import { withClosingTasks } from './closing-tasks.ts';
import { type LockSnapshot, restoreLocks, snapshotLocks } from './lock-state.ts';
import { countStrays, createPlanState, type PlanRecord } from './plan-state.ts';
import type { LiveAttempt, PlanState, Salvage, State, TaskState, Victim } from './state.ts';
import { createTaskState } from './task-state.ts';

export const snapshotVersion = 22;

export interface WorkspaceSnapshot {
  readonly seq: number;
  readonly at: number;
  readonly token: number;
  readonly decided: number;
  readonly live: readonly LiveAttempt[];
  readonly locks: LockSnapshot;
  readonly clock: { readonly offsets: readonly (readonly [string, number])[]; readonly steps: readonly ClockStep[] };
  readonly accounts: readonly (readonly [string, AccountPause])[];
  readonly salvage: readonly Salvage[];
  readonly victims: readonly Victim[];
  readonly hands: readonly number[];
}

export interface PlanSnapshot extends Omit<PlanRecord, 'plan' | 'tasks' | 'index'> {
  readonly path: PlanPath;
  /** Tasks with a history, by place in the plan. */
  readonly tasks: readonly (readonly [number, KeptTask])[];
}

/** The fields that differ from a task without a history. */
type KeptTask = Partial<Omit<TaskState, 'live'>>;

export function snapshotWorkspace(state: State): WorkspaceSnapshot {
  return {
    seq: state.seq,
    at: state.at,
    token: state.token,
    decided: state.decided,
    live: [...state.live.values()].map((live) => ({ ...live })),
    locks: snapshotLocks(state.locks),
    clock: { offsets: [...state.clock.offsets], steps: state.clock.steps },
    accounts: [...state.accounts],
    salvage: [...state.salvage.values()].map((salvage) => ({ ...salvage })),
    victims: [...state.victims.values()],
    hands: [...state.hands],
  };
}

export function snapshotPlan(plan: PlanState): PlanSnapshot {
  const { path, revision, definedAt, paused, run, runs, loadedAt, changedAt, baseline, loops, history, earlier } = plan;
  const tasks: [number, KeptTask][] = [];
  plan.tasks.forEach((task, i) => {
    const kept = differences(task);
    if (kept !== null) tasks.push([i, kept]);
  });
  return {
    path,
    revision,
    definedAt,
    paused,
    run: run && { ...run },
    runs,
    loadedAt,
    changedAt,
    baseline,
    loops,
    history,
    earlier,
    decisions: [...plan.decisions.values()],
    tasks,
  };
}

const untouched = createTaskState({}, 0);

/** Null: it has no history. Only fields that differ are stored; for most tasks that is the age. */
function differences(task: TaskState): KeptTask | null {
  let kept: Record<string, unknown> | null = null;
  for (const key in untouched) {
    const name = key as keyof TaskState;
    if (name === 'live' || task[name] === untouched[name]) continue;
    kept ??= {};
    kept[name] = task[name];
  }
  return kept;
}

export interface Restorable {
  readonly workspace: WorkspaceSnapshot;
  readonly plans: readonly RestorablePlan[];
}

export interface RestorablePlan {
  readonly snapshot: PlanSnapshot;
  readonly definition: PlanLoaded;
}

export function restoreState({ workspace, plans }: Restorable): State {
  const state = restoreWorkspace(workspace);
  for (const plan of plans) {
    const restored = restorePlan(state, plan);
    countStrays(state, restored);
    state.plans.set(restored.path, restored);
  }
  return state;
}

function restorePlan(state: State, { snapshot, definition }: RestorablePlan): PlanState {
  const { path, tasks: kept, run, ...record } = snapshot;
  const plan = withClosingTasks(definition.definition);
  const index = indexTasks(plan);
  const known = new Map(kept);
  // Built whole from the stored fields: changing 10,000 tasks one by one takes six times as long.
  const tasks = plan.tasks.map((_, i): TaskState => ({ ...untouched, ...known.get(i) }));
  for (const live of state.live.values()) {
    const at = live.plan === path ? index.get(live.task) : undefined;
    if (at !== undefined) tasks[at]!.live = live;
  }
  return createPlanState({ ...record, run: run && { ...run }, plan, tasks, index }, state.seq);
}

/** Everything except the plans. */
function restoreWorkspace(snapshot: WorkspaceSnapshot): State {
  const { seq, at, token, decided, live, locks, clock, accounts, salvage, victims, hands } = snapshot;
  const state: State = {
    seq,
    at,
    token,
    decided,
    plans: new Map(),
    live: new Map(live.map((one) => [one.token, { ...one }])),
    usage: new Map(),
    locks: restoreLocks(locks),
    clock: { offsets: new Map(clock.offsets), steps: clock.steps },
    accounts: new Map(accounts),
    salvage: new Map(salvage.map((one) => [one.token, { ...one }])),
    victims: new Map(victims.map((victim) => [victim.token, victim])),
    hands: new Set(hands),
    jobs: new Set(live.flatMap(({ job, token: own }) => (job.kind === 'attempt' ? [] : own))),
  };
  for (const { pools } of live) for (const pool of pools) state.usage.set(pool, (state.usage.get(pool) ?? 0) + 1);
  return state;
}
