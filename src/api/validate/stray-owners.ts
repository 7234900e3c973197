// Whoever is in the table of locks has to be somebody: a person or an agent by name, an attempt that has not ended, one whose files are
// to be put back, or one that has ended and is still to be judged: it keeps its locks through checks and reviews.
import type { LockOwner } from '../../core/lock-state.ts';
import type { State } from '../../core/state.ts';

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
