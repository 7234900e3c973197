// The whole policy in one place: the events to record now. It is called again after its events were applied, until it has none to
// add. Each call returns the events of the first rule that has any, and costs no more than what changed.

import { planStuck } from '../explain/stuck.ts';
import { timeLimitOf } from '../model/defaults.ts';
import type { Event, PreferenceWarning } from '../model/event.ts';
import { attemptId, type HostId, type PlanPath, type RunId } from '../model/ids.ts';
import { nextAdmissible } from '../ready/capacity.ts';
import { badPreferences } from '../ready/preferences.ts';
import { attemptNumber } from '../state/earlier-rounds.ts';
import { ownerOf } from '../state/lock-state.ts';
import { startedTask } from '../state/questions/started-task.ts';
import { statusOf } from '../state/questions/status.ts';
import type { PlanState, State } from '../state/state.ts';
import { type Grant, grantFor } from './budget.ts';
import { doomEvent } from './doom-event.ts';
import { judgeEnd } from './judge-end.ts';
import { findLoop } from './livelock.ts';
import { breakDeadlock } from './locks/break-deadlock.ts';
import { closeDeadlock } from './locks/deadlock.ts';
import { acquire, moveLocks } from './locks/lock-rules.ts';
import { wantsIn } from './locks/plan-locks.ts';
import { isAdmitting, outcomeOf, summaryOf } from './outcome.ts';
import { askAboutPlan, askAboutPreferred, asksFirst, updateDecisions } from './plan-decisions.ts';
import { accountOf, reopenAccounts } from './quota.ts';
import { askForReview, scheduleJob } from './schedule-job.ts';
import { deadlineOf } from './timers.ts';

/** The caller: a runner admits work for itself only; a command (null) admits none. */
export interface Me {
  readonly host: HostId;
  readonly plan: PlanPath;
  readonly run: RunId;
  /**
   * Whether the runner watches this attempt and knows that it lives; absent: all. An unwatched attempt may have ended well and in
   * time, so it is not doomed before its end is known.
   */
  readonly attends?: (token: number) => boolean;
  /** Whether the run may end now; absent: yes. A runner compares the plan with its file first. */
  readonly mayEnd?: () => boolean;
}

/** @param watched plans whose runner is alive, and would stop their attempts; absent: not known, and they are left alone. */
export function decide(state: State, now: number, me: Me | null, watched?: ReadonlySet<PlanPath>): Event[] {
  const moved = moveLocks(state) ?? reopenAccounts(state, now);
  if (moved) return moved;
  for (const plan of state.plans.values()) {
    const events = judgeEnds(state, plan, now, me) ?? endBackoff(plan, now) ?? updateDecisions(state, plan, now);
    if (events) return events;
  }
  const over = closeDeadlock(state);
  if (over) return over;
  if (!me) return breakDeadlock(state, now, null, watched) ?? [];
  const late = doomLate(state, now, me);
  if (late) return late;
  const plan = state.plans.get(me.plan);
  if (!plan?.run || plan.run.run !== me.run || plan.run.ended) return breakDeadlock(state, now, null, watched) ?? [];
  return (
    doomStopped(state, plan, me) ??
    breakDeadlock(state, now, me, watched) ??
    findLoop(state, plan, now) ??
    admit(state, plan, me, now) ??
    (me.mayEnd?.() === false ? null : endRun(state, plan, now)) ??
    []
  );
}

function judgeEnds(state: State, plan: PlanState, now: number, me: Me | null): Event[] | null {
  for (const task of plan.unjudged) {
    // Its files are put back, and its locks have moved, before it may start again.
    if (state.salvage.has(plan.tasks[task]!.token)) continue;
    const events = judgeEnd(state, plan, task, now);
    if (events.length > 0) return events;
    const asked = askForReview(state, plan, task, now);
    if (asked) return asked;
  }
  return scheduleJob(state, plan, me);
}

function endBackoff(plan: PlanState, now: number): Event[] | null {
  const first = plan.backoff.first();
  if (first === -1 || plan.tasks[first]!.notBefore > now) return null;
  return [{ type: 'backoff-ended', v: 1, plan: plan.path, task: plan.plan.tasks[first]!.id }];
}

function doomLate(state: State, now: number, me: Me): Event[] | null {
  for (const live of state.live.values()) {
    const plan = state.plans.get(live.plan)!;
    if (deadlineOf(plan, live) > now || me.attends?.(live.token) === false) continue;
    const limitMs = timeLimitOf(startedTask(plan, plan.index.get(live.task)!), live.job);
    return [doomEvent(live, { kind: 'timeout', limitMs })];
  }
  return null;
}

/** A run that is being stopped ends its attempts; one that only drains lets them end. */
function doomStopped(state: State, plan: PlanState, me: Me): Event[] | null {
  const mode = plan.run!.stopping?.mode;
  if (mode === undefined || mode === 'drain') return null;
  for (const live of state.live.values()) {
    if (live.plan !== plan.path || live.doom || me.attends?.(live.token) === false) continue;
    return [doomEvent(live, { kind: 'stop' })];
  }
  return null;
}

function admit(state: State, plan: PlanState, me: Me, now: number): Event[] | null {
  if (!isAdmitting(plan)) return null;
  const found = nextAdmissible(state, plan, plan.run!.limits);
  if (found === null) return null;
  const { task: next, passes } = found;
  const task = plan.plan.tasks[next]!;
  const warnings = preferenceWarnings(plan, next);
  if (warnings.length > 0 && asksFirst(plan, next)) return askAboutPreferred(state, plan, next, warnings, now);
  const { agent, escalated } = plan.tasks[next]!;
  // The debugging agent of the settings may have been taken away since it was asked for.
  const debugging = escalated ? plan.run!.escalationAgent : null;
  const by = debugging ?? agent;
  const attempt = attemptId(task.id, attemptNumber(plan, next) + 1);
  const token = state.token + 1;
  const owner = ownerOf({ plan: plan.path, run: me.run, task: task.id, attempt, token });
  const wants = wantsIn(plan, next);
  const passed = state.locks.table.passesOf({ owner: owner.owner, wants });
  const account = accountOf(plan, next);
  // What no budget has room for is not admissible.
  const money = grantFor(state, plan, next, 'attempt') as Grant;
  return [
    {
      type: 'attempt-scheduled',
      v: 1,
      plan: plan.path,
      run: me.run,
      task: task.id,
      attempt,
      token,
      host: me.host,
      ...(passes.length > 0 ? { passes } : {}),
      ...(by === null ? {} : { agent: by }),
      ...(account === undefined ? {} : { account }),
      ...money,
      ...(debugging === null ? {} : { escalated: true }),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
    ...acquire(owner, wants, { passes: passed }),
  ];
}

/** Preferred tasks, own and of the groups around, that ended badly. */
export function preferenceWarnings(plan: PlanState, task: number): PreferenceWarning[] {
  return badPreferences(plan, task).map((i) => {
    return { task: plan.plan.tasks[i]!.id, status: statusOf(plan, i) as PreferenceWarning['status'] };
  });
}

/** Whether nothing is left but to end the run. */
export const isAtEnd = (state: State, plan: PlanState, now: number): boolean => endRun(state, plan, now) !== null;

function endRun(state: State, plan: PlanState, now: number): Event[] | null {
  // No other runner puts the files of its attempts back.
  for (const stopped of state.salvage.values()) if (stopped.plan === plan.path) return null;
  const verdict = outcomeOf(state, plan);
  if (!verdict) return null;
  const { run } = plan.run!;
  const ended: Event = { type: 'run-ended', v: 1, plan: plan.path, run, ...verdict, summary: summaryOf(plan) };
  return verdict.outcome === 'stuck' ? [planStuck(plan), ...askAboutPlan(state, plan, now), ended] : [ended];
}
