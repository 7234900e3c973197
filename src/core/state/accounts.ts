// Accounts that have reached their limit: closed until a time, then open for one attempt that tries, and forgotten when an attempt of theirs
// ends in any other way.
//
//   quota-paused by an attempt that began before   closed until its time; not once more
//   quota-resumed                                  one attempt at a time: the next that is scheduled tries it
//   quota-paused by the attempt that tried         closed until its time; once more than before
//   an attempt ends, and was not limited           as if nothing had been
import type { StoredEvent } from '../model/event.ts';
import type { AttemptId, PlanPath } from '../model/ids.ts';
import type { LiveAttempt } from './state.ts';

export interface AccountPause {
  /** The plan whose attempt has found it out. */
  readonly plan: PlanPath;
  readonly until: number;
  /** Nobody has said until when. */
  readonly guessed?: true;
  /** How often in a row: the first time, and by each attempt that tried it. */
  readonly times: number;
  /** Its time is over. */
  readonly isTried: boolean;
  /** Tries it. */
  readonly probe?: AttemptOfPlan;
}

interface AttemptOfPlan {
  readonly plan: PlanPath;
  readonly attempt: AttemptId;
}

export type Accounts = Map<string, AccountPause>;

export function evolveAccounts(accounts: Accounts, event: StoredEvent): void {
  switch (event.type) {
    case 'quota-paused': {
      const { plan, account, until, guessed } = event;
      const times = timesBefore(accounts.get(account), event) + 1;
      accounts.set(account, { plan, until, ...(guessed ? { guessed } : {}), times, isTried: false });
      return;
    }
    case 'quota-resumed':
      return change(accounts, event.account, (known) => ({ ...known, isTried: true }));
    case 'attempt-scheduled':
    case 'review-scheduled': {
      const { plan, attempt, account } = event;
      if (account === undefined) return;
      return change(accounts, account, (known) => ({ ...known, probe: { plan, attempt } }));
    }
  }
}

/** In a row, without this one. Attempts that an account closed for together count as one, whenever they end. */
export function timesBefore(known: AccountPause | undefined, { plan, attempt }: AttemptOfPlan): number {
  if (known === undefined) return 0;
  return known.probe?.plan === plan && known.probe.attempt === attempt ? known.times : known.times - 1;
}

function change(accounts: Accounts, account: string, next: (known: AccountPause) => AccountPause): void {
  const known = accounts.get(account);
  if (known) accounts.set(account, next(known));
}

/** It worked, or failed for a reason of its own: its account can go on. */
export function provenBy(accounts: Accounts, { account }: LiveAttempt): void {
  if (account !== undefined && accounts.get(account)?.isTried) accounts.delete(account);
}
