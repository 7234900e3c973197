// What people tell a plan, carried out: one transaction per command, all of its tasks or none, with the rules settled in the
// same breath so that due timers take effect even where no runner lives.
import type { Event, StoredEvent } from '../core/event.ts';
import type { PlanPath } from '../core/ids.ts';
import type { LiveAttempt, PlanState, State } from '../core/state.ts';
import type { Answer } from '../core/steer.ts';
import { settle } from '../runner/settle.ts';
import type { Store } from '../store/store.ts';
import { findTask } from './find-task.ts';
import { Refusal } from './refusal.ts';
import type { IsRunning } from './reports.ts';
import type { SteerReport } from './signalbox.ts';

export interface Steering {
  readonly store: Store;
  readonly path: PlanPath;
  readonly isRunning: IsRunning;
}

/** Tells each of the tasks. Without tasks, the plan itself. */
export async function steer(
  { store, path, isRunning }: Steering,
  tasks: readonly string[],
  tell: (plan: PlanState, task: number, state: State) => Answer,
): Promise<SteerReport> {
  const recorded: Event[] = [];
  const { running, from } = await store.transact((tx) => {
    const others = (live: LiveAttempt) => isRunning(tx.state.plans.get(live.plan)!);
    settle(tx, null, others);
    const before = tx.state.seq;
    const plan = tx.state.plans.get(path)!;
    const targets = tasks.length === 0 ? [-1] : tasks.map((id) => findTask(plan, id));
    for (const target of targets) {
      const answer = tell(plan, target, tx.state);
      if (!answer.ok) throw new Refusal(2, answer.because, { instead: answer.instead });
      for (const event of answer.events) {
        tx.record(event);
        recorded.push(event);
      }
    }
    settle(tx, null, others);
    return { running: isRunning(plan), from: before };
  });
  const events: StoredEvent[] = await store.events({ after: from, plan: path, limit: recorded.length });
  return { plan: path, events, running };
}
