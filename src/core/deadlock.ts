// The end of a deadlock: its victim starts again behind its blocker, without having used a retry.
import { closesCycle } from '../locks/closes-cycle.ts';
import type { Event } from './event.ts';
import type { DeadlockBlocker } from './failure.ts';
import { isHeldBack } from './lock-rules.ts';
import type { PlanState, State } from './state.ts';

/** Its locks have moved already. */
export function endDeadlock(
  state: State,
  plan: PlanState,
  task: number,
  { owner, name, resource }: DeadlockBlocker,
  now: number,
): Event[] {
  const { id } = plan.plan.tasks[task]!;
  const { ended, token } = plan.tasks[task]!;
  const { attempt, run } = ended!;
  const about = { v: 1, plan: plan.path } as const;
  const events: Event[] = [];
  if (isHeldBack(state, { owner, resource })) {
    const blocker = state.locks.owners.get(owner)!;
    const onTask = blocker.plan === plan.path ? blocker.task : null;
    if (onTask === null || !closesCycle(waitsAndNeeds(state, plan), id, onTask)) {
      events.push({
        type: 'need-added',
        ...about,
        task: id,
        on: name,
        ...(onTask === null ? {} : { onTask }),
        owner,
        resource,
      });
    }
  }
  events.push({ type: 'retry-scheduled', ...about, run, task: id, attempt, because: 'deadlock', notBefore: now });
  events.push({ type: 'deadlock-resolved', ...about, run, victim: attempt, victimTask: id, token });
  return events;
}

/**
 * A victim that a person has withdrawn meanwhile, or taken out of the plan, is judged by nobody: its deadlock is over when its files
 * are put back and its locks have moved. Those that are judged have been by now.
 */
export function closeDeadlock(state: State): Event[] | null {
  for (const { plan, run, task, attempt, token } of state.victims.values()) {
    if (state.live.has(token) || state.salvage.has(token)) continue;
    return [{ type: 'deadlock-resolved', v: 1, plan, run, victim: attempt, victimTask: task, token }];
  }
  return null;
}

/** Who waits for whom among the tasks of a plan: needs that are not satisfied, added ones, and locks. */
function* waitsAndNeeds(state: State, plan: PlanState): Generator<readonly [string, string]> {
  for (let i = 0; i < plan.tasks.length; i++) {
    const { id, needs = [], prefers = [] } = plan.plan.tasks[i]!;
    const { status, after } = plan.tasks[i]!;
    if (status !== 'pending') continue;
    for (const need of [...needs, ...prefers]) yield [id, need];
    if (after?.task && isHeldBack(state, after)) yield [id, after.task];
  }
  const { table, owners } = state.locks;
  for (const request of table.requests()) {
    const waiter = owners.get(request.owner)!;
    if (waiter.plan !== plan.path || waiter.task === null) continue;
    for (const { owner } of table.obstaclesOf(request)) {
      const other = owners.get(owner)!;
      if (other.plan === plan.path && other.task !== null) yield [waiter.task, other.task];
    }
  }
}
