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

export const snapshotVersion = 7;

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
  readonly tasks: readonly (readonly [number, KeptTask])[];
}

/** What of it is not as in a task without a history. */
type KeptTask = Partial<Omit<TaskState, 'live'>>;

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
  const tasks: [number, KeptTask][] = [];
  plan.tasks.forEach((task, i) => {
    const kept = differences(task, createTaskState(plan.plan.tasks[i]!, loadedAt));
    if (kept !== null) tasks.push([i, kept]);
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

/** Null: it has no history. What is as in a task without one is not repeated: of most tasks only the age is left. */
function differences(task: TaskState, fresh: TaskState): KeptTask | null {
  let kept: Record<string, unknown> | null = null;
  for (const key in fresh) {
    const name = key as keyof TaskState;
    if (name === 'live' || task[name] === fresh[name]) continue;
    kept ??= {};
    kept[name] = task[name];
  }
  return kept;
}

function isOnlyAge(kept: KeptTask): kept is { readonly age: number } {
  for (const key in kept) if (key !== 'age') return false;
  return true;
}

/** Tasks that only wait since the same moment share one state, as those without a history do. */
function sharedByAge(): (fresh: TaskState, age: number) => TaskState {
  const known = new Map<TaskState, Map<number, TaskState>>();
  return (fresh, age) => {
    const ofFresh = known.get(fresh) ?? new Map<number, TaskState>();
    known.set(fresh, ofFresh);
    const found = ofFresh.get(age) ?? Object.freeze({ ...fresh, age });
    ofFresh.set(age, found);
    return found;
  };
}

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
    const aged = sharedByAge();
    for (const [i, kept] of changed) {
      const fresh = tasks[i]!;
      const live = liveOf.get(path)?.get(plan.tasks[i]!.id) ?? null;
      tasks[i] = live === null && isOnlyAge(kept) ? aged(fresh, kept.age) : { ...fresh, ...kept, live };
    }
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
