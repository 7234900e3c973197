// Deadlocks that no request closes: a grant takes what others could have had first, a release ends a reason to pass, a run with other
// rules takes over. Whoever settles a transaction looks at all who wait, so that each is found where it closes.
//
//   somebody in it may be stopped            one of them is, as if a request had closed it
//   of one nobody knows yet whether it lives nothing for now: its runner will know soon
//   nobody may be stopped                    who asked last waits no longer, and is told
import type { DeadlockStep, OwnerId } from '../locks/lock-table.ts';
import type { Me } from './decide.ts';
import type { Event } from './event.ts';
import type { RunId } from './ids.ts';
import { chooseIn, endingOwners, inWords, rulesOf, stopVictim } from './lock-request.ts';
import { partyOf } from './lock-state.ts';
import { People } from './people.ts';
import type { LiveAttempt, State } from './state.ts';

/** Whether the runner of an attempt's plan is alive, and would see it stopped. */
export type IsLookedAfter = (live: LiveAttempt) => boolean;

/** @param others absent: nothing is known of attempts but of one's own. */
export function breakDeadlock(state: State, me: Me | null, others?: IsLookedAfter): Event[] | null {
  if (!me && !others) return null;
  const people = new People(state);
  const knots = people.knots();
  if (knots.length === 0) return null;
  const ending = endingOwners(state);
  const isEnding = new Set(ending);
  const canStop = (live: LiveAttempt, run: RunId) => {
    // How one that nobody has seen alive yet has ended must be known before it is doomed.
    if (live.plan === me?.plan) return (run === me.run && me.attends?.(live.token) !== false) || 'unknown';
    return others ? others(live) : 'unknown';
  };
  let isLeft = false;
  const look = (ids: Iterable<OwnerId>): Event[] | null => {
    for (const id of ids) {
      const cycle = isEnding.has(id) ? null : people.findDeadlock(id, ending);
      const events = cycle && breakCycle(state, cycle, canStop);
      if (events) return events;
      if (cycle) isLeft = true;
    }
    return null;
  };
  // Through a knot there may be several cycles, and the one that is found may be one of those who want to be left alone.
  return look(knots) ?? (isLeft ? look(whoWantHelp(state)) : null);
}

/** Owners that wait, and whose runs look for deadlocks. */
function whoWantHelp(state: State): Set<OwnerId> {
  const owners = [...state.locks.table.requests()].map(({ owner }) => owner);
  return new Set(owners.filter((owner) => rulesOf(state, ownerIn(state, owner).plan).detect));
}

type CanStop = (live: LiveAttempt, run: RunId) => boolean | 'unknown';

function breakCycle(state: State, cycle: readonly DeadlockStep[], canStop: CanStop): Event[] | null {
  // Those whose run has switched it off wait until their time is over; with others among them it is on.
  const latest = cycle.filter(({ owner }) => rulesOf(state, ownerIn(state, owner).plan).detect).sort(byTicket)[0];
  if (latest === undefined) return null;
  const events: Event[] = [];
  const record = (event: Event) => void events.push(event);
  let isUnknown = false;
  const isRunnerAlive = (_: string, run: RunId, token: number) => {
    const can = canStop(state.live.get(token)!, run);
    if (can === 'unknown') isUnknown = true;
    return can === true;
  };
  const choice = chooseIn(state, cycle, ownerIn(state, latest.owner), { record, isRunnerAlive });
  if (choice) stopVictim(state, cycle, choice, { record, isRunnerAlive });
  else if (isUnknown) return null;
  else endWait(state, cycle, latest, record);
  return events;
}

/** Told from its side: it is the one who can do something about it. */
function endWait(
  state: State,
  cycle: readonly DeadlockStep[],
  { owner, ticket, waitsFor }: DeadlockStep,
  record: (event: Event) => void,
): void {
  const first = cycle.findIndex((step) => step.owner === owner);
  const told = inWords(state, [...cycle.slice(first), ...cycle.slice(0, first)]);
  const party = partyOf(ownerIn(state, owner));
  record({ type: 'lock-refused', v: 1, ...party, resource: waitsFor, ticket, ...told });
  record({ type: 'lock-wait-ended', v: 1, ...party, ticket, because: 'deadlock' });
}

const ownerIn = (state: State, owner: OwnerId) => state.locks.owners.get(owner)!;
/** The latest first. */
const byTicket = (a: DeadlockStep, b: DeadlockStep) => b.ticket - a.ticket;
