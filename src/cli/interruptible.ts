// Something that may go on for ever, until the person has seen enough: an interrupt ends it and becomes the exit code.
import type { Io } from './io.ts';

export async function interruptible(
  io: Io,
  endless: boolean,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const abort = new AbortController();
  let exitCode = 0;
  const end = (code: number) => () => {
    exitCode = code;
    abort.abort();
  };
  // What ends by itself is left to the usual death by signal, which is quicker.
  const off = endless ? [io.onInterrupt(end(130)), io.onTerminate(end(143))] : [];
  try {
    await work(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  } finally {
    for (const unhook of off) unhook();
  }
  return exitCode;
}
