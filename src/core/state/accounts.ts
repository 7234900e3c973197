// Accounts that have reached their limit: closed until a time, then open for one attempt that tries, and forgotten when an attempt of theirs
// ends in any other way.
//
//   quota-paused                                   closed until its time; once more than before
//   quota-resumed                                  one attempt at a time
//   an attempt ends, and was not limited           as if nothing had been
import type { StoredEvent } from '../model/event.ts';
import type { PlanPath } from '../model/ids.ts';
import type { LiveAttempt } from './state.ts';

export interface AccountPause {
  /** The plan whose attempt has found it out. */
  readonly plan: PlanPath;
  readonly until: number;
  /** In a row. */
  readonly times: number;
  /** Its time is over. */
  readonly isTried: boolean;
}

export type Accounts = Map<string, AccountPause>;

export function evolveAccounts(accounts: Accounts, event: StoredEvent): void {
  if (event.type === 'quota-paused') {
    const times = (accounts.get(event.account)?.times ?? 0) + 1;
    accounts.set(event.account, { plan: event.plan, until: event.until, times, isTried: false });
  } else if (event.type === 'quota-resumed') {
    const known = accounts.get(event.account);
    if (known) accounts.set(event.account, { ...known, isTried: true });
  }
}

/** It worked, or failed for a reason of its own: its account can go on. */
export function provenBy(accounts: Accounts, { account }: LiveAttempt): void {
  if (account !== undefined && accounts.get(account)?.isTried) accounts.delete(account);
}
