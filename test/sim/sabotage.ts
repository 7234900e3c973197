// What planted bugs are made of.
import type { AttemptHost } from '../../src/agents/process/attempt-host.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Transaction } from '../../src/store/store.ts';
import type { Sabotage } from './world.ts';

/** Events are recorded otherwise than the rules say. */
export function recording(change: (event: Event) => Event): Sabotage {
  const transaction = (tx: Transaction): Transaction => ({
    get state() {
      return tx.state;
    },
    now: tx.now,
    recorded: tx.recorded,
    record: (event) => tx.record(change(event)),
  });
  return { transaction };
}

export function bound(host: AttemptHost): { -readonly [Key in keyof AttemptHost]: AttemptHost[Key] } {
  return {
    start: (order) => host.start(order),
    stop: (token, graceMs) => host.stop(token, graceMs),
    adopt: (attempts) => host.adopt(attempts),
    lastOutputAt: (token) => host.lastOutputAt(token),
    close: () => host.close(),
  };
}
