// Attempts that nobody looks after: their runner is dead, and they keep their locks until their plan is run again. They are only
// reported here. A run reads from the journal how they ended, saves their work and puts their files back.
import type { Reason } from '../../core/explain/explain.ts';
import type { LockOwner } from '../../core/state/lock-state.ts';
import type { State } from '../../core/state/state.ts';
import type { World } from '../act/act.ts';
import type { Unattended } from '../reports/locks.ts';

/** Null: somebody does, a person works on it by hand, or Signalbox did not start it. */
export function unattended(state: State, owner: LockOwner | undefined, look: World): Unattended | null {
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

/** Two plans may have an attempt of this name: the unattended one is the one that does not let go. */
export function withUnattended(state: State, reason: Reason, look: World): Reason {
  if (reason.kind !== 'lock' || reason.how !== 'held') return reason;
  for (const owner of state.locks.owners.values()) {
    const left = owner.name === reason.holder && owner.task === reason.task ? unattended(state, owner, look) : null;
    if (left) return { ...reason, unattended: left };
  }
  return reason;
}
