// Deadlocks that no request closes: a grant takes what others could have had first, a release ends a reason to pass, or a run with
// other rules takes over. Every transaction looks at all waiting owners, so each deadlock is found where it closes.
//
//   of one, its runner will know soon        nothing for now: it may be dead, and if it is not, it may be the one to be stopped
//   whether it is alive
//   an attempt in it may be stopped          one of them is, as if a request had closed it
//   one may be alive or dead                 nothing for now: its runner will know
//   none may be stopped                      the last one who asked is refused, and told why; who polls is told with the next `try`
import type { AskedRequest, DeadlockStep, OwnerId } from '../../../locks/lock-table.ts';
import { chooseIn, endingOwners, inWords, rulesOf, stopVictim } from '../../commands/lock-request.ts';
import type { Event } from '../../model/event.ts';
import type { PlanPath, RunId } from '../../model/ids.ts';
import { ownerIn, partyOf } from '../../state/lock-state.ts';
import type { LiveAttempt, State } from '../../state/state.ts';
import type { Me } from '../decide.ts';
import { People } from './people-as-owners.ts';
import { pollsAt } from './polls.ts';

/** @param watched plans whose runner is alive, and would stop their attempts; absent: only one's own attempts are known. */
export function breakDeadlock(
  state: State,
  now: number,
  me: Me | null,
  watched?: ReadonlySet<PlanPath>,
): Event[] | null {
  if (!me && !watched) return null;
  const polls = pollsAt(state, now);
  const people = new People(state, undefined, polls);
  const knots = people.knots();
  if (knots.length === 0) return null;
  const ending = endingOwners(state);
  const isEnding = new Set(ending);
  const canStop = (live: LiveAttempt, run: RunId) => {
    // An attempt that may have ended already must not be doomed, nor another in its place: first its end must be known.
    if (live.plan === me?.plan) return (run === me.run && me.attends?.(live.token) !== false) || 'soon';
    return watched ? watched.has(live.plan) : 'unknown';
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
  // Several cycles may go through one knot, and the one found may belong to runs without detection.
  return look(knots) ?? (isLeft ? look(whoWantHelp(state, polls)) : null);
}

/** Owners that wait, and whose runs look for deadlocks. */
function whoWantHelp(state: State, polls: readonly AskedRequest[]): Set<OwnerId> {
  const owners = [...state.locks.table.requests(), ...polls].map(({ owner }) => owner);
  return new Set(owners.filter((owner) => rulesOf(state, ownerIn(state, owner).plan).detect));
}

type CanStop = (live: LiveAttempt, run: RunId) => boolean | 'soon' | 'unknown';

function breakCycle(state: State, cycle: readonly DeadlockStep[], canStop: CanStop): Event[] | null {
  // A cycle only among runs without detection waits for its timeouts; one other run in it is enough to act.
  const latest = cycle.filter(({ owner }) => rulesOf(state, ownerIn(state, owner).plan).detect).sort(byTicket)[0];
  if (latest === undefined) return null;
  const events: Event[] = [];
  const record = (event: Event) => void events.push(event);
  const known = new Set<ReturnType<CanStop>>();
  const choice = chooseIn(state, cycle, ownerIn(state, latest.owner), (live) => {
    const can = canStop(live, state.plans.get(live.plan)!.run!.run);
    known.add(can);
    return can === true;
  });
  if (known.has('soon')) return null;
  if (choice) stopVictim(state, cycle, choice, record);
  else if (known.has('unknown') || latest.ticket === 0) return null;
  else endWait(state, cycle, latest, record);
  return events;
}

/** In words from its own side: it is the one who can act. */
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

/** The latest first. */
const byTicket = (a: DeadlockStep, b: DeadlockStep) => b.ticket - a.ticket;
