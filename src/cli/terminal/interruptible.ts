// Work without an end of its own: an interrupt ends it and becomes the exit code.
import type { Io } from '../io.ts';

export const interruptible = (
  io: Io,
  endless: boolean,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<number> => lateInterruptible(io, endless, (signal) => work(signal()));

/** For work that seldom needs the signal: making one takes a millisecond. */
export async function lateInterruptible(
  io: Io,
  endless: boolean,
  work: (signal: () => AbortSignal) => Promise<void>,
): Promise<number> {
  let abort: AbortController | null = null;
  let exitCode = 0;
  const signal = () => {
    abort ??= new AbortController();
    if (exitCode !== 0) abort.abort();
    return abort.signal;
  };
  const end = (code: number) => () => {
    exitCode = code;
    abort?.abort();
  };
  // Work with an end of its own may simply die by the signal.
  const off = endless ? [io.onInterrupt(end(130)), io.onTerminate(end(143))] : [];
  try {
    await work(signal);
  } catch (error) {
    if (exitCode === 0) throw error;
  } finally {
    for (const unhook of off) unhook();
  }
  return exitCode;
}
