// The recorded part of the state as JSON, so that a log need not be folded from its first event each time. What is derived is
// kept apart (`derived.ts`) or computed anew; the definition of a plan stays in its event. A snapshot of another version is thrown away.
import { withClosingTasks } from './closing-tasks.ts';
import { unpackDerived } from './derived.ts';
import type { PlanLoaded } from './event.ts';
import type { PlanPath, TaskId } from './ids.ts';
import { type LockSnapshot, restoreLocks, snapshotLocks } from './lock-state.ts';
import { createTaskState, sharedTaskStates } from './own-task.ts';
import { countStrays, createPlanState, type PlanRecord } from './plan-state.ts';
import type { LiveAttempt, PlanState, Salvage, State, TaskState, Victim } from './state.ts';

export const snapshotVersion = 6;

export interface WorkspaceSnapshot {
  readonly seq: number;
  readonly at: number;
  readonly token: number;
  readonly decided: number;
  readonly live: readonly LiveAttempt[];
  readonly locks: LockSnapshot;
  readonly salvage: readonly Salvage[];
  readonly victims: readonly Victim[];
  readonly hands: readonly number[];
}

export interface PlanSnapshot extends Omit<PlanRecord, 'plan' | 'tasks'> {
  readonly path: PlanPath;
  /** Only those that are not as they were loaded; by place in the plan. */
  readonly tasks: readonly (readonly [number, Omit<TaskState, 'live'>])[];
}

export function snapshotWorkspace(state: State): WorkspaceSnapshot {
  return {
    seq: state.seq,
    at: state.at,
    token: state.token,
    decided: state.decided,
    live: [...state.live.values()].map((live) => ({ ...live })),
    locks: snapshotLocks(state.locks),
    salvage: [...state.salvage.values()].map((salvage) => ({ ...salvage })),
    victims: [...state.victims.values()],
    hands: [...state.hands],
  };
}

export function snapshotPlan(plan: PlanState): PlanSnapshot {
  const { path, revision, definedAt, paused, run, runs, loadedAt, changedAt, baseline, loops, history } = plan;
  const tasks: [number, Omit<TaskState, 'live'>][] = [];
  plan.tasks.forEach((task, i) => {
    const { live: _, ...rest } = task;
    if (differs(task, createTaskState(plan.plan.tasks[i]!, loadedAt))) tasks.push([i, rest]);
  });
  const rest = {
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
  };
  return { ...rest, decisions: [...plan.decisions.values()], tasks };
}

const differs = (task: TaskState, fresh: TaskState) =>
  (Object.keys(fresh) as (keyof TaskState)[]).some((key) => task[key] !== fresh[key]);

export interface Restorable {
  readonly workspace: WorkspaceSnapshot;
  readonly plans: readonly {
    readonly snapshot: PlanSnapshot;
    readonly definition: PlanLoaded;
    /** As `packDerived` left it. */
    readonly derived?: Uint8Array | null;
  }[];
}

export function restoreState({ workspace, plans }: Restorable): State {
  const state = restoreWorkspace(workspace);
  const liveOf = new Map<PlanPath, Map<TaskId, LiveAttempt>>();
  for (const live of state.live.values()) {
    const ofPlan = liveOf.get(live.plan) ?? new Map();
    liveOf.set(live.plan, ofPlan.set(live.task, live));
  }
  for (const { snapshot, definition, derived } of plans) {
    const { path, tasks: changed, ...record } = snapshot;
    const plan = withClosingTasks(definition.definition);
    const tasks = plan.tasks.map(sharedTaskStates(record.loadedAt));
    for (const [i, task] of changed) tasks[i] = { ...task, live: liveOf.get(path)?.get(plan.tasks[i]!.id) ?? null };
    const run = record.run && { ...record.run };
    const known = derived ? unpackDerived(derived, plan) : null;
    const restored = createPlanState({ ...record, run, plan, tasks }, state.seq, known);
    countStrays(state, restored);
    state.plans.set(path, restored);
  }
  return state;
}

/** All but the plans. */
export function restoreWorkspace({
  seq,
  at,
  token,
  decided,
  live,
  locks,
  salvage,
  victims,
  hands,
}: WorkspaceSnapshot): State {
  const state: State = {
    seq,
    at,
    token,
    decided,
    plans: new Map(),
    live: new Map(live.map((one) => [one.token, { ...one }])),
    usage: new Map(),
    locks: restoreLocks(locks),
    salvage: new Map(salvage.map((one) => [one.token, { ...one }])),
    victims: new Map(victims.map((victim) => [victim.token, victim])),
    hands: new Set(hands),
  };
  for (const { pools } of live) for (const pool of pools) state.usage.set(pool, (state.usage.get(pool) ?? 0) + 1);
  return state;
}
