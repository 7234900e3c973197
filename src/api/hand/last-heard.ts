// When somebody was heard of last, by what they did anywhere in the workspace: everything that is recorded says who did it. Nothing has to
// be written for this when they do something, and it is looked for only when somebody seems to be silent.
import type { StoredEvent } from '../../core/event.ts';
import type { Store } from '../../store/store.ts';

const perRead = 1000;

/**
 * @param silent names, and when each was heard of as far as is known.
 * @param head the last event to be looked at.
 */
export async function lastHeard(
  store: Pick<Store, 'events'>,
  silent: ReadonlyMap<string, number>,
  head: number,
): Promise<Map<string, number>> {
  const heard = new Map(silent);
  const missing = new Set(silent.keys());
  const oldest = Math.min(...silent.values());
  // From its end: what is older than the last known sign says nothing new.
  for (let end = head; end > 0 && missing.size > 0; end -= perRead) {
    const after = Math.max(0, end - perRead);
    const events = await store.events({ after, limit: end - after });
    for (const event of events.toReversed()) {
      if (event.at <= oldest) return heard;
      const name = whoDid(event);
      if (name === undefined || !missing.delete(name)) continue;
      heard.set(name, Math.max(heard.get(name)!, event.at));
    }
  }
  return heard;
}

/** Whose command recorded it; undefined where nobody's did, or somebody else's. */
export function whoDid(event: StoredEvent): string | undefined {
  switch (event.type) {
    // What was granted or taken away came from others.
    case 'lock-acquired':
      return event.ticket === undefined ? event.agent : undefined;
    case 'lock-released':
      return event.because === 'released' ? event.agent : event.by;
    case 'lock-refused':
      return event.ticket === undefined ? event.agent : undefined;
    case 'lock-wait-ended':
      return event.because === 'timeout' || event.because === 'given-up' ? event.agent : undefined;
    case 'lock-waiting':
    case 'lock-renewed':
      return event.agent;
    // Whoever looks for stuck tasks has not worked on them.
    case 'task-failed':
      return event.stuck ? undefined : event.by;
    default:
      return 'by' in event && typeof event.by === 'string' ? event.by : undefined;
  }
}
