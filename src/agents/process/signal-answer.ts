// What a process will do when it gets a signal.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { ProcessSource } from './process-identity.ts';

/** `default`: it dies of it. That is also said of a process that cannot be looked at: where there is no /proc, of all. */
export type SignalAnswer = 'caught' | 'ignored' | 'default';

export function answersTo(pid: number, name: NodeJS.Signals, source: ProcessSource): SignalAnswer {
  if (source === 'ps') return 'default';
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return 'default'; // it is gone, or there are no file descriptors left
  }
  const bit = 1n << BigInt(constants.signals[name] - 1);
  const has = (mask: string): boolean => {
    const hex = new RegExp(`^${mask}:\\s*([0-9a-f]+)$`, 'm').exec(status)?.[1];
    return hex !== undefined && (BigInt(`0x${hex}`) & bit) !== 0n;
  };
  return has('SigCgt') ? 'caught' : has('SigIgn') ? 'ignored' : 'default';
}
