// Whether the runner of a run still lives: judged by the living process where it can be seen. Where it cannot (another pid namespace), by
// its lease: a file in which it writes the time again and again, by the monotonic clock of the boot, which both share. Who has no clock
// in common with it (another machine, a boot before this one) goes by the time stamp of that file.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { journalFile, leaseFile } from '../agents/process/attempt-files.ts';
import { isAlive } from '../agents/process/process-identity.ts';
import type { RunId } from '../core/model/ids.ts';
import type { RunState } from '../core/state/state.ts';
import type { SteadyTime } from '../store/store.ts';
import { storeClock } from './clock.ts';

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
  const file = leaseFile(journalsFolder, run);
  const renewed = readLease(file);
  const { boot, ms } = storeClock.steady!();
  if (renewed?.boot === boot) return ms - renewed.ms < leaseMs;
  // A runner of an older version renews the time stamp of its journal instead.
  const stats =
    statSync(file, { throwIfNoEntry: false }) ?? statSync(journalFile(journalsFolder, run), { throwIfNoEntry: false });
  const renewedAt = stats?.mtimeMs ?? 0;
  const bootedAt = Date.now() - uptime() * 1000;
  return renewedAt > bootedAt && Date.now() - renewedAt < leaseMs;
}

/** Renews the lease until it is told to stop; also what keeps the process alive while a run waits for others. */
export function keepLease(run: RunId, journalsFolder: string): () => void {
  const file = leaseFile(journalsFolder, run);
  const renew = () => {
    try {
      writeLease(file);
    } catch {
      // No folder before the first attempt, or a full disk: whoever can see this process does not need it.
    }
  };
  const timer = setInterval(renew, renewEveryMs);
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

/** Whole at every moment; nothing is lost with it when the machine fails. */
function writeLease(file: string): void {
  const { boot, ms } = storeClock.steady!();
  const draft = `${file}.new`;
  writeFileSync(draft, `${boot} ${ms}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function readLease(file: string): SteadyTime | null {
  try {
    const [boot, ms] = readFileSync(file, 'utf8').trim().split(' ');
    return boot && ms ? { boot, ms: Number(ms) } : null;
  } catch {
    return null; // there is none
  }
}
