// Whoever marks something lives: noted for all that they work on, at most once a minute, because each is a record for ever.
import type { Event } from '../../core/event.ts';
import type { PlanState, State } from '../../core/state.ts';
import { underWay } from '../../core/under-way.ts';

const notedEveryMs = 60_000;

export function signsOfLife(state: State, plan: PlanState, by: string, now: number): Event[] {
  const events: Event[] = [];
  for (const i of underWay(state, plan)) {
    const { hand } = plan.tasks[i]!;
    if (hand?.by !== by || now - hand.lastAt < notedEveryMs) continue;
    const { attempt, token } = hand;
    const task = plan.plan.tasks[i]!.id;
    events.push({ type: 'task-seen', v: 1, plan: plan.path, task, attempt, token, by });
  }
  return events;
}
