// The lock rules: the locks of an ended attempt are released, and free locks go to the next in line. Both happen in the transaction of
// their cause, so nothing can come in between.

import type { Want } from '../../../locks/lock-table.ts';
import type { Event } from '../../model/event.ts';
import type { LockLease } from '../../model/lock-event.ts';
import type { LockOwner } from '../../state/lock-state.ts';
import { partyOf } from '../../state/lock-state.ts';
import type { State } from '../../state/state.ts';
import { People } from './people-as-owners.ts';

/** Null: nothing to do. */
export function moveLocks(state: State): Event[] | null {
  return releaseEnded(state) ?? grantNext(state);
}

/** An attempt keeps its locks until it is judged, and one that was stopped half way until its files are put back. */
function releaseEnded(state: State): Event[] | null {
  for (const owner of state.locks.owners.values()) {
    if (owner.token === 0 || state.live.has(owner.token) || state.salvage.has(owner.token)) continue;
    const because = endOf(state, owner);
    if (because === null) continue;
    return [...giveUpWaits(state, owner, because), ...releaseAll(state, owner, because)];
  }
  return null;
}

/** Null until it is judged. A victim's locks move before that, so its blocker can go on at once. */
function endOf(state: State, { plan: path, task, token }: LockOwner): 'ended' | 'deadlock' | null {
  const plan = state.plans.get(path)!;
  const at = plan.index.get(task!);
  const own = at === undefined ? undefined : plan.tasks[at]!;
  // A task skipped or suspended during its check keeps them until the check is dead.
  if ((own?.live || own?.hand) && own.token === token) return null;
  if (!own?.ended || own.token !== token) return 'ended';
  return own.ended.doom?.kind === 'deadlock' ? 'deadlock' : null;
}

export function releaseAll(
  state: State,
  owner: LockOwner,
  because: 'ended' | 'deadlock' | 'released' | 'expired' | 'died',
): Event[] {
  const party = partyOf(owner);
  return state.locks.table
    .holdsOf(owner.owner)
    .map(({ key }): Event => ({ type: 'lock-released', v: 1, ...party, resource: key, because }));
}

export function giveUpWaits(
  state: State,
  owner: LockOwner,
  because: 'ended' | 'deadlock' | 'died' | 'given-up',
): Event[] {
  const party = partyOf(owner);
  return state.locks.table
    .waitsOf(owner.owner)
    .map(({ ticket }): Event => ({ type: 'lock-wait-ended', v: 1, ...party, ticket, because }));
}

function grantNext(state: State): Event[] | null {
  const grant = new People(state).nextGrant();
  if (grant === null) return null;
  const { request, passes } = grant;
  const owner = state.locks.owners.get(request.owner)!;
  // An attempt that has ended or is being stopped gets nothing more.
  const live = state.live.get(owner.token);
  if (owner.token !== 0 && live?.doom !== null) {
    const because = live?.doom.kind === 'deadlock' ? 'deadlock' : 'ended';
    return [{ type: 'lock-wait-ended', v: 1, ...partyOf(owner), ticket: request.ticket, because }];
  }
  return acquire(owner, request.wants, { ticket: request.ticket, passes });
}

/** One event for each resource. The first one ends the wait and names the requests it passes. */
export function acquire(
  owner: LockOwner,
  wants: readonly Want[],
  how: { readonly ticket?: number; readonly passes: readonly number[]; readonly lease?: LockLease | undefined },
): Event[] {
  return wants.map(({ key, mode }, i): Event => {
    const first = i === 0 && how.passes.length > 0 ? { passes: how.passes } : {};
    const ticket = how.ticket === undefined ? {} : { ticket: how.ticket };
    return { type: 'lock-acquired', v: 1, ...partyOf(owner), resource: key, mode, ...ticket, ...first, ...how.lease };
  });
}

/** Whether an added need still holds the task back: its blocker lives and holds what was contended. */
export function isHeldBack(state: State, after: { readonly owner: string; readonly resource: string }): boolean {
  return state.locks.table.holdsOf(after.owner).some(({ key }) => key === after.resource);
}
