// Waits for a busy database without blocking the event loop: SQLite itself never waits (busy_timeout 0), and between two tries
// timers and processes are served. Bounded; then the outage says how long it waited and for whom.
import { monotonicMs } from '../monotonic-time.ts';
import { Outage } from '../outage.ts';
import { codeOf } from './sqlite-outage.ts';

export interface BusyOptions {
  readonly file: string;
  readonly waitMs: number;
  /** Who holds the lock, as far as it can be told: `process 4128 (node)`. Asked once, when we give up. */
  readonly holder: () => string | null;
}

const firstDelayMs = 1;
/** A commit takes 0.2 to 10 ms; a waiter that slept much longer would be passed again and again by the others. */
const longestDelayMs = 25;

export async function retryBusy<T>(attempt: () => T, options: BusyOptions): Promise<T> {
  const start = monotonicMs();
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(longestDelayMs, delayMs * 1.5)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waitedMs = monotonicMs() - start;
      if (waitedMs >= options.waitMs) throw gaveUp(options, waitedMs, error);
      const jitteredMs = delayMs * (0.5 + Math.random());
      await sleep(Math.min(jitteredMs, options.waitMs - waitedMs));
    }
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
}

function gaveUp({ file, holder }: BusyOptions, waitedMs: number, cause: unknown): Outage {
  const who = holder() ?? 'another process';
  const waited = `${(waitedMs / 1000).toFixed(1)} s`;
  return new Outage(
    'busy',
    `The database ${file} is busy: waited ${waited}, and ${who} still holds its write lock. ` +
      'Nothing was written. Try again, or end that process if it hangs.',
    { cause },
  );
}
