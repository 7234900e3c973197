// Work without an end of its own: an interrupt ends it and becomes the exit code.
import type { Io } from '../io.ts';

export const interruptible = (
  io: Io,
  endless: boolean,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<number> => lateInterruptible(io, endless, (signal) => work(signal()));

/** For work that seldom has no end of its own. Until it asks for the signal it may simply die by one: hooking all of them takes time. */
export async function lateInterruptible(
  io: Io,
  endless: boolean,
  work: (signal: () => AbortSignal) => Promise<void>,
): Promise<number> {
  let abort: AbortController | null = null;
  let off: (() => void)[] = [];
  let exitCode = 0;
  const end = (code: number) => () => {
    exitCode = code;
    abort!.abort();
  };
  const signal = () => {
    if (abort === null) {
      abort = new AbortController();
      if (endless) off = [io.onInterrupt(end(130)), io.onTerminate(end(143))];
    }
    return abort.signal;
  };
  try {
    await work(signal);
  } catch (error) {
    if (exitCode === 0) throw error;
  } finally {
    for (const unhook of off) unhook();
  }
  return exitCode;
}
