// When somebody was last heard of, anywhere in the workspace: every event says who caused it. Nothing extra is written for this, and it is
// looked up only when somebody seems silent.
import type { StoredEvent } from '../../core/model/event.ts';
import { afterSteps, type ClockStep } from '../../core/state/clock-state.ts';
import type { Store } from '../../store/store.ts';

const perRead = 1000;

/**
 * @param silent names, and when each was heard of as far as is known.
 * @param head the last event to be looked at.
 * @param steps of the clock, which events before them know nothing of.
 */
export async function lastHeard(
  store: Pick<Store, 'events'>,
  silent: ReadonlyMap<string, number>,
  head: number,
  steps: readonly ClockStep[] = [],
): Promise<Map<string, number>> {
  const heard = new Map(silent);
  const missing = new Set(silent.keys());
  const oldest = Math.min(...silent.values());
  // From the end of the log: events older than the last known sign say nothing new.
  for (let end = head; end > 0 && missing.size > 0; end -= perRead) {
    const after = Math.max(0, end - perRead);
    const events = await store.events({ after, limit: end - after });
    for (const event of events.toReversed()) {
      const at = afterSteps(steps, event.at);
      if (at <= oldest) return heard;
      const name = whoDid(event);
      if (name === undefined || !missing.delete(name)) continue;
      heard.set(name, Math.max(heard.get(name)!, at));
    }
  }
  return heard;
}

/** Whose command recorded it; undefined where nobody's did, or somebody else's. */
export function whoDid(event: StoredEvent): string | undefined {
  switch (event.type) {
    // Grants and losses of locks were caused by others.
    case 'lock-acquired':
      return event.ticket === undefined ? event.agent : undefined;
    case 'lock-released':
      return event.because === 'released' ? event.agent : event.by;
    case 'lock-refused':
      return event.ticket === undefined ? event.agent : undefined;
    case 'lock-wait-ended':
      return event.because === 'timeout' || event.because === 'given-up' ? event.agent : undefined;
    case 'lock-waiting':
    case 'lock-tried':
    case 'lock-renewed':
      return event.agent;
    // Looking for stuck tasks is no work on them.
    case 'task-failed':
      return event.stuck ? undefined : event.by;
    default:
      return 'by' in event && typeof event.by === 'string' ? event.by : undefined;
  }
}
