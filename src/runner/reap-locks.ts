// Ends what the dead and the silent have left in the lock table: requests whose process is gone, locks bound to a process that is
// gone, and those of somebody who was not heard of for too long. Done before every contended request and about once a second while
// somebody waits. A process that is only stopped is not gone. One that cannot be seen from here (on another host, or of this machine
// before it was booted again) is not called gone, but is heard of no more either: then the time of a lease is what counts.
import { isAlive } from '../agents/process/process-identity.ts';
import { lockLeaseMs } from '../core/model/defaults.ts';
import type { ProcessIdentity } from '../core/model/ids.ts';
import { giveUpWaits, releaseAll } from '../core/rules/locks/lock-rules.ts';
import { partyOf, type WaitingProcess } from '../core/state/lock-state.ts';
import type { State } from '../core/state/state.ts';
import type { Transaction } from '../store/store.ts';

/** How soon the waiters of dead processes are gone. */
export const reapEveryMs = 500;

export type IsGone = (process: ProcessIdentity) => boolean | 'unknown';

export const isGone: IsGone = (process) => {
  const alive = isAlive(process);
  return alive === 'unknown' ? alive : !alive;
};

/** One process may wait for many: it is looked at once per call. */
function once(look: IsGone): IsGone {
  const seen = new Map<string, boolean | 'unknown'>();
  return (process) => {
    const name = `${process.host} ${process.pid} ${process.startTime}`;
    const known = seen.get(name) ?? look(process);
    seen.set(name, known);
    return known;
  };
}

export function reapLocks(tx: Transaction, look: IsGone = isGone): void {
  const { locks } = tx.state;
  const gone = once(look);
  for (const [ticket, waiting] of [...locks.waiting]) {
    if (!hasLeft(waiting, tx.now, gone)) continue;
    const owner = locks.owners.get(locks.table.request(ticket)!.owner)!;
    tx.record({ type: 'lock-wait-ended', v: 1, ...partyOf(owner), ticket, because: 'died' });
  }
  for (const owner of [...locks.owners.values()]) {
    const because = endOfLease(owner, tx.now, gone);
    if (because === null) continue;
    const events = [...releaseAll(tx.state, owner, because), ...giveUpWaits(tx.state, owner, 'died')];
    for (const event of events) tx.record(event);
  }
}

/** Whether `reapLocks` would do anything: looking takes no write lock. */
export function anythingToReap(state: State, now: number, look: IsGone = isGone): boolean {
  const { waiting, owners } = state.locks;
  const gone = once(look);
  for (const one of waiting.values()) if (hasLeft(one, now, gone)) return true;
  for (const owner of owners.values()) if (endOfLease(owner, now, gone) !== null) return true;
  return false;
}

/** Whether looking again is worth it: attempts that hold and do not wait end by themselves, and everybody is told. */
export function mayBeReaped({ waiting, owners }: State['locks']): boolean {
  if (waiting.size > 0) return true;
  for (const { token } of owners.values()) if (token === 0) return true;
  return false;
}

function hasLeft({ process, since }: WaitingProcess, now: number, gone: IsGone): boolean {
  const left = gone(process);
  return left === 'unknown' ? since + lockLeaseMs <= now : left;
}

function endOfLease(
  {
    token,
    until,
    process,
  }: { readonly token: number; readonly until: number; readonly process: ProcessIdentity | null },
  now: number,
  gone: IsGone,
): 'died' | 'expired' | null {
  if (token !== 0) return null;
  const left = process ? gone(process) : 'unknown';
  if (left !== 'unknown') return left ? 'died' : null;
  return until > 0 && until <= now ? 'expired' : null;
}
