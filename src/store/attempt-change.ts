// What an event means for the `attempts` table, which mirrors the attempts that have not ended, so that a lock command knows
// them without loading a plan. Pure, so that every database changes its table by the same rule, in the event's transaction.
import type { AttemptScheduled, Event } from '../core/event.ts';
import { isHandEvent } from '../core/hand-event.ts';
import type { ProcessIdentity } from '../core/ids.ts';
import { impossible } from '../core/impossible.ts';
import { isLockEvent } from '../core/lock-event.ts';
import { isVerifyEvent } from '../core/verify-event.ts';

export interface AttemptRow extends Pick<AttemptScheduled, 'token' | 'plan' | 'task' | 'attempt' | 'run' | 'host'> {
  readonly state: 'scheduled' | 'running' | 'doomed';
  readonly supervisor: ProcessIdentity | null;
}

/** Changes of a token that has no row (an attempt that is not current) find nothing to change: that is fencing. */
export type AttemptChange =
  | { readonly kind: 'added'; readonly row: AttemptRow }
  /** Only a scheduled one becomes running; one that was doomed before it started stays doomed. */
  | { readonly kind: 'started'; readonly token: number; readonly supervisor: ProcessIdentity }
  | { readonly kind: 'doomed'; readonly token: number }
  | { readonly kind: 'removed'; readonly token: number };

export function attemptChange(event: Event): AttemptChange | null {
  // Checks and reviews ask for no locks.
  if (isLockEvent(event) || isVerifyEvent(event) || isHandEvent(event)) return null;
  switch (event.type) {
    case 'attempt-scheduled': {
      const { token, plan, task, attempt, run, host } = event;
      return { kind: 'added', row: { token, plan, task, attempt, run, host, state: 'scheduled', supervisor: null } };
    }
    case 'attempt-started':
      return { kind: 'started', token: event.token, supervisor: event.supervisor };
    case 'attempt-doomed':
      return { kind: 'doomed', token: event.token };
    case 'attempt-ended':
      return { kind: 'removed', token: event.token };
    case 'plan-loaded':
    case 'plan-paused':
    case 'plan-resumed':
    case 'plan-stuck':
    case 'run-started':
    case 'run-stopping':
    case 'run-handed-over':
    case 'run-took-over':
    case 'run-ended':
    case 'retry-scheduled':
    case 'backoff-ended':
    case 'task-completed':
    case 'task-failed':
    case 'task-skipped':
    case 'task-suspended':
    case 'task-resumed':
    case 'task-retried':
      return null;
    default:
      return impossible(event);
  }
}
