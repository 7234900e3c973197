// The log as a stream: what is there, then, if asked, what comes, until the reader goes away.
import type { StoredEvent } from '../../core/model/event.ts';
import { type PlanPath, planPath } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';
import { Bell } from '../run/bell.ts';
import { stayAlive } from '../run/stay-alive.ts';
import type { EventsOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { refuseUnknown, type Seen } from './state-view.ts';
import { type Asking, knownWords, planMeant, whichPlan } from './which-plan.ts';

const perRead = 1_000;

export interface EventsAsked {
  readonly workspace: Workspace;
  readonly asking: Asking;
  readonly plan: string | undefined;
}

/** Without a plan, only the events that belong to no plan are shown. */
export async function* eventsOf(
  seen: Seen,
  { workspace, asking, plan }: EventsAsked,
  options: EventsOptions,
  warn: (text: string) => void,
): AsyncGenerator<StoredEvent> {
  const found = await planMeant(workspace, asking, plan, async () => seen);
  const { store, broken } = seen;
  if (broken) refuseUnknown(broken, 'what happened');
  if (!store) {
    const path = typeof found === 'string' ? found : await whichPlan(workspace, asking, plan, async () => seen);
    throw new Refusal(2, `${path} has never been run here`, { instead: 'run it: signalbox run' });
  }
  if (typeof found !== 'string' && found.length > 0) warn(`${knownWords(found)}; name one to see what happened to it`);
  yield* eventStream(store, typeof found === 'string' ? found : planPath(''), options);
}

/** Events of one plan, and those of none: agents that Signalbox did not start lock the same files. */
async function* eventStream(store: Store, plan: PlanPath, options: EventsOptions): AsyncGenerator<StoredEvent> {
  let after = options.after ?? 0;
  const bell = new Bell();
  const unwatch = options.follow ? store.watch(() => bell.ring()) : () => undefined;
  const leave = options.follow ? stayAlive() : () => undefined;
  const onAbort = () => bell.ring();
  options.signal?.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const rung = bell.next();
      const events = await store.events({ after, plan, withWorkspace: true, limit: perRead });
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
