// The end of a deadlock: its victim starts again behind its blocker, without having used a retry.
import type { Event } from '../../model/event.ts';
import type { DeadlockBlocker } from '../../model/failure.ts';
import type { PlanState, State } from '../../state/state.ts';
import { isHeldBack } from './lock-rules.ts';

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
 * The deadlock of a victim that is never judged, because a person withdrew it or took it out of the plan. It is over once the files
 * are put back and the locks have moved. Other victims have been judged by now.
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

/**
 * Whether a need from one task to another would close a cycle: `to` leads to `from` already, by needs or by locks. Such a need would
 * be a deadlock that no lock shows. Every task waits for itself.
 */
export function closesCycle(edges: Iterable<readonly [string, string]>, from: string, to: string): boolean {
  const after = new Map<string, string[]>();
  for (const [one, other] of edges) {
    const others = after.get(one);
    if (others === undefined) after.set(one, [other]);
    else others.push(other);
  }
  const reached = new Set([to]);
  // The loop also visits what is added to the set meanwhile.
  for (const one of reached) for (const other of after.get(one) ?? []) reached.add(other);
  return reached.has(from);
}
