// Owners in the lock table that are nobody. An owner is a named person or agent, an attempt that has not ended, one whose files are still
// to be put back, or one that is not judged yet: it keeps its locks through checks and reviews.
import type { LockOwner } from '../../core/state/lock-state.ts';
import type { State } from '../../core/state/state.ts';

export function strayOwners(state: State): LockOwner[] {
  const { locks, live, salvage, hands } = state;
  return [...locks.owners.values()].filter(
    ({ plan, task, token }) =>
      !(
        token === 0 ||
        live.has(token) ||
        salvage.has(token) ||
        hands.has(token) ||
        isToBeJudged(state, plan, task, token)
      ),
  );
}

function isToBeJudged({ plans }: State, plan: LockOwner['plan'], task: LockOwner['task'], token: number): boolean {
  const known = plans.get(plan);
  const at = task === null ? undefined : known?.index.get(task);
  const own = at === undefined ? null : known!.tasks[at]!;
  return own !== null && own.ended !== null && own.token === token;
}
