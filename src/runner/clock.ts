// Time for the loop: injected, so that the simulator can bring its own.
import { thisBoot } from '../agents/process/process-identity.ts';
import { monotonicMs } from '../store/monotonic-time.ts';
import type { StoreClock } from '../store/store.ts';

export interface Clock {
  /** Milliseconds since 1970; never goes backwards within a process. */
  now(): number;
  /** Calls back once, at the time or soon after it; returns how to call it off. */
  at(time: number, callback: () => void): () => void;
  /** Calls back after everything that is already waiting to happen: lets one turn take all of it. */
  soon(callback: () => void): void;
}

/** The clocks of this machine, for the store: times for people by the wall clock, how long something took by the monotonic one. */
export const storeClock: StoreClock = {
  now: () => Date.now(),
  steady: () => ({ boot: thisBoot(), ms: Math.round(monotonicMs()) }),
};

const longestTimerMs = 2 ** 31 - 1;

/** The machine's time, advanced by the monotonic clock: a jump of the wall clock moves nothing that is already going on. */
export class SystemClock implements Clock {
  private readonly start = Date.now() - monotonicMs();

  now(): number {
    return Math.round(this.start + monotonicMs());
  }

  at(time: number, callback: () => void): () => void {
    const delay = Math.min(Math.max(time - this.now(), 0), longestTimerMs);
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }
}
