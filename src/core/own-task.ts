// The state of tasks that have no history yet: shared as long as nobody changes it.
import type { Task } from './plan.ts';
import type { PlanState, TaskState } from './state.ts';

/** A task that has no history: as its box in the plan says. */
export function createTaskState(task: Pick<Task, 'ticked'>, at: number): TaskState {
  return {
    status: task.ticked ?? 'pending',
    attempts: 0,
    token: 0,
    failures: 0,
    lost: 0,
    rejections: 0,
    review: null,
    repeated: null,
    agent: null,
    escalated: false,
    escalations: 0,
    finding: null,
    hold: null,
    goesOn: false,
    granted: 0,
    live: null,
    ended: null,
    notBefore: 0,
    age: 0,
    startedAt: 0,
    endedAt: task.ticked ? at : 0,
    failure: null,
    treatAsDone: false,
    firstStartedAt: 0,
    deadlocks: 0,
    after: null,
    passed: 0,
    stopped: null,
    failedAt: 0,
    stuck: false,
    notes: null,
    hand: null,
    by: task.ticked ? 'plan' : null,
    reason: null,
  };
}

/**
 * Tasks without history have the same state, and a plan that is only looked at need not have it once for each of them. Frozen, so
 * that nobody changes all of them by mistake: who changes one asks for `ownTask`.
 */
export const untouched: TaskState = Object.freeze(createTaskState({}, 0));

/** The state of a task that is about to be changed. */
export function ownTask(plan: Pick<PlanState, 'tasks'>, task: number): TaskState {
  const state = plan.tasks[task]!;
  if (!Object.isFrozen(state)) return state;
  const own = { ...state };
  plan.tasks[task] = own;
  return own;
}
