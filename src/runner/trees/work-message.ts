// The message of a commit that Signalbox makes for an attempt.
import type { Work } from '../attempts/work.ts';

/** With the trailers by which everybody finds out where a commit comes from. */
export function messageOf({ plan, task, live }: Pick<Work, 'plan' | 'task' | 'live'>, subject: string): string {
  const line = subject.replace(/\s+/g, ' ').trim().slice(0, 200);
  return `${line}\n\nSignalbox-Plan: ${plan.path}\nSignalbox-Task: ${task.id}\nSignalbox-Attempt: ${live.attempt}\n`;
}
