// What a process will do when it gets a signal, and with which signal it is asked to end.
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import { basename } from 'node:path';
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
  const bit = 1n << BigInt(os.constants.signals[name] - 1);
  const has = (mask: string): boolean => {
    const hex = new RegExp(`^${mask}:\\s*([0-9a-f]+)$`, 'm').exec(status)?.[1];
    return hex !== undefined && (BigInt(`0x${hex}`) & bit) !== 0n;
  };
  return has('SigCgt') ? 'caught' : has('SigIgn') ? 'ignored' : 'default';
}

export type Question = 'SIGTERM' | 'SIGVTALRM';

/**
 * SIGTERM, but for a shell that traps it: after a trap that returns, the script goes on with its next command, and from outside nothing
 * tells such a trap from one that exits. Scripts do not trap SIGVTALRM. It ends a shell for sure, and bash runs its EXIT trap first.
 */
export function questionFor(pid: number, source: ProcessSource): Question {
  return answersTo(pid, 'SIGTERM', source) === 'caught' && isShell(pid) ? 'SIGVTALRM' : 'SIGTERM';
}

const shells = /^(?:r?ba|da|a|hu|z|fi|k|mk|lk|pdk|ok|ya)?sh(?:$|[ \d.-])/;

function isShell(pid: number): boolean {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    if (program !== 'busybox') return shells.test(program);
    // Of the programs in this one file, its first argument tells which it is.
    return shells.test(basename(readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0', 1)[0]!).replace(/^-/, ''));
  } catch {
    return false; // it is gone
  }
}
