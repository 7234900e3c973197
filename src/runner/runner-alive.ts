// Whether the runner of a run still lives: judged by the living process where it can be seen. Where it cannot (another pid
// namespace, a boot before this one), by the time stamp of its journal, which it renews: one clock, that of the file system.
import { statSync, utimesSync } from 'node:fs';
import { uptime } from 'node:os';
import { journalFile } from '../agents/process/attempt-files.ts';
import { isAlive } from '../agents/process/process-identity.ts';
import type { RunId } from '../core/model/ids.ts';
import type { RunState } from '../core/state/state.ts';

const renewEveryMs = 5_000;
const leaseMs = 15_000;

export function runnerIsAlive(run: Pick<RunState, 'run' | 'runner' | 'ended'>, journalsFolder: string): boolean {
  if (run.ended) return false;
  const alive = isAlive(run.runner);
  if (alive !== 'unknown') return alive;
  return isLeased(run.run, journalsFolder);
}

/** Whether the runner of a run that cannot be seen from here was heard of lately. */
export function isLeased(run: RunId, journalsFolder: string): boolean {
  const renewedAt = statSync(journalFile(journalsFolder, run), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const bootedAt = Date.now() - uptime() * 1000;
  return renewedAt > bootedAt && Date.now() - renewedAt < leaseMs;
}

/** Renews the lease until it is told to stop; also what keeps the process alive while a run waits for others. */
export function keepLease(run: RunId, journalsFolder: string): () => void {
  const file = journalFile(journalsFolder, run);
  const timer = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch (error) {
      // No journal before the first attempt; whoever can see this process does not need it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }, renewEveryMs);
  return () => clearInterval(timer);
}
