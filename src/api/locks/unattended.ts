// Attempts that nobody looks after: their runner is dead, and they keep their locks until their plan is run again. Nothing is done about
// it here. How an attempt ended is told by its journal, its work must be saved and its files put back first: a run does all of that.
import type { Reason } from '../../core/explain.ts';
import type { LockOwner } from '../../core/lock-state.ts';
import type { PlanState, State } from '../../core/state.ts';
import type { IsGone } from '../../runner/reap-locks.ts';
import type { Unattended } from './lock-reports.ts';

export interface Looking {
  readonly isRunning: (plan: PlanState) => boolean;
  readonly isGone: IsGone;
}

/** Null: somebody does, a person works on it by hand, or Signalbox did not start it. */
export function unattended(state: State, owner: LockOwner | undefined, look: Looking): Unattended | null {
  if (!owner || owner.token === 0 || state.hands.has(owner.token)) return null;
  const plan = state.plans.get(owner.plan);
  if (!plan) return null;
  if ([...plan.decisions.values()].some(({ task }) => task === owner.task)) return { is: 'asked', plan: plan.path };
  if (look.isRunning(plan)) return null;
  const live = state.live.get(owner.token);
  // One that has ended still has to be put back.
  const isDead = !live || (live.supervisor !== null && look.isGone(live.supervisor) === true);
  return { is: isDead ? 'dead' : 'alone', plan: plan.path };
}

/** Two plans may have an attempt of that name: whoever is left alone is the one that will not let go. */
export function withUnattended(state: State, reason: Reason, look: Looking): Reason {
  if (reason.kind !== 'lock' || reason.how !== 'held') return reason;
  for (const owner of state.locks.owners.values()) {
    const left = owner.name === reason.holder && owner.task === reason.task ? unattended(state, owner, look) : null;
    if (left) return { ...reason, unattended: left };
  }
  return reason;
}
