// What time it is in the log. The wall clock alone cannot tell how long something took: it is set, and goes on while the machine sleeps.
import type { BootClock } from '../core/model/event.ts';
import type { State } from '../core/state/state.ts';
import type { SteadyTime } from './store.ts';

export interface LogTime {
  readonly now: number;
  /** What the wall clock is ahead of `now`, if it was set or the machine has slept; else 0. */
  readonly stepMs: number;
  /** The log does not know this boot yet. */
  readonly unknown: BootClock | null;
}

/** A wall clock that is corrected bit by bit is not followed: its times are for people only. */
const toleranceMs = 1_000;

/**
 * Of another boot nothing is left that runs, and no clock is common to both: between two boots the wall clock counts. A wall clock that
 * is behind the log is followed only when it has caught up with the last event, because the log's time never goes back.
 */
export function logTime({ at, clock }: State, wall: number, { boot, ms }: SteadyTime): LogTime {
  const offset = clock.offsets.get(boot);
  if (offset === undefined) {
    const now = Math.max(wall, at);
    return { now, stepMs: 0, unknown: { boot, offset: now - ms } };
  }
  const now = Math.max(ms + offset, at);
  const ahead = wall - now;
  const isStep = ahead > toleranceMs || (ahead < -toleranceMs && wall >= at);
  return { now, stepMs: isStep ? ahead : 0, unknown: null };
}
