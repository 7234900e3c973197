// The newest usable snapshot as a state, or an empty state when there is none: of another version, damaged, or never taken.
// Also the way back: a state as the texts that are kept.

import { packDerived } from '../core/derived.ts';
import type { StoredEvent } from '../core/event.ts';
import { createState } from '../core/evolve.ts';
import { madeIn } from '../core/late-list.ts';
import { createLean } from '../core/lean.ts';
import {
  differences,
  headOf,
  type KeptTask,
  type LatePlan,
  type PlanHead,
  restoreState,
  snapshotVersion,
  snapshotWorkspace,
  type WholePlan,
  type WorkspaceSnapshot,
} from '../core/snapshot.ts';
import type { PlanState, State, TaskState } from '../core/state.ts';
import { KeptLines, packLines } from './kept-lines.ts';
import { openPlan, packPlan } from './kept-plan.ts';
import type { LeanSnapshot, LogView, PlanPart, SnapshotMark, StoredSnapshot } from './log.ts';

export interface Loaded {
  /** Its `seq` says where the log goes on: 0 when everything is still to be folded. */
  readonly state: State;
  /** The kept snapshot has the right version, but is of no use: the next one must not be put off because of it. */
  readonly damaged: SnapshotMark | null;
}

/** @param late tasks are read when they are looked at. */
export async function loadState(view: LogView, late = false): Promise<Loaded> {
  const mark = await view.snapshotMark();
  if (mark?.version !== snapshotVersion) return { state: createState(), damaged: null };
  const stored = await view.snapshot(late ? 'late' : undefined);
  const state = stored && (await restoreKept(stored, view));
  return state ? { state, damaged: null } : { state: createState(), damaged: mark };
}

/** The same without the plans: from the newer one of what was kept with them and without. */
export async function loadLean(view: LogView): Promise<Loaded> {
  const mark = await view.snapshotMark();
  const lean = await view.leanSnapshot();
  if (lean?.version === snapshotVersion && lean.seq > (mark?.version === snapshotVersion ? mark.seq : 0)) {
    const state = attempt(() => createLean(workspaceOf(lean)));
    if (state) return { state, damaged: null };
  }
  if (mark?.version !== snapshotVersion) return { state: createLean(null), damaged: null };
  const stored = await view.snapshot('workspace');
  const state = stored && attempt(() => createLean(workspaceOf(stored)));
  return state ? { state, damaged: null } : { state: createLean(null), damaged: mark };
}

/** @param kept definitions that are kept already, by plan: those are not packed again. */
export function keepable(state: State, kept: ReadonlyMap<string, SnapshotMark> = new Map()): StoredSnapshot {
  const isKept = ({ path, definedAt }: PlanState) => {
    const mark = kept.get(path);
    return mark?.seq === definedAt && mark.version === snapshotVersion;
  };
  const plans = [...state.plans.values()].map((plan): PlanPart => {
    const definition = isKept(plan) ? null : { seq: plan.definedAt, version: snapshotVersion, ...packPlan(plan.plan) };
    return {
      plan: plan.path,
      body: JSON.stringify(headOf(plan)),
      derived: packDerived(plan),
      states: statesOf(plan),
      definition,
    };
  });
  return { seq: state.seq, version: snapshotVersion, workspace: JSON.stringify(snapshotWorkspace(state)), plans };
}

export function keepableLean(state: State): LeanSnapshot {
  return { seq: state.seq, version: snapshotVersion, workspace: JSON.stringify(snapshotWorkspace(state)) };
}

/** Of a plan whose tasks are read when they are looked at, those that nobody has changed are as they were kept. */
function statesOf({ tasks }: PlanState): Uint8Array {
  const [kept, made] = [keptStates.get(tasks), madeIn(tasks)];
  if (!kept || !made) return packLines(tasks.map(lineOf));
  const changed = [...made].filter(([, task]) => !Object.isFrozen(task)).sort(([a], [b]) => a - b);
  return kept.with(changed.map(([i, task]) => [i, lineOf(task)]));
}

/** By the tasks of a plan: what they are read from. */
const keptStates = new WeakMap<readonly TaskState[], KeptLines>();

function lineOf(task: PlanState['tasks'][number]): string {
  const kept = differences(task);
  return kept === null ? '' : JSON.stringify(kept);
}

/** Plans whose definition is not with it are read from their event. */
async function restoreKept(stored: StoredSnapshot, view: LogView): Promise<State | null> {
  const events = new Map<number, StoredEvent | undefined>();
  for (const part of stored.plans) {
    const seq = attempt(() => (late(part) ? null : headIn(part).definedAt));
    if (seq === null) continue;
    const [event] = await view.events({ after: seq - 1, limit: 1 });
    events.set(seq, event);
  }
  return restoreNow(stored, (seq) => events.get(seq));
}

/** Null: it makes no sense, for whatever reason, and is as good as none, as the log has everything. */
export function restoreNow(stored: StoredSnapshot, eventAt: (seq: number) => StoredEvent | undefined): State | null {
  return attempt(() => {
    const plans = stored.plans.map((part) => late(part) ?? whole(part, eventAt));
    const state = restoreState({ workspace: workspaceOf(stored), plans });
    for (const part of plans) if ('states' in part) keptStates.set(state.plans.get(part.head.path)!.tasks, part.states);
    return state;
  });
}

function workspaceOf(stored: LeanSnapshot): WorkspaceSnapshot {
  const workspace: WorkspaceSnapshot = JSON.parse(stored.workspace);
  if (workspace.seq !== stored.seq) throw new Error('the snapshot is of another moment');
  return workspace;
}

function headIn({ plan, body }: PlanPart): PlanHead {
  const head: PlanHead = JSON.parse(body);
  if (head.path !== plan) throw new Error('the snapshot is of another plan');
  return head;
}

interface KeptLate extends LatePlan {
  readonly states: KeptLines;
}

/** Null: its definition is not with it, or of no use. */
function late(part: PlanPart): KeptLate | null {
  const { definition, derived } = part;
  const head = headIn(part);
  if (!derived || definition?.seq !== head.definedAt || definition.version !== snapshotVersion) return null;
  return attempt((): KeptLate | null => {
    const states = new KeptLines(part.states);
    const { plan, index } = openPlan(definition);
    const isWhole = plan.tasks.length === states.length;
    return isWhole ? { head, plan, index, derived, states, keptOf: (task) => states.line(task) } : null;
  });
}

/** The definition stays in its event: some 15 MB for 100,000 tasks. */
function whole(part: PlanPart, eventAt: (seq: number) => StoredEvent | undefined): WholePlan {
  const snapshot = { ...headIn(part), tasks: tasksIn(part.states) };
  const definition = eventAt(snapshot.definedAt);
  if (definition?.type !== 'plan-loaded' || definition.plan !== part.plan) throw new Error('there is no definition');
  return { snapshot, definition, derived: part.derived };
}

function tasksIn(states: Uint8Array): [number, KeptTask][] {
  const lines = new KeptLines(states);
  const tasks: [number, KeptTask][] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines.line(i);
    if (line !== '') tasks.push([i, JSON.parse(line)]);
  }
  return tasks;
}

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
