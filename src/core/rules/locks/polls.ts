// Who asks with `lock try` again and again. The second refused `try` for the same within 30 s counts as waiting where circles are looked
// for, without a place in the queue: until it is granted, its attempt ends, or 30 s pass without another.
//
//   refused once                          nothing: whoever asks once may do something else
//   refused again within 30 s             waits; a circle that this closes is ended like any other
//   refused many times                    recorded now and then, so that it is known to go on
//   by somebody nobody can wait for       nothing, and nothing is recorded: a circle goes through a lock that it holds
import type { AskedRequest, OwnerId, Want } from '../../../locks/lock-table.ts';
import { pollingMs } from '../../model/defaults.ts';
import { triedAs } from '../../state/lock-state.ts';
import type { State } from '../../state/state.ts';

/** Those that count as waiting now. */
export function pollsAt(state: State, now: number): AskedRequest[] {
  const polls: AskedRequest[] = [];
  for (const { owner, wants, at, polls: counts } of state.locks.tried.values()) {
    if (!counts || at + pollingMs <= now) continue;
    const isOver = owner.startsWith('#') && state.live.get(Number(owner.slice(1)))?.doom !== null;
    if (!isOver) polls.push({ owner, wants });
  }
  return polls;
}

/** How a `try` that is about to be refused stands to those before it. */
export function lookAtTry(
  { locks }: State,
  { owner, wants }: { readonly owner: OwnerId; readonly wants: readonly Want[] },
  now: number,
): { readonly polls: boolean; readonly isNews: boolean } {
  const before = locks.tried.get(triedAs(owner, wants));
  if (before === undefined || before.at + pollingMs <= now) return { polls: false, isNews: true };
  return { polls: true, isNews: !before.polls || before.at + pollingMs / 3 <= now };
}
