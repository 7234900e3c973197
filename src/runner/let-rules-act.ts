// Lets the rules act: `decide` is called and its events are recorded until it has nothing to add. The loop and every command do so,
// so that timers take effect at the next transaction, whoever makes it.

import { decide, type Me } from '../core/rules/decide.ts';
import type { IsLookedAfter } from '../core/rules/locks/break-deadlock.ts';
import type { Transaction } from '../store/store.ts';

/**
 * @param me the runner; null: a command, which starts nothing.
 * @param others whether the runner of another plan's attempt is alive; absent: not known.
 */
export function letRulesAct(tx: Transaction, me: Me | null, others?: IsLookedAfter): void {
  // Every event moves a task forward or uses up a slot; a policy that goes round in circles is a bug, not a wait.
  const most = 1_000 + 100 * [...tx.state.plans.values()].reduce((n, plan) => n + plan.tasks.length, 0);
  for (let step = 0; step < most; step++) {
    const events = decide(tx.state, tx.now, me, others);
    if (events.length === 0) return;
    for (const event of events) tx.record(event);
  }
  throw new Error('the rules do not come to rest');
}
