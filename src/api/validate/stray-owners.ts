// Whoever is in the table of locks has to be somebody: a person or an agent by name, or an attempt that has not ended.
import type { LockOwner } from '../../core/lock-state.ts';
import type { State } from '../../core/state.ts';

export function strayOwners({ locks, live, salvage, hands }: State): LockOwner[] {
  return [...locks.owners.values()].filter(
    ({ token }) => !(token === 0 || live.has(token) || salvage.has(token) || hands.has(token)),
  );
}
