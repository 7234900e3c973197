// What follows for locks by itself: those of an attempt that is over are released, and what is free goes to the next in line.
// Both in the transaction of what caused it, so that nobody can come in between.

import type { Event } from './event.ts';
import type { LockOwner } from './lock-state.ts';
import { ownerOfToken, partyOf } from './lock-state.ts';
import type { State } from './state.ts';

/** Null: nothing to do. */
export function settleLocks(state: State): Event[] | null {
  return releaseEnded(state) ?? grantNext(state);
}

/** An attempt keeps its locks until it is judged, and one that was stopped half way until its files are put back. */
function releaseEnded(state: State): Event[] | null {
  for (const owner of state.locks.owners.values()) {
    if (owner.token === 0 || state.live.has(owner.token) || state.salvage.has(owner.token)) continue;
    const because = endOf(state, owner);
    if (because === null) continue;
    return [
      ...giveUpWaits(state, owner, because === 'deadlock' ? 'deadlock' : 'ended'),
      ...releaseAll(state, owner, because),
    ];
  }
  return null;
}

/** Null while it waits for its judgement; a victim's locks move before it is judged, so that its blocker can go on at once. */
function endOf(state: State, { plan: path, task, token }: LockOwner): 'ended' | 'deadlock' | null {
  const plan = state.plans.get(path);
  const at = task === null ? undefined : plan?.index.get(task);
  const own = at === undefined ? undefined : plan!.tasks[at];
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
  const grant = state.locks.table.nextGrant();
  if (grant === null) return null;
  const { request, passes } = grant;
  const owner = state.locks.owners.get(request.owner)!;
  // An attempt that is being ended gets nothing more.
  if (owner.token !== 0 && state.live.get(owner.token)?.doom !== null) {
    return [{ type: 'lock-wait-ended', v: 1, ...partyOf(owner), ticket: request.ticket, because: 'ended' }];
  }
  return acquire(owner, request.wants, { ticket: request.ticket, passes });
}

/** One event for each resource; the first of them ends the waiting. */
export function acquire(
  owner: LockOwner,
  wants: readonly { readonly key: string; readonly mode: 'exclusive' | 'shared' }[],
  how: { readonly ticket?: number; readonly passes?: readonly number[]; readonly lease?: object },
): Event[] {
  return wants.map(({ key, mode }, i): Event => {
    const first = i === 0 && how.passes && how.passes.length > 0 ? { passes: how.passes } : {};
    const ticket = how.ticket === undefined ? {} : { ticket: how.ticket };
    return { type: 'lock-acquired', v: 1, ...partyOf(owner), resource: key, mode, ...ticket, ...first, ...how.lease };
  });
}

/** Whether an added need still holds the task back: its blocker lives and holds what was contended. */
export function isHeldBack(state: State, after: { readonly owner: string; readonly resource: string }): boolean {
  return state.locks.table.holdsOf(after.owner).some(({ key }) => key === after.resource);
}

/** For those who only know an attempt by its token. */
export const holdsLocks = (state: State, token: number): boolean =>
  state.locks.table.holdsOf(ownerOfToken(token)).length > 0;
