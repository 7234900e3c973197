// The locks that a task declares: `files:` and `locks:` exclusive, `reads:` shared. An attempt takes all of them when it is scheduled, so
// it never holds one while it waits for another. A task that is not running waits in no queue: the order of admission decides, and a
// task that wants many locks may be passed a few times.
import type { Want } from '../../../locks/lock-table.ts';
import { overlaps } from '../../../locks/overlap.ts';
import { mostPasses } from '../../../locks/place.ts';
import { parseResource, type Resource } from '../../../locks/resource.ts';
import type { AttemptId, TaskId } from '../../model/ids.ts';
import type { Task, TaskKeys } from '../../model/plan.ts';
import { isIsolated, worksOnResults } from '../../state/questions/isolated.ts';
import type { PlanState, State } from '../../state/state.ts';
import { isHeldBack } from './lock-rules.ts';
import { ownerNamed } from './people-as-owners.ts';

/** With its parsed key, so it is parsed once. */
export interface DeclaredLock extends Want {
  readonly resource: Resource;
}

const known = new WeakMap<TaskKeys, readonly DeclaredLock[]>();

/** Each key once, with its stronger mode. A bad key was refused when the plan was read. */
export function wantsOf({ keys }: Task): readonly DeclaredLock[] {
  const { files, reads, locks } = keys;
  if (!files && !reads && !locks) return none;
  const found = known.get(keys);
  if (found) return found;
  const wants = new Map<string, DeclaredLock>();
  for (const text of reads ?? []) addKey(wants, text, 'shared');
  for (const text of [...(files ?? []), ...(locks ?? [])]) addKey(wants, text, 'exclusive');
  known.set(keys, [...wants.values()]);
  return known.get(keys)!;
}

const none: readonly DeclaredLock[] = [];

function addKey(wants: Map<string, DeclaredLock>, text: string, mode: Want['mode']): void {
  const read = parseResource(text);
  if (read.ok) wants.set(read.resource.key, { key: read.resource.key, mode, resource: read.resource });
}

/** With the tree that all tasks share who look at what was merged: only one at a time works there. */
export function wantsIn(plan: PlanState, i: number): readonly DeclaredLock[] {
  const task = plan.plan.tasks[i]!;
  const { agent, escalated } = plan.tasks[i]!;
  const isOthers = agent !== null || (escalated && plan.run?.escalationAgent != null);
  if (!isIsolated(plan) || !worksOnResults(task, isOthers)) return wantsOf(task);
  const key = `tree:${plan.run!.isolation!.branch}`;
  return [...wantsOf(task), { key, mode: 'exclusive', resource: { kind: 'named', key } }];
}

/** A ready task that cannot have its locks, in line before later ones. */
export interface InLine {
  readonly task: number;
  readonly wants: readonly DeclaredLock[];
}

export type Admission =
  | { readonly kind: 'free'; readonly passes: readonly TaskId[] }
  /** Somebody holds it, or an attempt waits for it. */
  | { readonly kind: 'held'; readonly owner: string; readonly resource: string }
  /** Another task is before it in line. */
  | { readonly kind: 'behind'; readonly task: TaskId; readonly resource: string }
  /** After a deadlock: its blocker has not released the lock yet. */
  | { readonly kind: 'after'; readonly name: string; readonly task: TaskId | null; readonly resource: string }
  /** The files of its own last attempt are being put back. */
  | { readonly kind: 'ending'; readonly attempt: AttemptId };

/**
 * Whether a ready task can have its locks now, given those in line before it.
 * @param by the person who wants to work on it by hand. Locks under that name are not in the way; locks of their other tasks are.
 */
export function admissionOf(
  state: State,
  plan: PlanState,
  task: number,
  inLine: readonly InLine[],
  by = '',
): Admission {
  const { after, token } = plan.tasks[task]!;
  const ending = state.salvage.get(token);
  if (ending) return { kind: 'ending', attempt: ending.attempt };
  const asking = ownerNamed(by);
  if (after && after.owner !== asking && isHeldBack(state, after)) {
    return { kind: 'after', name: after.name, task: after.task, resource: after.resource };
  }
  const wants = wantsIn(plan, task);
  if (wants.length === 0) return { kind: 'free', passes: [] };
  const [obstacle] = state.locks.table.obstaclesOf({ owner: asking, wants });
  if (obstacle) return { kind: 'held', owner: obstacle.owner, resource: obstacle.theirs };
  const passes: TaskId[] = [];
  for (const before of inLine) {
    const resource = contended(before, wants);
    if (resource === null) continue;
    const { id } = plan.plan.tasks[before.task]!;
    const mayPass = before.wants.length > 1 && plan.tasks[before.task]!.passed < mostPasses;
    if (!mayPass) return { kind: 'behind', task: id, resource };
    passes.push(id);
  }
  return { kind: 'free', passes };
}

export const inLineOf = (plan: PlanState, task: number): InLine => ({ task, wants: wantsIn(plan, task) });

function contended(before: InLine, wants: readonly DeclaredLock[]): string | null {
  for (const own of wants) {
    for (const other of before.wants) {
      if (own.mode === 'shared' && other.mode === 'shared') continue;
      if (overlaps(own.resource, other.resource)) return own.key;
    }
  }
  return null;
}
