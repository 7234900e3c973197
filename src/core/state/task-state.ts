// The recorded state of a task: how it begins, and how it changes when the task ends or may run again.
import type { Failure } from '../model/failure.ts';
import type { HeardRequest, Keyed } from '../model/hand-event.ts';
import type { Task } from '../model/plan.ts';
import type { TaskState } from './state.ts';

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
    wrote: null,
    work: null,
    incidents: null,
    unmerged: 0,
    silent: 0,
    conversation: null,
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
    failedAs: 0,
    treatAsDone: false,
    firstStartedAt: 0,
    deadlocks: 0,
    after: null,
    passed: 0,
    stopped: null,
    failedAt: 0,
    spent: 0,
    stuck: false,
    notes: null,
    hand: null,
    workedBy: null,
    requests: null,
    startedWith: null,
    by: task.ticked ? 'plan' : null,
    reason: null,
  };
}

export function end(task: TaskState, status: 'completed' | 'failed' | 'skipped' | 'suspended', at: number): void {
  task.status = status;
  task.ended = null;
  task.hand = null;
  task.endedAt = at;
  task.notBefore = 0;
  // Told at the end of the run: it was done by the text of before.
  if (status !== 'completed') task.startedWith = null;
}

export function failedBecause(task: TaskState, failure: Failure): void {
  task.failure = failure;
  task.failedAs = task.token;
}

export function reopen(task: TaskState): void {
  // It went well after that: whoever does it again is told of nothing that was mended.
  if (task.status === 'completed') Object.assign(task, { failure: null, failedAs: 0 });
  task.status = 'pending';
  task.ended = null;
  task.endedAt = 0;
  task.notBefore = 0;
  task.treatAsDone = false;
  task.hold = null;
  task.startedWith = null;
  task.silent = 0;
  // Who starts it again means it, also with a key of before.
  task.requests = null;
  said(task, null, undefined);
}

/** A few attempts by hand, with their start and their end. */
const mostRequests = 20;

export function rememberRequest(task: TaskState, call: HeardRequest['call'], { request, by }: KeyedEvent): void {
  if (request === undefined) return;
  const heard = { key: request, call, by: by!, attempt: task.hand?.attempt ?? null };
  task.requests = [...(task.requests ?? []), heard].slice(-mostRequests);
}

interface KeyedEvent extends Keyed {
  readonly by?: string;
}

export function said(task: TaskState, by: string | null, reason: string | undefined): void {
  task.by = by;
  task.reason = reason ?? null;
}

/** A closing task that was green or red: either is a result. */
export const hasProved = ({ status }: TaskState): boolean => status === 'completed' || status === 'failed';
