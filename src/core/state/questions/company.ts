// Whether an attempt was alone in the workspace: what changed while others were at work may be theirs.
import type { State } from '../state.ts';

/** Called whenever somebody begins: everybody who is at work then has company, and keeps that to the end. */
export function meet({ live, hands, locks }: State): void {
  if (live.size < 2 && hands.size === 0 && !hasPeople(locks)) return;
  for (const one of live.values()) one.accompanied = true;
}

/** Those that Signalbox did not start, and that have or want a lock. */
function hasPeople({ owners }: State['locks']): boolean {
  for (const { token } of owners.values()) if (token === 0) return true;
  return false;
}
