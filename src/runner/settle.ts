// Lets the policy have its say: `decide` is called and its events recorded until it has nothing to add. Used by the loop and by
// every command about plans, so that timers take effect at the next such transaction whoever makes it.
import { breakDeadlock, type IsLookedAfter } from '../core/break-deadlock.ts';
import { decide, type Me } from '../core/decide.ts';
import { settleLocks } from '../core/lock-rules.ts';
import type { Transaction } from '../store/store.ts';
import { type IsGone, isGone, reapLocks } from './reap-locks.ts';

/** For those who have to do with locks only: what they did may free one, and what plans make of time is for those who know them. */
export function settleLocksOnly(tx: Transaction, others: IsLookedAfter): void {
  const { owners, waiting } = tx.state.locks;
  const most = 1_000 + 100 * (owners.size + waiting.size);
  for (let step = 0; step < most; step++) {
    const events = settleLocks(tx.state) ?? breakDeadlock(tx.state, null, others);
    if (events === null) return;
    for (const event of events) tx.record(event);
  }
  throw new Error('the rules for locks do not come to rest');
}

/**
 * What a command frees must not be handed to the dead, so it ends what they have left first; a runner does that at its own pace.
 * @param others whether the runner of another plan's attempt is alive; absent: not known.
 */
export function settle(tx: Transaction, me: Me | null, others?: IsLookedAfter, gone: IsGone = isGone): void {
  if (me === null) reapLocks(tx, gone);
  // Every event moves a task forward or uses up a slot; a policy that goes round in circles is a bug, not a wait.
  const most = 1_000 + 100 * [...tx.state.plans.values()].reduce((n, plan) => n + plan.tasks.length, 0);
  for (let step = 0; step < most; step++) {
    const events = decide(tx.state, tx.now, me, others);
    if (events.length === 0) return;
    for (const event of events) tx.record(event);
  }
  throw new Error('the rules do not come to rest');
}
