// The event that dooms an attempt, or a check or review of one: its processes must end.
import type { Event } from '../model/event.ts';
import type { Doom } from '../model/failure.ts';
import type { LiveAttempt } from '../state/state.ts';

export function doomEvent({ plan, run, task, attempt, token, job }: LiveAttempt, doom: Doom): Event {
  const about = { v: 1, plan, run, task, attempt, token } as const;
  return job.kind === 'attempt' ? { type: 'attempt-doomed', ...about, doom } : { type: 'job-doomed', ...about, doom };
}
