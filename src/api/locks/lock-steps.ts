// What the lock commands do, one transaction each. Nothing here knows of processes, signals or clocks: the desk makes commands of
// these steps, and the simulator makes the same steps in its own world.
import { handsOf, isHeld, type LockAnswer, type LockRequest, requestLocks } from '../../core/commands/lock-request.ts';
import { lockLeaseMs } from '../../core/model/defaults.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import type { ProcessIdentity } from '../../core/model/ids.ts';
import { giveUpWaits } from '../../core/rules/locks/lock-rules.ts';
import { People } from '../../core/rules/locks/people-as-owners.ts';
import { wantsOf } from '../../core/rules/locks/plan-locks.ts';
import { type LockOwner, partyOf } from '../../core/state/lock-state.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import type { State } from '../../core/state/state.ts';
import type { Want } from '../../locks/lock-table.ts';
import type { Transaction } from '../../store/store.ts';
import { actIn, type World } from '../act/act.ts';
import type { LockHolder } from '../reports/locks.ts';
import { type Identity, ownerFor } from './lock-identity.ts';
import { holderOf } from './lock-view.ts';

export interface Ask {
  readonly identity: Identity;
  readonly wants: readonly Want[];
  readonly bound: ProcessIdentity | null;
  /** Refused rather than that an attempt is stopped for it. */
  readonly yields?: boolean | undefined;
}

/** @param own the process that asks. */
export function askForLocks(tx: Transaction, ask: Ask, queue: boolean, own: ProcessIdentity, world: World) {
  return actIn(tx, world, (watched) => {
    const owner = ownerFor(tx.state, ask.identity);
    const until = tx.now + lockLeaseMs;
    const lease = owner.token !== 0 ? {} : ask.bound ? { process: ask.bound, until } : { until };
    const { wants, yields = false } = ask;
    const request: LockRequest = { owner, wants, queue, now: tx.now, process: own, lease, yields };
    const answer = requestLocks(tx.state, request, { record: (event) => tx.record(event), watched });
    renew(tx, owner);
    return { answer, owner };
  });
}

/** Any call by an agent that Signalbox did not start is a sign of life; recorded only when half its time is gone. */
function renew(tx: Transaction, owner: LockOwner): void {
  if (!isDue(tx.state, owner, tx.now)) return;
  const known = tx.state.locks.owners.get(owner.owner)!;
  tx.record({ type: 'lock-renewed', v: 1, ...partyOf(known), until: tx.now + lockLeaseMs });
}

/** A call that asks for no lock. Who has been silent for too long has lost its locks, as with any other call. */
export const signOfLife = (tx: Transaction, identity: Identity, world: World): void =>
  actIn(tx, world, () => renew(tx, ownerFor(tx.state, identity)));

/** Half of the time is gone: worth a record. */
export function isDue(state: State, { owner, token }: LockOwner, now: number): boolean {
  const until = token === 0 ? (state.locks.owners.get(owner)?.until ?? 0) : 0;
  return until > 0 && until - now <= lockLeaseMs / 2;
}

/** A request that waits looks whether the dead are in its way. */
export function lookAtWait(
  tx: Transaction,
  ask: Ask,
  owner: LockOwner,
  ticket: number,
  world: World,
): LockAnswer | null {
  // Waiting is a call that goes on. The sign of life comes first, so that nobody takes the caller for dead.
  renew(tx, owner);
  actIn(tx, world, () => undefined);
  return endOfWait(tx.state, owner, ask.wants, ticket);
}

/** The wait may have ended this very moment; if not, tells who was in the way until now. */
export function giveUpWait(
  tx: Transaction,
  ask: Ask,
  owner: LockOwner,
  ticket: number,
  because: 'timeout' | 'given-up',
  world: World,
): LockAnswer | { readonly inTheWay: readonly LockHolder[] } {
  return actIn(tx, world, () => {
    const end = endOfWait(tx.state, owner, ask.wants, ticket);
    if (end !== null) return end;
    const obstacles = new People(tx.state).obstaclesOf({ owner: owner.owner, wants: ask.wants, ticket });
    const inTheWay = obstacles.map((obstacle) => holderOf(tx.state, obstacle, world));
    tx.record({ type: 'lock-wait-ended', v: 1, ...partyOf(owner), ticket, because });
    return { inTheWay };
  });
}

/** How the waiting has ended; null while it goes on. `over` may be `deadlock`, which is told in the log only. */
export function endOfWait(state: State, owner: LockOwner, wants: readonly Want[], ticket: number): LockAnswer | null {
  const { token } = owner;
  const live = state.live.get(token);
  if (token !== 0 && live?.doom?.kind === 'deadlock') return { kind: 'victim', words: live.doom.words };
  if (token !== 0 && (!live || live.doom)) return { kind: 'over' };
  if (state.locks.table.request(ticket)) return null;
  return wants.every((want) => isHeld(state, owner, want)) ? { kind: 'granted' } : { kind: 'over' };
}

/** A wait that was ended because of a deadlock; null: it was ended for another reason. */
export function refusalIn(events: readonly StoredEvent[], ticket: number): LockAnswer | null {
  for (const event of events) {
    if (event.type !== 'lock-refused' || event.ticket !== ticket) continue;
    return { kind: 'deadlock', words: event.words, cycle: event.cycle };
  }
  return null;
}

/**
 * The locks that an owner may release. Locks that the plan declares are held to the end. An attempt that is being stopped keeps
 * everything until its files are put back, whatever it still asks for.
 */
function droppable(state: State, { owner, plan: path, task, token }: LockOwner): string[] {
  const held = state.locks.table.holdsOf(owner).map(({ key }) => key);
  if (token === 0) return held;
  if (!state.hands.has(token) && state.live.get(token)?.doom !== null) return [];
  const plan = state.plans.get(path)!;
  const declared = wantsOf(startedTask(plan, plan.index.get(task!)!));
  return held.filter((key) => !declared.some((want) => want.key === key));
}

/** Of a task that somebody works on by hand. */
export const mayDrop = (state: State, { heldBy, theirs }: { readonly heldBy: string; readonly theirs: string }) =>
  droppable(state, state.locks.owners.get(heldBy)!).includes(theirs);

/** What an attempt could have changed and is about to lose, and what it keeps. */
export interface LetGo {
  readonly token: number;
  readonly keys: readonly string[];
  readonly held: readonly string[];
}

/** @param identity null: whoever it is. */
export function heldKeys(state: State, identity: Identity | null): Set<string> {
  const { owners, table } = state.locks;
  const owner = identity && ownerFor(state, identity);
  const who = owner ? [owner, ...handsOf(state, owner)] : [...owners.values()];
  return new Set(who.flatMap((one) => table.holdsOf(one.owner).map(({ key }) => key)));
}

/** @param keys null: all that are held. */
export function dropsOf(state: State, identity: Identity, keys: readonly string[] | null): LetGo[] {
  const owner = ownerFor(state, identity);
  return letGo(state, owner, new Set(droppable(state, owner).filter((key) => keys === null || keys.includes(key))));
}

export const forcedDropsOf = (state: State, keys: readonly string[]): LetGo[] =>
  [...state.locks.owners.values()].flatMap((owner) => letGo(state, owner, new Set(keys)));

function letGo(state: State, { owner, token }: LockOwner, lost: ReadonlySet<string>): LetGo[] {
  if (token === 0) return [];
  const own = state.locks.table.holdsOf(owner).flatMap(({ key, mode }) => (mode === 'exclusive' ? [key] : []));
  const keys = own.filter((key) => lost.has(key));
  return keys.length === 0 ? [] : [{ token, keys, held: own.filter((key) => !lost.has(key)) }];
}

/** For people: whoever holds it loses it, and that is recorded. */
export function forceLocks(tx: Transaction, keys: readonly string[], by: string, reason: string, world: World) {
  return actIn(tx, world, () => {
    const released: string[] = [];
    for (const hold of [...tx.state.locks.table.holds()]) {
      if (!keys.includes(hold.key)) continue;
      const owner = tx.state.locks.owners.get(hold.owner)!;
      const forced = { because: 'forced', by, reason } as const;
      tx.record({ type: 'lock-released', v: 1, ...partyOf(owner), resource: hold.key, ...forced });
      released.push(hold.key);
    }
    return { owner: by, released, notHeld: keys.filter((key) => !released.includes(key)) };
  });
}

/** @param keys null: all that are held. */
export function dropLocks(tx: Transaction, identity: Identity, keys: readonly string[] | null, world: World) {
  return actIn(tx, world, () => {
    const owner = ownerFor(tx.state, identity);
    const released = new Set<string>();
    for (const who of [owner, ...handsOf(tx.state, owner)]) {
      for (const resource of droppable(tx.state, who)) {
        if (keys !== null && !keys.includes(resource)) continue;
        tx.record({ type: 'lock-released', v: 1, ...partyOf(who), resource, because: 'released' });
        released.add(resource);
      }
    }
    renew(tx, owner);
    return { owner: owner.name, released: [...released], notHeld: (keys ?? []).filter((key) => !released.has(key)) };
  });
}

/** Somebody by a name goes: nothing is held or waited for any more under it. A task that it works on by hand keeps what it has. */
export function leaveLocks(tx: Transaction, identity: Identity, world: World) {
  return actIn(tx, world, () => {
    const owner = ownerFor(tx.state, identity);
    const released = droppable(tx.state, owner);
    for (const event of giveUpWaits(tx.state, owner, 'given-up')) tx.record(event);
    for (const resource of released)
      tx.record({ type: 'lock-released', v: 1, ...partyOf(owner), resource, because: 'released' });
    return { owner: owner.name, released, notHeld: [] };
  });
}
