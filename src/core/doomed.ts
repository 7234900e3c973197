// The record that an attempt, or a check or review of one, is to be ended.
import type { Event } from './event.ts';
import type { Doom } from './failure.ts';
import type { LiveAttempt } from './state.ts';

export function doomed({ plan, run, task, attempt, token, job }: LiveAttempt, doom: Doom): Event {
  const about = { v: 1, plan, run, task, attempt, token } as const;
  return job.kind === 'attempt' ? { type: 'attempt-doomed', ...about, doom } : { type: 'job-doomed', ...about, doom };
}
