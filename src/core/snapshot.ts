// The recorded part of the state as JSON, so that a log need not be folded from its first event each time. What is derived is
// kept apart (`derived.ts`) or computed anew; the definition of a plan stays in its event. A snapshot of another version is thrown away.
import { withClosingTasks } from './closing-tasks.ts';
import { type Derived, unpackDerived } from './derived.ts';
import type { PlanLoaded } from './event.ts';
import { indexTasks } from './graph.ts';
import type { PlanPath } from './ids.ts';
import { lateList } from './late-list.ts';
import { type LockSnapshot, restoreLocks, snapshotLocks } from './lock-state.ts';
import { untouched } from './own-task.ts';
import type { Plan } from './plan.ts';
import { PlanNeeded } from './plan-needed.ts';
import { countStrays, createPlanState, type Notable, type PlanRecord } from './plan-state.ts';
import type { LiveAttempt, PlanState, Salvage, State, TaskPlaces, TaskState, Victim } from './state.ts';

export const snapshotVersion = 11;

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

export interface PlanSnapshot extends PlanHead {
  /** Only those that are not as one without a history; by place in the plan. */
  readonly tasks: readonly (readonly [number, KeptTask])[];
}

export interface PlanHead extends Omit<PlanRecord, 'plan' | 'tasks'>, Pick<Notable, 'ended' | 'heldBack' | 'tried'> {
  readonly path: PlanPath;
}

/** What of it is not as in a task without a history. */
export type KeptTask = Partial<Omit<TaskState, 'live'>>;

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
  const tasks: [number, KeptTask][] = [];
  plan.tasks.forEach((task, i) => {
    const kept = differences(task);
    if (kept !== null) tasks.push([i, kept]);
  });
  return { ...headOf(plan), tasks };
}

export function headOf(plan: PlanState): PlanHead {
  const { path, revision, definedAt, paused, run, runs, loadedAt, changedAt, baseline, loops, history } = plan;
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
    ended: [...plan.toCheck, ...plan.toReview, ...plan.unjudged],
    heldBack: [...plan.heldBack],
    tried: [...plan.tried],
    decisions: [...plan.decisions.values()],
  };
}

/** Null: it has no history. What is as in a task without one is not repeated: of most tasks only the age is left. */
export function differences(task: TaskState): KeptTask | null {
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
  readonly plans: readonly (WholePlan | LatePlan)[];
}

export interface WholePlan {
  readonly snapshot: PlanSnapshot;
  readonly definition: PlanLoaded;
  /** As `packDerived` left it. */
  readonly derived?: Uint8Array | null;
}

/** Whose tasks are read when they are looked at. */
export interface LatePlan {
  readonly head: PlanHead;
  /** With the closing tasks. */
  readonly plan: Plan;
  readonly index: TaskPlaces;
  /** What is kept of a task, as text; empty: it has no history. */
  keptOf(task: number): string;
  readonly derived: Uint8Array;
}

export function restoreState({ workspace, plans }: Restorable): State {
  const state = restoreWorkspace(workspace);
  for (const kept of plans) {
    const restored = 'keptOf' in kept ? restoreLate(state, kept) : restoreWhole(state, kept);
    countStrays(state, restored);
    state.plans.set(restored.path, restored);
  }
  return state;
}

function restoreWhole(state: State, { snapshot, definition, derived }: WholePlan): PlanState {
  const { tasks: changed, ...head } = snapshot;
  const plan = withClosingTasks(definition.definition);
  const index = indexTasks(plan);
  const liveAt = liveOf(state, head.path, index);
  const tasks: TaskState[] = new Array(plan.tasks.length).fill(untouched);
  const shared = new SharedStates();
  for (const [i, kept] of changed)
    tasks[i] = isPlain(kept) ? shared.of(JSON.stringify(kept)) : { ...untouched, ...kept };
  for (const [i, live] of liveAt) tasks[i] = { ...tasks[i]!, live };
  return restorePlan(state, {
    head,
    plan,
    tasks,
    index,
    liveAt,
    derived: derived ? unpackDerived(derived, plan) : null,
  });
}

function restoreLate(state: State, { head, plan, index, keptOf, derived }: LatePlan): PlanState {
  const liveAt = liveOf(state, head.path, index);
  const shared = new SharedStates();
  const tasks = lateList(plan.tasks.length, (i) => {
    const text = keptOf(i);
    const known = text === '' ? untouched : readLate(() => shared.of(text));
    const live = liveAt.get(i);
    return live ? { ...known, live } : known;
  });
  const known = unpackDerived(derived, plan);
  if (!known) throw new Error('what was derived is of another plan');
  return restorePlan(state, { head, plan, tasks, index, liveAt, derived: known });
}

interface Parts {
  readonly head: PlanHead;
  readonly plan: Plan;
  readonly tasks: TaskState[];
  readonly index: TaskPlaces;
  readonly liveAt: ReadonlyMap<number, LiveAttempt>;
  readonly derived: Derived | null;
}

function restorePlan(state: State, { head, plan, tasks, index, liveAt, derived }: Parts): PlanState {
  const { path: _, ended, heldBack, tried, run, ...record } = head;
  const inOrder = [...ended].sort((a, b) => tasks[a]!.ended!.since - tasks[b]!.ended!.since);
  const notable = { ended: inOrder, heldBack, tried, live: [...liveAt.keys()] };
  return createPlanState({ ...record, run: run && { ...run }, plan, tasks }, state.seq, { derived, notable, index });
}

function liveOf(state: State, plan: PlanPath, index: TaskPlaces): Map<number, LiveAttempt> {
  const found = new Map<number, LiveAttempt>();
  for (const live of state.live.values()) {
    const at = live.plan === plan ? index.get(live.task) : undefined;
    if (at !== undefined) found.set(at, live);
  }
  return found;
}

/** What cannot be read after all is read with everything else, from the log. */
export function readLate<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new PlanNeeded();
  }
}

/** Few and short: such as the age of those who wait since the same moment, or a ticked box. */
function isPlain(kept: KeptTask): boolean {
  let keys = 0;
  for (const key in kept) {
    if (++keys > 3 || typeof kept[key as keyof KeptTask] === 'object') return false;
  }
  return true;
}

/** Tasks of which the same is kept share one state, frozen until somebody changes it (`own-task.ts`). */
class SharedStates {
  readonly #known = new Map<string, TaskState>();

  of(text: string): TaskState {
    const known = this.#known.get(text);
    if (known) return known;
    const made: TaskState = Object.freeze({ ...untouched, ...JSON.parse(text) });
    this.#known.set(text, made);
    return made;
  }
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
