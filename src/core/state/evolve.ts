// Applies one event to the state, in place. Total and deterministic: no clock, no policy. An event about an unknown task, or about an
// attempt that is not the current one, stays in the log and changes nothing here (fencing).
import type {
  AttemptEnded,
  AttemptScheduled,
  Event,
  RetryScheduled,
  Stored,
  StoredEvent,
  TaskResumed,
  TaskRetried,
} from '../model/event.ts';
import { type Evidence, type Failure, worstFirst } from '../model/failure.ts';
import { isHandEvent } from '../model/hand-event.ts';
import type { TaskId } from '../model/ids.ts';
import { impossible } from '../model/impossible.ts';
import { isVerifyEvent } from '../model/verify-event.ts';
import { evolveAccounts } from './accounts.ts';
import { addAttempt, doomAttempt, isLate, park, rememberVictim, removeAttempt, startAttempt } from './attempts.ts';
import { change, judged } from './change-task.ts';
import { createClockState, knowBoot, stepClock } from './clock-state.ts';
import { conversationAfter } from './conversation.ts';
import { lookAtPlan } from './decision-book.ts';
import { resetPlan } from './earlier-rounds.ts';
import { evolveHand } from './evolve-hand.ts';
import { evolveVerification } from './evolve-verification.ts';
import { loadPlan } from './load-plan.ts';
import { createLockState, evolveLocks } from './lock-state.ts';
import { forgetBlame, rememberAttempt, rememberIdle } from './loop-memory.ts';
import { meet } from './questions/company.ts';
import { isByAgent } from './questions/isolated.ts';
import { chargeFor, forgetLimit } from './spending.ts';
import { startRun } from './start-run.ts';
import type { PlanState, State, TaskState } from './state.ts';
import { end, failedBecause, hasProved, rememberRequest, reopen, said } from './task-state.ts';

/** Of one attempt. */
const mostFound = 50;

export function createState(): State {
  return {
    seq: 0,
    at: 0,
    token: 0,
    decided: 0,
    plans: new Map(),
    live: new Map(),
    usage: new Map(),
    locks: createLockState(),
    clock: createClockState(),
    accounts: new Map(),
    salvage: new Map(),
    victims: new Map(),
    hands: new Set(),
    jobs: new Set(),
  };
}

export function evolve(state: State, event: StoredEvent): void {
  state.seq = event.seq;
  state.at = event.at;
  if (event.clock) knowBoot(state.clock, event.clock);
  if (event.type === 'clock-stepped') return stepClock(state, event);
  if (event.type === 'plan-loaded') return loadPlan(state, event);
  if (event.type === 'plan-reset') return resetPlan(state, event);
  evolveAccounts(state.accounts, event);
  if (!isLate(state, event)) {
    evolveLocks(state.locks, event);
    if (event.type === 'lock-acquired' && event.token === undefined) meet(state);
    park(state, event);
  }
  const plan = state.plans.get(event.plan);
  if (!plan) return;
  plan.changedAt = event.at;
  if (isVerifyEvent(event)) return evolveVerification(state, plan, event);
  if (isHandEvent(event)) return evolveHand(state, plan, event);
  if ('task' in event) forgetHand(state, plan, event);
  switch (event.type) {
    case 'plan-paused':
      plan.paused = { by: event.by, at: event.at, ...(event.reason === undefined ? {} : { reason: event.reason }) };
      return;
    case 'plan-resumed':
      plan.paused = null;
      countSetup(plan, 'done');
      return;
    case 'plan-edited': // for people; an edit that is taken is loaded by the next event
    case 'plan-stuck': // for people; the state derives it
    case 'run-handed-over': // the new run begins with the next event
    case 'quota-resumed': // the accounts belong to the workspace
      return;
    case 'quota-paused':
      if (plan.run?.stopsAtQuota) plan.run.limited = true;
      return change(plan, event, forgetLimit);
    case 'run-took-over':
      if (plan.run?.run === event.run) plan.run.tookOver = true;
      return;
    case 'run-started':
      return startRun(plan, event);
    case 'run-stopping':
      if (plan.run?.run === event.run) {
        plan.run.stopping = { mode: event.mode, by: event.by, exitCode: event.exitCode };
      }
      return;
    case 'run-ended':
      if (plan.run?.run === event.run) {
        const { outcome, exitCode, summary, at } = event;
        plan.run.ended = { outcome, exitCode, summary, at };
        plan.history = plan.history.map((known) =>
          known.run === event.run ? { ...known, endedAt: at, outcome } : known,
        );
        plan.selected = null;
        lookAtPlan(plan);
      }
      return;
    case 'attempt-scheduled':
      return schedule(state, plan, event);
    case 'attempt-started':
      countSetup(plan, 'done');
      return startAttempt(state, event);
    case 'attempt-doomed':
      // Counted when the victim is chosen, whatever a person does with the task meanwhile.
      if (doomAttempt(state, event) && event.doom.kind === 'deadlock') change(plan, event, (task) => task.deadlocks++);
      return;
    case 'attempt-ended':
      return endAttempt(state, plan, event);
    case 'retry-scheduled':
      return judged(plan, event, (task) => {
        if (event.because === 'failed' || event.because === 'rejected')
          plan.loops = rememberIdle(plan.loops, task.ended);
        if (event.because === 'setup') countSetup(plan, 'failed');
        scheduleRetry(task, event);
      });
    case 'backoff-ended':
      return change(plan, event, (task) => {
        task.notBefore = 0;
      });
    case 'task-completed':
      return judged(plan, event, (task) => {
        rememberRequest(task, 'mark-complete', event);
        end(task, 'completed', event.at);
        task.notes = event.notes ?? task.notes;
        plan.history = counted(plan.history, 'completed');
        said(task, null, undefined);
        Object.assign(task, { review: null, repeated: null, rejections: 0, unmerged: 0, silent: 0, escalated: false });
        plan.loops = { ...forgetBlame(plan.loops, event.task), idle: [] };
      });
    case 'task-failed':
      return judged(plan, event, (task) => {
        plan.loops = rememberIdle(plan.loops, task.ended);
        rememberRequest(task, 'mark-failed', event);
        end(task, 'failed', event.at);
        failedBecause(task, event.failure);
        task.stuck = event.stuck ?? false;
        plan.history = counted(plan.history, 'failed');
        countFailure(task, event.failure.kind, event.at);
      });
    case 'task-skipped':
      return change(plan, event, (task) => {
        end(task, 'skipped', workEnded(task) ?? event.at);
        task.treatAsDone = event.treatAsDone ?? false;
        said(task, event.by, event.reason);
        plan.loops = forgetBlame(plan.loops, event.task);
      });
    case 'task-suspended':
      return change(plan, event, (task) => {
        end(task, 'suspended', event.at);
        said(task, event.by, event.reason);
      });
    case 'task-resumed':
      change(plan, event, (task) => {
        reopen(task);
        if (event.note !== undefined) said(task, event.by, event.note);
      });
      return reopenClosers(plan, event);
    case 'work-saved': {
      const salvage = state.salvage.get(event.token);
      if (!salvage) return;
      salvage.saved = true;
      return change(plan, event, (task) => {
        if (task.token === event.token) task.stopped = { because: salvage.because, saved: event.saved };
      });
    }
    case 'files-put-back':
      state.salvage.delete(event.token);
      return;
    case 'write-found': {
      const live = state.live.get(event.token);
      if (live) live.found = worstFirst([...(live.found ?? []), ...event.files]).slice(0, mostFound);
      return;
    }
    case 'need-added':
      return change(plan, event, (task) => {
        task.after = { owner: event.owner, name: event.on, task: event.onTask ?? null, resource: event.resource };
      });
    case 'lock-acquired': // known to the lock table already
    case 'lock-waiting':
    case 'lock-wait-ended':
    case 'lock-released':
    case 'lock-renewed':
    case 'lock-refused':
    case 'lock-tried':
      return;
    case 'deadlock-detected':
      return rememberVictim(state, event);
    case 'deadlock-resolved':
      state.victims.delete(event.token);
      return;
    case 'task-retried':
      change(plan, event, (task) => retry(plan, task, event));
      return reopenClosers(plan, event);
    default:
      impossible(event);
  }
}

/** Any event about a task ends the work on it by hand. */
function forgetHand(state: State, plan: PlanState, event: StoredEvent & { readonly task?: TaskId }): void {
  if (state.hands.size === 0 || !handEnds.has(event.type) || event.task === undefined) return;
  const at = plan.index.get(event.task);
  const hand = at === undefined ? null : plan.tasks[at]!.hand;
  if (hand) state.hands.delete(hand.token);
}

const handEnds: ReadonlySet<string> = new Set<Event['type']>([
  'task-completed',
  'task-failed',
  'task-skipped',
  'task-suspended',
]);

function schedule(state: State, plan: PlanState, event: Stored<AttemptScheduled>): void {
  state.token = Math.max(state.token, event.token);
  const at = plan.index.get(event.task);
  if (at === undefined) return;
  const live = addAttempt(state, event, plan.plan.tasks[at]!, plan.ready.poolsOf(at));
  for (const pool of live.pools) state.usage.set(pool, (state.usage.get(pool) ?? 0) + 1);
  plan.live++;
  if (plan.run?.run === event.run) plan.run.attempts++;
  for (const passed of event.passes ?? []) {
    const other = plan.index.get(passed);
    if (other !== undefined) plan.tasks[other]!.passed++;
  }
  change(plan, event, (task) => {
    task.status = 'in_progress';
    task.ended = null;
    task.attempts++;
    task.token = event.token;
    task.live = live;
    task.workedBy = null;
    task.startedAt = event.at;
    if (task.firstStartedAt === 0) task.firstStartedAt = event.at;
    task.after = null;
    task.passed = 0;
    task.endedAt = 0;
    task.notBefore = 0;
    task.escalated = false;
    task.startedWith = null;
  });
}

function endAttempt(state: State, plan: PlanState, event: Stored<AttemptEnded>): void {
  const live = removeAttempt(state, event);
  if (!live) return;
  chargeFor(state, plan, live, event.evidence?.agent);
  for (const pool of live.pools) state.usage.set(pool, state.usage.get(pool)! - 1);
  plan.live--;
  change(plan, event, (task) => {
    task.live = null;
    if (event.evidence?.finding !== undefined) task.finding = event.evidence.finding;
    const before = task.stopped && { ...task.stopped, over: true as const };
    task.stopped = live.doom?.kind === 'deadlock' ? { because: live.doom.words, saved: null } : before;
    task.wrote = writtenIn(event.evidence);
    task.work = event.evidence?.work ?? task.work;
    task.incidents = event.evidence?.incidents ?? null;
    const { attempt, account } = live;
    const ended = { attempt, ...(account === undefined ? {} : { account }), report: event.evidence?.agent };
    task.conversation = conversationAfter(task.conversation, ended);
    // A task suspended or skipped meanwhile already has its status; nothing is left to judge.
    if (task.status !== 'in_progress') return;
    task.ended = {
      end: event.end,
      doom: live.doom,
      attempt: event.attempt,
      run: event.run,
      evidence: event.evidence ?? null,
      checks: 0,
      interrupted: 0,
      problem: null,
      since: event.seq,
      failure: null,
      verdict: null,
      asked: null,
      ...(isByAgent(live.job) ? { byAgent: true } : {}),
    };
  });
  plan.loops = rememberAttempt(plan.loops, event);
}

/** Of trees. An attempt that starts has a tree with a setup, and a person who resumes the plan says the next one will have, too. */
function countSetup({ run }: PlanState, what: 'done' | 'failed'): void {
  if (run) run.unprepared = what === 'failed' ? run.unprepared + 1 : 0;
}

function scheduleRetry(task: TaskState, event: Stored<RetryScheduled>): void {
  task.status = 'pending';
  task.ended = null;
  task.startedWith = null;
  task.notBefore = waitUntil(event);
  // The task itself was not tried.
  if (event.because === 'setup') return;
  // The next attempt must mend what the review found.
  if (event.because === 'rejected') task.failure = null;
  else if (event.failure) failedBecause(task, event.failure);
  const isUnmerged = event.because === 'conflict' || event.because === 'red';
  task.unmerged = isUnmerged ? task.unmerged + 1 : 0;
  task.silent = event.because === 'silent' ? task.silent + 1 : 0;
  const isFailure = event.because === 'failed' || event.because === 'lost';
  if (isFailure) countFailure(task, event.because, event.at);
}

/** For those that build on it. */
const mostWritten = 20;
function writtenIn(evidence: Evidence | undefined): readonly string[] | null {
  const found = new Set([...(evidence?.files ?? []).map(({ file }) => file), ...(evidence?.agent?.writes ?? [])]);
  return found.size === 0 ? null : [...found].slice(0, mostWritten);
}

/** When its last attempt ended, if it has one and that is over: a skip later on is no work. */
function workEnded({ status, startedAt, endedAt, failedAt }: TaskState): number | null {
  if (startedAt === 0) return null;
  if (status === 'failed' || status === 'suspended') return endedAt;
  return status === 'pending' && failedAt >= startedAt ? failedAt : null;
}

/** 0: at once. */
const waitUntil = ({ notBefore = 0, at }: { readonly notBefore?: number; readonly at: number }): number =>
  notBefore > at ? notBefore : 0;

/** For every open run: a run by hand may be open beside another. */
function counted(history: PlanState['history'], what: 'completed' | 'failed'): PlanState['history'] {
  if (history.every(({ endedAt }) => endedAt > 0)) return history;
  return history.map((run) => (run.endedAt === 0 ? { ...run, [what]: run[what] + 1 } : run));
}

/** The last of too many rejections was counted when it was said. */
function countFailure(task: TaskState, what: Failure['kind'] | 'failed', at: number): void {
  task.failedAt = at;
  if (what === 'lost') task.lost++;
  else if (what !== 'rejected') task.failures++;
}

/** One more attempt, with the agent and the note of the answer. */
function retry(plan: PlanState, task: TaskState, event: Stored<TaskRetried>): void {
  reopen(task);
  task.notBefore = waitUntil(event);
  if (!event.left) task.granted++;
  task.repeated = null;
  task.unmerged = 0;
  if (event.agent !== undefined) task.agent = event.agent;
  if (event.escalated) {
    task.escalated = true;
    task.escalations++;
  }
  said(task, event.by, event.note);
  plan.loops = { ...forgetBlame(plan.loops, event.task), idle: [] };
}

/** Its closing tasks must run again: their result was about a plan in which this task had ended. */
function reopenClosers(plan: PlanState, event: Stored<TaskRetried | TaskResumed>): void {
  const at = plan.index.get(event.task);
  for (const i of at === undefined ? [] : plan.closers.of(at)) {
    if (!hasProved(plan.tasks[i]!)) continue;
    change(plan, { task: plan.plan.tasks[i]!.id, seq: event.seq }, reopen);
  }
}
