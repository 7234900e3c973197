// Lets the policy have its say: `decide` is called and its events recorded until it has nothing to add. Used by the loop and by
// every command, so that timers take effect at the next transaction whoever makes it.
import { decide, type Me } from '../core/decide.ts';
import type { Transaction } from '../store/store.ts';

export function settle(tx: Transaction, me: Me | null): void {
  // Every event moves a task forward or uses up a slot; a policy that goes round in circles is a bug, not a wait.
  const most = 1_000 + 100 * [...tx.state.plans.values()].reduce((n, plan) => n + plan.tasks.length, 0);
  for (let step = 0; step < most; step++) {
    const events = decide(tx.state, tx.now, me);
    if (events.length === 0) return;
    for (const event of events) tx.record(event);
  }
  throw new Error('the rules do not come to rest');
}
