// Time that this thread had for itself: the clock without the moments in which other programs had the processor. Tests that say
// "quickly" measure with it, so that a busy machine is not taken for slow code.
import { readFileSync } from 'node:fs';

/** Milliseconds; on systems that do not tell how long a thread waited for the processor, those of the clock. */
export function ownNow(): number {
  return performance.now() - waitedMs() - stolenMs();
}

function waitedMs(): number {
  try {
    // Nanoseconds that it ran, nanoseconds that it waited to run, and how often it ran.
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** On a rented machine others may have the processor itself, which no thread notices: in hundredths of a second, of all processors. */
function stolenMs(): number {
  try {
    return Number(readFileSync('/proc/stat', 'latin1').split('\n')[0]!.trim().split(/ +/)[8] ?? 0) * 10;
  } catch {
    return 0;
  }
}
