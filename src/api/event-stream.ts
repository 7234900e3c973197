// The log as a stream: what is there, then, if asked, what comes, until the reader goes away.
import type { StoredEvent } from '../core/event.ts';
import type { PlanPath } from '../core/ids.ts';
import type { Store } from '../store/store.ts';
import { Bell } from './bell.ts';
import type { EventsOptions } from './signalbox.ts';
import { stayAlive } from './stay-alive.ts';

const perRead = 1_000;

export async function* eventStream(store: Store, plan: PlanPath, options: EventsOptions): AsyncGenerator<StoredEvent> {
  let after = options.after ?? 0;
  const bell = new Bell();
  const unwatch = options.follow ? store.watch(() => bell.ring()) : () => undefined;
  const leave = options.follow ? stayAlive() : () => undefined;
  const onAbort = () => bell.ring();
  options.signal?.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const rung = bell.next();
      const events = await store.events({ after, plan, limit: perRead });
      yield* events;
      after = events.at(-1)?.seq ?? after;
      if (options.signal?.aborted) return;
      if (events.length === perRead) continue;
      if (!options.follow) return;
      await rung;
      if (options.signal?.aborted) return;
    }
  } finally {
    unwatch();
    leave();
    options.signal?.removeEventListener('abort', onAbort);
  }
}
