// Which tasks of one wave cannot run together, because one takes a lock that keeps the other away: by key, so that a hundred tasks
// with one key are one conflict and not thousands.
import type { Plan } from '../../core/model/plan.ts';
import { ResourceIndex } from '../../locks/resource-index.ts';
import type { DryRunConflict } from '../reports/run.ts';
import type { LockKeys, TaskLock } from './task-locks.ts';

/** Of one wave; patterns that all overlap would make more than anybody can read, or keep. */
const most = 1000;

interface HeldKey {
  readonly lock: TaskLock;
  readonly tasks: number[];
  exclusive: number;
}

export interface WaveConflicts {
  readonly conflicts: readonly DryRunConflict[];
  /** There are more than those. */
  readonly moreConflicts: boolean;
}

export function waveConflicts(plan: Plan, tasks: readonly number[], locks: LockKeys): WaveConflicts {
  const held = heldKeys(tasks, locks);
  const conflicts: DryRunConflict[] = [];
  const add = (keys: readonly string[], those: readonly number[]) => {
    const apart = [...new Set(those)].sort((a, b) => a - b).map((i) => plan.tasks[i]!.id);
    if (apart.length > 1) conflicts.push({ keys, tasks: apart });
  };
  const index = new ResourceIndex<HeldKey>();
  for (const key of held) {
    if (conflicts.length > most) break;
    if (key.exclusive > 0) add([key.lock.key], key.tasks);
    for (const other of index.overlapping(key.lock.resource!)) {
      if (key.exclusive + other.exclusive > 0) add([other.lock.key, key.lock.key], [...other.tasks, ...key.tasks]);
      if (conflicts.length > most) break;
    }
    index.add(key.lock.resource!, key);
  }
  return { conflicts: conflicts.slice(0, most), moreConflicts: conflicts.length > most };
}

function heldKeys(tasks: readonly number[], locks: LockKeys): Iterable<HeldKey> {
  const byKey = new Map<string, HeldKey>();
  for (const task of tasks) {
    for (const lock of locks.of(task)) {
      if (!lock.resource) continue;
      let held = byKey.get(lock.key);
      if (!held) {
        held = { lock, tasks: [], exclusive: 0 };
        byKey.set(lock.key, held);
      }
      held.tasks.push(task);
      if (!lock.isShared) held.exclusive++;
    }
  }
  return byKey.values();
}
