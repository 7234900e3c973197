// A second look before a finding is reported: a command that has just recorded something writes its files a moment later.
import { setTimeout as pause } from 'node:timers/promises';

const looks = 3;
const betweenMs = 100;

/** What the last look found; the first that finds nothing is the last. */
export async function stillWrong<T>(look: () => Promise<readonly T[]> | readonly T[]): Promise<readonly T[]> {
  for (let n = 1; ; n++) {
    const found = await look();
    if (found.length === 0 || n === looks) return found;
    await pause(betweenMs);
  }
}
