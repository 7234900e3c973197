// When an account of a coding agent is closed because of its limit, and opened again. A limit is no failure: it costs no attempt.
import type { Event } from '../model/event.ts';
import type { QuotaPaused } from '../model/quota-event.ts';
import { type AccountPause, timesBefore } from '../state/accounts.ts';
import type { PlanState, State } from '../state/state.ts';
import { jittered, spreadMs } from './backoff.ts';

/** Without a word about its end: a minute, then twice as long each time that it is tried, at most half an hour; ±20 %. */
const firstMs = 60_000;
const mostMs = 1_800_000;
/** So many resets in a row are believed; after that only one that is later than the guess. */
const mostBelieved = 3;
/** How much later than its reset an account is tried: machines that share it, or were limited at one time, must not all come at one moment. */
const mostSpreadMs = 5_000;

/** The agent of the next attempt; undefined: a command, or nobody. */
export function agentOf(plan: PlanState, i: number): string | undefined {
  const { run, agent: planned } = plan.plan.tasks[i]!.keys;
  const { agent, escalated } = plan.tasks[i]!;
  const debugging = escalated ? plan.run?.escalationAgent : null;
  return debugging ?? agent ?? (run === undefined ? planned : undefined);
}

/** That its next attempt is charged to in this run; undefined: it has none, or it is not known. */
export function accountOf(plan: PlanState, i: number): string | undefined {
  const agent = agentOf(plan, i);
  return agent === undefined ? undefined : plan.run?.limits.accounts?.[agent];
}

/** That reviews are charged to in this run; undefined: as above. */
export function reviewAccountOf({ run }: PlanState): string | undefined {
  const { reviewAgent = null, limits } = run ?? {};
  return reviewAgent === null ? undefined : limits!.accounts?.[reviewAgent];
}

/** The account is closed, and the run does not wait until its time is over. */
export const isGivenUp = ({ accounts }: State, { run }: PlanState, account: string | undefined): boolean =>
  run!.stopsAtQuota && account !== undefined && accounts.get(account)?.isTried === false;

/** The attempt of the task, or its review, has run into the limit of its account. */
export function pauseAccount(state: State, plan: PlanState, i: number, resetsAt: number | null, now: number): Event[] {
  const { run, attempt, limited } = plan.tasks[i]!.ended!;
  const about = { v: 1, plan: plan.path, run, task: plan.plan.tasks[i]!.id, attempt } as const;
  const account = limited?.account ?? accountOf(plan, i);
  const again = { type: 'retry-scheduled', ...about, because: 'quota' } as const;
  const known = account === undefined ? undefined : state.accounts.get(account);
  const end = endOf(known, about, resetsAt, now);
  if (account === undefined) return [{ ...again, notBefore: end.until }];
  const paused: Event = { type: 'quota-paused', ...about, account, ...end };
  // The attempt has ended well: only its review is repeated.
  return limited ? [paused] : [paused, { ...again, notBefore: now }];
}

type PauseEnd = Pick<QuotaPaused, 'until' | 'guessed'>;

/** Until when, after this attempt has found it closed. */
function endOf(
  known: AccountPause | undefined,
  about: Pick<QuotaPaused, 'plan' | 'run' | 'attempt'>,
  resetsAt: number | null,
  now: number,
): PauseEnd {
  const times = timesBefore(known, about);
  const guess = now + jittered(Math.min(firstMs * 2 ** times, mostMs), about.attempt);
  // A reset that has passed already was said by a clock that is not ours, or is not kept to; nor are those that were tried in vain.
  const earliest = times < mostBelieved ? now + 1 : guess;
  const own: PauseEnd =
    resetsAt !== null && resetsAt >= earliest
      ? { until: resetsAt + spreadMs(Math.min((resetsAt - now) / 10, mostSpreadMs), about.run) }
      : { until: guess, guessed: true };
  return known === undefined || known.isTried ? own : better(known, own);
}

/** Of two attempts that were told at about the same time: a reset that was said counts before a guess, and the later one of two. */
function better(known: AccountPause, own: PauseEnd): PauseEnd {
  if (own.guessed) return { until: known.until, ...(known.guessed ? { guessed: true } : {}) };
  return known.guessed ? own : { until: Math.max(known.until, own.until) };
}

export function reopenAccounts({ accounts }: State, now: number): Event[] | null {
  for (const [account, { plan, until, isTried }] of accounts) {
    if (!isTried && until <= now) return [{ type: 'quota-resumed', v: 1, plan, account }];
  }
  return null;
}
