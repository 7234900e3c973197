// Lets the rules act: `decide` is called and its events are recorded until it has nothing to add. The loop and every command do so,
// so that timers take effect at the next transaction, whoever makes it.

import type { PlanPath } from '../core/model/ids.ts';
import { decide, type Me } from '../core/rules/decide.ts';
import type { PlanState, State } from '../core/state/state.ts';
import type { Transaction } from '../store/store.ts';

/**
 * @param me the runner; null: a command, which starts nothing.
 * @param watched see `watchedPlans`; absent: not known.
 */
export function letRulesAct(tx: Transaction, me: Me | null, watched?: ReadonlySet<PlanPath>): void {
  // Every event moves a task forward or uses up a slot; a policy that goes round in circles is a bug, not a wait.
  const most = 1_000 + 100 * [...tx.state.plans.values()].reduce((n, plan) => n + plan.tasks.length, 0);
  for (let step = 0; step < most; step++) {
    const events = decide(tx.state, tx.now, me, watched);
    if (events.length === 0) return;
    for (const event of events) tx.record(event);
  }
  throw new Error('the rules do not come to rest');
}

/**
 * Plans with attempts whose runner is alive, and would stop them. Looked up before the rules act: they look at no process and no file
 * themselves.
 */
export function watchedPlans({ live, plans }: State, isRunning: (plan: PlanState) => boolean): ReadonlySet<PlanPath> {
  const paths = new Set([...live.values()].map(({ plan }) => plan));
  return new Set([...paths].filter((path) => isRunning(plans.get(path)!)));
}
