// The state without its plans, for those who only want a lock: what they ask is about attempts and locks, and must not take longer
// because a plan has many tasks. What cannot be answered without a plan says so, and is asked again with all of them.
import {
  addAttempt,
  addJob,
  doomAttempt,
  doomJob,
  isLate,
  park,
  rememberVictim,
  removeAttempt,
  removeJob,
  startAttempt,
  startJob,
} from './attempts.ts';
import type { StoredEvent } from './event.ts';
import { createState } from './evolve.ts';
import type { PlanPath } from './ids.ts';
import { evolveLocks } from './lock-state.ts';
import { PlanNeeded } from './plan-needed.ts';
import { restoreWorkspace, type WorkspaceSnapshot } from './snapshot.ts';
import type { PlanState, State } from './state.ts';

/** In the place of the plans: whatever is asked of them, somebody has to load them first. */
class UnknownPlans extends Map<PlanPath, PlanState> {
  override get(path: PlanPath): undefined {
    // Of those whom Signalbox did not start.
    if (path === '') return undefined;
    throw new PlanNeeded();
  }
  override has(): never {
    throw new PlanNeeded();
  }
  override keys(): never {
    throw new PlanNeeded();
  }
  override values(): never {
    throw new PlanNeeded();
  }
  override entries(): never {
    throw new PlanNeeded();
  }
  override forEach(): never {
    throw new PlanNeeded();
  }
  override get size(): never {
    throw new PlanNeeded();
  }
  override [Symbol.iterator](): never {
    throw new PlanNeeded();
  }
}

/** `snapshot`: null when everything is still to be folded. */
export function createLean(snapshot: WorkspaceSnapshot | null): State {
  return { ...(snapshot ? restoreWorkspace(snapshot) : createState()), plans: new UnknownPlans() };
}

/**
 * As `evolve` does, with two differences: which pools an attempt counts against only its plan knows, and so nobody counts them; and that a
 * task by hand has ended is noticed only of one with locks, which is all that matters for them.
 */
export function evolveLean(state: State, event: StoredEvent): void {
  state.seq = event.seq;
  state.at = event.at;
  if (!isLate(state, event)) {
    evolveLocks(state.locks, event);
    park(state, event);
  }
  switch (event.type) {
    case 'attempt-scheduled':
      state.token = Math.max(state.token, event.token);
      addAttempt(state, event, []);
      return;
    case 'attempt-started':
      return startAttempt(state, event);
    case 'attempt-doomed':
      doomAttempt(state, event);
      return;
    case 'attempt-ended':
      removeAttempt(state, event);
      return;
    case 'check-scheduled':
    case 'review-scheduled':
      state.token = Math.max(state.token, event.token);
      addJob(state, event);
      return;
    case 'job-started':
      return startJob(state, event);
    case 'job-doomed':
      return doomJob(state, event);
    case 'check-ended':
    case 'review-ended':
      if (event.token !== undefined) removeJob(state, { token: event.token, plan: event.plan, task: event.task });
      return;
    case 'decision-opened':
      state.decided = Math.max(state.decided, Number(event.decision.slice(1)));
      return;
    case 'task-started':
      state.token = Math.max(state.token, event.token);
      state.hands.add(event.token);
      return;
    case 'task-handed-in':
      state.hands.delete(event.token);
      return;
    case 'task-completed':
    case 'task-failed':
    case 'task-skipped':
    case 'task-suspended':
      for (const { plan, task, token } of state.locks.owners.values())
        if (task === event.task && plan === event.plan) state.hands.delete(token);
      return;
    case 'work-saved': {
      const salvage = state.salvage.get(event.token);
      if (salvage) salvage.saved = true;
      return;
    }
    case 'deadlock-detected':
      return rememberVictim(state, event);
    case 'deadlock-resolved':
      state.victims.delete(event.token);
      return;
    case 'files-put-back':
      state.salvage.delete(event.token);
      return;
    default: // the others change plans and tasks, or locks alone
      return;
  }
}
