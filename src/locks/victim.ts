// The victim of a deadlock: the youngest by its first start. It is a pure function of the log, so every process names the same. Retries
// keep the first start, so a victim grows older than later attempts and wins in the end. With a new age for every retry, or by the
// least work done, one could lose for ever. Three times is the most in any case.
import type { OwnerId } from './lock.ts';

export interface Party {
  readonly owner: OwnerId;
  /** Signalbox started it, its runner lives, and it is not already being stopped. */
  readonly ours: boolean;
  /** The original age, kept over retries. */
  readonly firstStartedAt: number;
  /** Of this attempt. */
  readonly startedAt: number;
  /** How often it was a victim so far. */
  readonly times: number;
  readonly id: string;
}

export type VictimPolicy = 'youngest' | 'least-progress';

const mostTimes = 3;

/** Null: no party may be chosen, and the closing request is refused. */
export function chooseVictim(
  parties: readonly Party[],
  policy: VictimPolicy,
): { readonly owner: OwnerId; readonly reason: string } | null {
  const [victim, ...others] = parties
    .filter(({ ours, times }) => ours && times < mostTimes)
    .sort((a, b) => (policy === 'least-progress' ? b.startedAt - a.startedAt : 0) || byAge(a, b));
  if (victim === undefined) return null;
  return { owner: victim.owner, reason: reasonOf(victim, others[0], parties, policy) };
}

/** The youngest first. */
const byAge = (a: Party, b: Party) => b.firstStartedAt - a.firstStartedAt || compare(b.id, a.id);

/** Why it was chosen over the next one, as a clause for people. */
function reasonOf(victim: Party, next: Party | undefined, parties: readonly Party[], policy: VictimPolicy): string {
  if (next === undefined) {
    return parties.length === 1 ? 'it is the only one' : 'it is the only one that Signalbox may stop';
  }
  if (policy === 'least-progress' && victim.startedAt !== next.startedAt) {
    return 'of those that Signalbox may stop, its attempt started last';
  }
  if (victim.firstStartedAt !== next.firstStartedAt)
    return 'of those that Signalbox may stop, it was first started last';
  return 'of those that Signalbox may stop and that started at the same time, it comes last by name';
}

/** By code units: the same on every machine, whatever its language. */
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
