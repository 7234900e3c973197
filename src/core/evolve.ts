// Applies one event to the state, in place. Total and deterministic: no clock, no policy, and an event about something that
// is not there, or about an attempt that is not the current one, is kept in the log and changes nothing here (fencing).

import { addAttempt, doomAttempt, isLate, park, rememberVictim, removeAttempt, startAttempt } from './attempts.ts';
import { defaultDeadlock } from './defaults.ts';
import type {
  AttemptEnded,
  AttemptScheduled,
  PlanLoaded,
  RetryScheduled,
  RunStarted,
  Stored,
  StoredEvent,
  TaskCompleted,
  TaskFailed,
} from './event.ts';
import type { TaskId } from './ids.ts';
import { impossible } from './impossible.ts';
import { createLockState, evolveLocks } from './lock-state.ts';
import { createTaskState, ownTask } from './own-task.ts';
import { createPlanState } from './plan-state.ts';
import { refresh } from './refresh.ts';
import { selectLeaves } from './selection.ts';
import type { PlanState, State, TaskState } from './state.ts';

export function createState(): State {
  return {
    seq: 0,
    at: 0,
    token: 0,
    plans: new Map(),
    live: new Map(),
    usage: new Map(),
    locks: createLockState(),
    salvage: new Map(),
    victims: new Map(),
  };
}

export function evolve(state: State, event: StoredEvent): void {
  state.seq = event.seq;
  state.at = event.at;
  if (event.type === 'plan-loaded') return loadPlan(state, event);
  if (!isLate(state, event)) {
    evolveLocks(state.locks, event);
    park(state, event);
  }
  const plan = state.plans.get(event.plan);
  if (!plan) return;
  plan.changedAt = event.at;
  switch (event.type) {
    case 'plan-paused':
      plan.paused = { by: event.by, at: event.at, ...(event.reason === undefined ? {} : { reason: event.reason }) };
      return;
    case 'plan-resumed':
      plan.paused = null;
      return;
    case 'plan-stuck': // told to people; that nothing can go on is derived
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
        plan.selected = null;
      }
      return;
    case 'attempt-scheduled':
      return schedule(state, plan, event);
    case 'attempt-started':
      return startAttempt(state, event);
    case 'attempt-doomed':
      // Counted when it is chosen: whatever a person does with the task meanwhile, it was.
      if (doomAttempt(state, event) && event.doom.kind === 'deadlock') change(plan, event, (task) => task.deadlocks++);
      return;
    case 'attempt-ended':
      return endAttempt(state, plan, event);
    case 'retry-scheduled':
      return judged(plan, event, (task) => scheduleRetry(task, event));
    case 'backoff-ended':
      return change(plan, event, (task) => {
        task.notBefore = 0;
      });
    case 'task-completed':
      return judged(plan, event, (task) => {
        end(task, 'completed', event.at);
        said(task, null, undefined);
      });
    case 'task-failed':
      return judged(plan, event, (task) => {
        end(task, 'failed', event.at);
        task.failure = event.failure;
        countFailure(task, event.failure.kind === 'lost');
      });
    case 'task-skipped':
      return change(plan, event, (task) => {
        end(task, 'skipped', event.at);
        task.treatAsDone = event.treatAsDone ?? false;
        said(task, event.by, event.reason);
      });
    case 'task-suspended':
      return change(plan, event, (task) => {
        end(task, 'suspended', event.at);
        said(task, event.by, event.reason);
      });
    case 'task-resumed':
      return change(plan, event, (task) => reopen(task));
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
      return;
    case 'deadlock-detected':
      return rememberVictim(state, event);
    case 'deadlock-resolved':
      state.victims.delete(event.token);
      return;
    case 'task-retried':
      return change(plan, event, (task) => {
        reopen(task);
        task.granted++;
        said(task, event.by, event.note);
      });
    default:
      impossible(event);
  }
}

/** Ended and running tasks keep their history over a new revision; a box ticked since then counts for one that waits. */
function loadPlan(state: State, event: Stored<PlanLoaded>): void {
  const plan = event.definition;
  const known = state.plans.get(event.plan);
  const tasks = plan.tasks.map((task) => {
    const at = known?.index.get(task.id);
    if (at === undefined) return createTaskState(task, event.at);
    const old = ownTask(known!, at);
    // One that was ticked before and is pending again was retried by a person: an edit elsewhere must not undo that.
    const isTickedSince = task.ticked !== undefined && task.ticked !== known!.plan.tasks[at]!.ticked;
    if (isTickedSince && old.status === 'pending' && old.live === null) {
      end(old, task.ticked!, event.at);
      said(old, 'plan', undefined);
    }
    return old;
  });
  const record = {
    plan,
    tasks,
    revision: event.revision,
    definedAt: event.seq,
    paused: known?.paused ?? null,
    run: known?.run ?? null,
    runs: known?.runs ?? 0,
    loadedAt: known?.loadedAt ?? event.at,
    changedAt: event.at,
  };
  state.plans.set(event.plan, createPlanState(record, event.seq));
}

function startRun(plan: PlanState, event: Stored<RunStarted>): void {
  const { run, runner, limits, selection = null, deadlock = defaultDeadlock, at } = event;
  plan.run = { run, runner, limits, selection, deadlock, startedAt: at, attempts: 0, stopping: null, ended: null };
  plan.selected = selection && selectLeaves(plan, selection);
  plan.runs++;
}

function schedule(state: State, plan: PlanState, event: Stored<AttemptScheduled>): void {
  state.token = Math.max(state.token, event.token);
  const at = plan.index.get(event.task);
  if (at === undefined) return;
  const live = addAttempt(state, event, plan.ready.poolsOf(at));
  for (const pool of live.pools) state.usage.set(pool, (state.usage.get(pool) ?? 0) + 1);
  plan.live++;
  if (plan.run?.run === event.run) plan.run.attempts++;
  for (const passed of event.passes ?? []) {
    const other = plan.index.get(passed);
    if (other !== undefined) ownTask(plan, other).passed++;
  }
  change(plan, event, (task) => {
    task.status = 'in_progress';
    task.ended = null;
    task.attempts++;
    task.token = event.token;
    task.live = live;
    task.startedAt = event.at;
    if (task.firstStartedAt === 0) task.firstStartedAt = event.at;
    task.after = null;
    task.passed = 0;
    task.endedAt = 0;
    task.notBefore = 0;
  });
}

function endAttempt(state: State, plan: PlanState, event: Stored<AttemptEnded>): void {
  const live = removeAttempt(state, event);
  if (!live) return;
  for (const pool of live.pools) state.usage.set(pool, state.usage.get(pool)! - 1);
  plan.live--;
  change(plan, event, (task) => {
    task.live = null;
    task.stopped = live.doom?.kind === 'deadlock' ? { because: live.doom.words, saved: null } : null;
    // A task that was suspended or skipped meanwhile has its status already; nothing is left to judge.
    if (task.status !== 'in_progress') return;
    task.ended = { end: event.end, doom: live.doom, attempt: event.attempt, run: event.run };
  });
}

function scheduleRetry(task: TaskState, event: Stored<RetryScheduled>): void {
  task.status = 'pending';
  task.ended = null;
  task.failure = event.failure ?? task.failure;
  task.notBefore = event.notBefore > event.at ? event.notBefore : 0;
  if (event.because !== 'deadlock' && event.because !== 'stopped') countFailure(task, event.because === 'lost');
}

function countFailure(task: TaskState, lost: boolean): void {
  if (lost) task.lost++;
  else task.failures++;
}

function end(task: TaskState, status: 'completed' | 'failed' | 'skipped' | 'suspended', at: number): void {
  task.status = status;
  task.ended = null;
  task.endedAt = at;
  task.notBefore = 0;
}

function reopen(task: TaskState): void {
  task.status = 'pending';
  task.ended = null;
  task.endedAt = 0;
  task.notBefore = 0;
  task.treatAsDone = false;
  said(task, null, undefined);
}

function said(task: TaskState, by: string | null, reason: string | undefined): void {
  task.by = by;
  task.reason = reason ?? null;
}

/** A judgement on an attempt holds only while that attempt is the one to be judged. */
function judged(
  plan: PlanState,
  event: Stored<TaskCompleted | TaskFailed | RetryScheduled>,
  apply: (task: TaskState) => void,
): void {
  change(plan, event, (task) => {
    if (event.attempt === undefined || event.attempt === task.ended?.attempt) apply(task);
  });
}

/** Every change of a task goes through here, so that what is derived from it never lags behind. */
function change(
  plan: PlanState,
  event: { readonly task: TaskId; readonly seq: number },
  apply: (task: TaskState) => void,
): void {
  const i = plan.index.get(event.task);
  if (i === undefined) return;
  plan.ready.remove(i);
  plan.backoff.remove(i);
  const task = ownTask(plan, i);
  apply(task);
  if (task.ended) plan.unjudged.add(i);
  else plan.unjudged.delete(i);
  if (task.after) plan.heldBack.add(i);
  else plan.heldBack.delete(i);
  refresh(plan, i, event.seq);
}
