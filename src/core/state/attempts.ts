// The part of attempts that belongs to the workspace and to no plan: which are live, which are salvaged, and how long they waited.

import type {
  AttemptDoomed,
  AttemptEnded,
  AttemptScheduled,
  AttemptStarted,
  Stored,
  StoredEvent,
} from '../model/event.ts';
import type { DeadlockDetected } from '../model/lock-event.ts';
import type { Task } from '../model/plan.ts';
import type { CheckScheduled, JobDoomed, JobStarted, MergeScheduled, ReviewScheduled } from '../model/verify-event.ts';
import { ownerOfToken } from './lock-state.ts';
import { meet } from './questions/company.ts';
import type { Job, LiveAttempt, State } from './state.ts';

export function addAttempt(
  state: State,
  event: Stored<AttemptScheduled>,
  { keys }: Pick<Task, 'keys'>,
  pools: readonly string[],
): LiveAttempt {
  const { agent, escalated, warnings = [] } = event;
  const job: Job = {
    kind: 'attempt',
    ...(agent === undefined ? {} : { agent }),
    ...(escalated ? { escalated } : {}),
    ...(agent === undefined && keys.run !== undefined ? { command: true } : {}),
  };
  return add(state, event, { job, warnings, pools, ...moneyOf(event) });
}

function moneyOf({ account, mostUsd, sharesBudget }: AttemptScheduled | ReviewScheduled) {
  return {
    ...(account === undefined ? {} : { account }),
    ...(mostUsd === undefined ? {} : { mostUsd }),
    ...(sharesBudget ? { sharesBudget } : {}),
  };
}

export type JobScheduled = CheckScheduled | ReviewScheduled | MergeScheduled;

/** A check, a review or a merge. It has a token of its own, and is one party with its attempt where locks are concerned. */
export function addJob(state: State, event: Stored<JobScheduled>, uses: readonly string[] = []): LiveAttempt {
  state.jobs.add(event.token);
  if (event.type === 'review-scheduled')
    return add(state, event, { job: { kind: 'review' }, warnings: [], pools: [], ...moneyOf(event) });
  if (event.type === 'merge-scheduled') return add(state, event, { job: { kind: 'merge' }, warnings: [], pools: [] });
  // A check keeps its attempt's slot, but not the one in the model's pool.
  return add(state, event, { job: { kind: 'check', check: event.check }, warnings: [], pools: [...new Set(uses)] });
}

function add(
  state: State,
  event: Stored<AttemptScheduled | JobScheduled>,
  more: Pick<LiveAttempt, 'job' | 'warnings' | 'pools' | 'account' | 'mostUsd' | 'sharesBudget'>,
): LiveAttempt {
  const live: LiveAttempt = {
    plan: event.plan,
    task: event.task,
    attempt: event.attempt,
    token: event.token,
    run: event.run,
    host: event.host,
    scheduledAt: event.at,
    ...more,
    startedAt: 0,
    supervisor: null,
    doom: null,
    parkedMs: 0,
    parkedSince: 0,
    uncountedMs: 0,
  };
  state.live.set(event.token, live);
  meet(state);
  return live;
}

/** Undefined: it is no longer live, or is another kind of job. */
export function jobOf(state: State, event: AboutJob): LiveAttempt | undefined {
  const live = state.live.get(event.token);
  const isIt = live?.plan === event.plan && live.task === event.task && live.job.kind !== 'attempt';
  return isIt ? live : undefined;
}

type AboutJob = { readonly token: number; readonly plan: string; readonly task: string };

/** The token of the attempt that a live check, review or merge is about; null: the task is no longer in its plan. */
export function attemptOfJob({ live, plans }: State, job: number): number | null {
  const { plan: path, task } = live.get(job)!;
  const plan = plans.get(path);
  const at = plan?.index.get(task);
  return at === undefined ? null : plan!.tasks[at]!.token;
}

export function startJob(state: State, event: Stored<JobStarted>): void {
  const live = jobOf(state, event);
  if (live) Object.assign(live, { startedAt: event.at, supervisor: event.supervisor });
}

export function doomJob(state: State, event: JobDoomed): void {
  const live = jobOf(state, event);
  if (live) live.doom ??= event.doom;
}

/** As it was. */
export function removeJob(state: State, event: AboutJob): LiveAttempt | undefined {
  const live = jobOf(state, event);
  if (live) state.live.delete(live.token);
  if (live) state.jobs.delete(live.token);
  return live;
}

export function startAttempt(state: State, event: Stored<AttemptStarted>): void {
  const live = currentOf(state, event);
  if (live) Object.assign(live, { startedAt: event.at, supervisor: event.supervisor });
}

/** False: it was over, or already doomed. */
export function doomAttempt(state: State, event: AttemptDoomed): boolean {
  const live = currentOf(state, event);
  if (!live || live.doom) return false;
  live.doom = event.doom;
  return true;
}

/** Until its deadlock is resolved. It is doomed by an event of its own. */
export function rememberVictim(state: State, event: DeadlockDetected): void {
  const { plan, run, victim: attempt, victimTask: task, token } = event;
  if (state.live.has(token)) state.victims.set(token, { plan, run, task, attempt, token });
}

/** As it was; undefined: there is no such attempt. */
export function removeAttempt(state: State, event: AttemptEnded): LiveAttempt | undefined {
  const live = currentOf(state, event);
  if (!live) return undefined;
  state.live.delete(event.token);
  const because = salvageReason(live, event);
  if (because !== null && state.locks.table.holdsOf(ownerOfToken(event.token)).length > 0) {
    const { plan, run, host, task, attempt, token } = live;
    state.salvage.set(token, { plan, task, attempt, token, run, host, because, saved: false });
  }
  return live;
}

/** Why its files must be put back: it was stopped or lost half way, and no other attempt may build on that. Null: they stay. */
function salvageReason({ doom }: LiveAttempt, { end }: AttemptEnded): string | null {
  if (doom?.kind === 'deadlock') return doom.words;
  if (doom?.kind === 'withdrawn')
    return doom.asked ? 'a person had to answer a question first' : 'a person suspended or skipped the task';
  // Its task releases everything until a person has decided.
  if (doom?.kind === 'looping' && end.kind !== 'exited') return 'it made the same call again and again';
  const isLost = end.kind === 'lost' || (end.kind === 'killed' && doom === null);
  return isLost ? 'it was lost: how it ended is not known' : null;
}

/** An ended attempt takes nothing and waits for nothing, whatever was recorded last. */
export function isLate(state: State, event: StoredEvent): boolean {
  if (event.type !== 'lock-acquired' && event.type !== 'lock-waiting') return false;
  return event.token !== undefined && !state.live.has(event.token) && !state.hands.has(event.token);
}

/** Time spent waiting for a lock counts against no limit. */
export function park(state: State, event: StoredEvent): void {
  if (event.type !== 'lock-waiting' && event.type !== 'lock-acquired' && event.type !== 'lock-wait-ended') return;
  const live = event.token === undefined ? undefined : state.live.get(event.token);
  if (!live) return;
  const waits = state.locks.table.waitsOf(event.owner).length > 0;
  if (waits && live.parkedSince === 0) live.parkedSince = event.at;
  if (!waits && live.parkedSince > 0) {
    live.parkedMs += event.at - live.parkedSince;
    live.parkedSince = 0;
  }
}

function currentOf(state: State, event: AttemptStarted | AttemptDoomed | AttemptEnded): LiveAttempt | undefined {
  const live = state.live.get(event.token);
  const isIt = live?.plan === event.plan && live.task === event.task && live.job.kind === 'attempt';
  return isIt ? live : undefined;
}
