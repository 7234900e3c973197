// How the recorded state of a task changes when it ends, or may run again.
import type { TaskState } from './state.ts';

export function end(task: TaskState, status: 'completed' | 'failed' | 'skipped' | 'suspended', at: number): void {
  task.status = status;
  task.ended = null;
  task.hand = null;
  task.endedAt = at;
  task.notBefore = 0;
}

export function reopen(task: TaskState): void {
  task.status = 'pending';
  task.ended = null;
  task.endedAt = 0;
  task.notBefore = 0;
  task.treatAsDone = false;
  task.hold = null;
  said(task, null, undefined);
}

export function said(task: TaskState, by: string | null, reason: string | undefined): void {
  task.by = by;
  task.reason = reason ?? null;
}

/** A closing task that was green, or red: both say something about what it closes. */
export const hasProved = ({ status }: TaskState): boolean => status === 'completed' || status === 'failed';
