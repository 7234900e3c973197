// A mark is a sign of life for all tasks of its author. Recorded at most once a minute, because each is an event for ever.
import type { Event } from '../../core/model/event.ts';
import { underWay } from '../../core/state/questions/under-way.ts';
import type { PlanState, State } from '../../core/state/state.ts';

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
