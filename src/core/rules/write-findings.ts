// What files that changed under an attempt say about its locks. The files are known, who wrote them is not: whatever another attempt may
// have written is suspect, and proves nothing.
//
//   the attempt holds it                                  nothing to say
//   another holds it, and that one was not at work        foreign
//   another holds it, and was at work; or waits for it    suspect
//   nobody holds it, and no other attempt was at work     late: it can be locked now
//   nobody holds it, and another was at work              suspect
import { covers } from '../../locks/covers.ts';
import { resourceOf } from '../../locks/place.ts';
import { nameOf } from '../commands/lock-request.ts';
import type { WriteFinding } from '../model/failure.ts';
import { ownerOfToken } from '../state/lock-state.ts';
import type { LiveAttempt, State } from '../state/state.ts';
import { People } from './locks/people-as-owners.ts';

/** `key`: as the lock table knows it. */
export interface WrittenFile {
  readonly path: string;
  readonly key: string;
}

export type FoundFile = WriteFinding & WrittenFile;

/** @param others tokens of the attempts that were at work meanwhile */
export function findingsAbout(
  state: State,
  token: number,
  written: readonly WrittenFile[],
  others: ReadonlySet<number>,
): FoundFile[] {
  const people = new People(state);
  const own = ownerOfToken(token);
  const busy = new Set([...others].map(ownerOfToken));
  const held = state.locks.table
    .holdsOf(own)
    .flatMap(({ key, mode }) => (mode === 'exclusive' ? [resourceOf(key)] : []));
  return written.flatMap(({ path, key }): FoundFile[] => {
    if (held.some((resource) => covers(resource, path))) return [];
    const obstacles = people.obstaclesOf({ owner: own, wants: [{ key, mode: 'exclusive' }] });
    const holder = obstacles.find(({ kind }) => kind === 'holds')?.owner;
    if (holder !== undefined) {
      const finding = busy.has(holder) ? 'suspect' : 'foreign';
      return [{ path, key, finding, holder: nameOf(state, holder) }];
    }
    return [{ path, key, finding: obstacles.length > 0 || busy.size > 0 ? 'suspect' : 'late' }];
  });
}

/** Attempts, checks and reviews that were at work beside this one: those that are, and tasks that have ended since. */
export function othersAtWork(
  state: State,
  { token, since }: { readonly token: number; readonly since: number },
  isBusy: (live: LiveAttempt) => boolean,
): Set<number> {
  const others = new Set<number>();
  for (const live of state.live.values()) if (live.token !== token && isBusy(live)) others.add(live.token);
  for (const { tasks } of state.plans.values()) {
    for (const task of tasks) {
      const isOver = task.token !== 0 && task.token !== token && !state.live.has(task.token);
      if (isOver && Math.max(task.endedAt, task.failedAt) >= since) others.add(task.token);
    }
  }
  return others;
}
