// What holds tasks back at the moment: usage limits with a countdown, and budgets without room.
import type { RunReport } from '../../../api/reports/run.ts';
import type { HeldBackReport } from '../../../api/reports/status.ts';
import { numberWords } from '../../../core/model/count-words.ts';
import { describeElapsed } from '../../../core/model/duration-words.ts';
import { describeMoment, describeTime } from './describe-time.ts';

/** "claude login is at its usage limit until 21:02:00, in 34 min; 5 tasks wait" */
export function describeHeldBack(held: HeldBackReport, now: number, isAbsolute = false): string {
  return `${held.kind === 'quota' ? limitWords(held, now, isAbsolute) : describeBudget(held)}; ${waiting(held.tasks)}`;
}

type Quota = Extract<HeldBackReport, { readonly kind: 'quota' }>;

function limitWords({ account, until }: Quota, now: number, isAbsolute: boolean): string {
  if (until === null) return `the usage limit of ${account} should be over, and one attempt finds out`;
  const at = Date.parse(until);
  const when = isAbsolute ? describeMoment(at) : `${describeTime(at, now)}, ${countdown(at, now)}`;
  return `${account} is at its usage limit until ${when}`;
}

/** In whole seconds: it ticks on the screen. */
export const countdown = (at: number, now: number): string =>
  at > now ? `in ${describeElapsed(at - now + 999)}` : 'now';

const waiting = (tasks: number): string => `${numberWords(tasks)} ${tasks === 1 ? 'task waits' : 'tasks wait'}`;

/** A budget may be less than a cent, and what is missing too. */
export const exactUsd = (usd: number): string => {
  const cents = usd * 100;
  return `$${Math.abs(cents - Math.round(cents)) < 1e-4 ? usd.toFixed(2) : usd.toFixed(4)}`;
};

type Budget = Omit<RunReport['budgets'][number], 'tasks'>;

export function describeBudget({ task, budgetUsd, spentUsd, reservedUsd, mostUsd }: Budget): string {
  const spent = `${exactUsd(spentUsd)} of ${exactUsd(budgetUsd)} spent`;
  if (task !== undefined) return `the budget of ${task} is used up (${spent})`;
  const reserved = reservedUsd > 0 ? `, ${exactUsd(reservedUsd)} reserved for what runs` : '';
  const left = budgetUsd - spentUsd - reservedUsd;
  // An attempt may cost more than is left.
  const most = mostUsd !== undefined && left > 0 ? `, and an attempt may cost ${exactUsd(mostUsd)}` : '';
  return `the budget of the run ${most === '' ? 'is used up' : 'has no room'} (${spent}${reserved}${most})`;
}
