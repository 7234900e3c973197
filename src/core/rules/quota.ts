// When an account of a coding agent is closed because of its limit, and opened again. A limit is no failure: it costs no attempt.
import type { Event } from '../model/event.ts';
import type { PlanState, State } from '../state/state.ts';
import { backoffMs } from './backoff.ts';

/** Without a word about its end: a minute, then twice as long each time, at most half an hour. */
const firstMs = 60_000;
const mostMs = 1_800_000;

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

/** The attempt of the task, or its review, has run into the limit of its account. */
export function pauseAccount(state: State, plan: PlanState, i: number, resetsAt: number | null, now: number): Event[] {
  const { run, attempt, limited } = plan.tasks[i]!.ended!;
  const about = { v: 1, plan: plan.path, run, task: plan.plan.tasks[i]!.id, attempt } as const;
  const account = limited?.account ?? accountOf(plan, i);
  const again = { type: 'retry-scheduled', ...about, because: 'quota' } as const;
  const times = account === undefined ? 0 : (state.accounts.get(account)?.times ?? 0);
  const guess = now + Math.min(firstMs * 2 ** times, mostMs) + backoffMs(attempt, 1);
  // A reset that has passed already was said by a clock that is not ours, or is not kept to.
  const isSaid = resetsAt !== null && resetsAt > now && times < 3;
  const until = isSaid ? resetsAt : guess;
  if (account === undefined) return [{ ...again, notBefore: until }];
  const paused: Event = { type: 'quota-paused', ...about, account, until, ...(isSaid ? {} : { guessed: true }) };
  // The attempt has ended well: only its review is repeated.
  return limited ? [paused] : [paused, { ...again, notBefore: now }];
}

export function reopenAccounts({ accounts }: State, now: number): Event[] | null {
  for (const [account, { plan, until, isTried }] of accounts) {
    if (!isTried && until <= now) return [{ type: 'quota-resumed', v: 1, plan, account }];
  }
  return null;
}
