// The end of a deadlock: its victim starts again behind its blocker, without having used a retry; and the search for deadlocks
// that nobody's request has found, because another one was being resolved when it closed.
import { closesCycle } from '../locks/closes-cycle.ts';
import type { Me } from './decide.ts';
import type { Event } from './event.ts';
import type { DeadlockBlocker } from './failure.ts';
import type { RunId } from './ids.ts';
import { chooseIn, endingOwners, rulesOf, stopVictim } from './lock-request.ts';
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

/** One runner looks after its own attempts; that others live is not known here. */
export function breakDeadlock(state: State, me: Me): Event[] | null {
  if (!rulesOf(state, me.plan).detect) return null;
  const { table, owners } = state.locks;
  const ending = endingOwners(state);
  const waiting = new Set([...table.requests()].map(({ owner }) => owner));
  for (const id of waiting) {
    const owner = owners.get(id)!;
    if (owner.plan !== me.plan) continue;
    if (ending.includes(id)) continue;
    const cycle = table.findDeadlock(id, ending);
    if (!cycle) continue;
    const events: Event[] = [];
    const world = {
      record: (event: Event) => void events.push(event),
      // How one that nobody has seen alive yet has ended must be known before it is doomed.
      isRunnerAlive: (_: string, run: RunId, token: number) => run === me.run && me.attends?.(token) !== false,
    };
    const choice = chooseIn(state, cycle, owner, world);
    if (choice === null) continue;
    stopVictim(state, cycle, choice, world);
    return events;
  }
  return null;
}
