// Where processes work, as /proc tells it. On systems without /proc nothing is known, and so nothing is said.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainLine } from '../sanitize-terminal.ts';
import { cutLine } from '../stream/call-line.ts';
import { parseStat } from './process-identity.ts';
import { markerIn } from './process-table.ts';

/** 64 processes take about half a millisecond: a machine with thousands does not hold up the loop. */
const slice = 64;

/** Those that work in the folder or below it. @param folder by its real name */
export async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const [index, pid] of pids().entries()) {
    if (index % slice === slice - 1) await nextTurn();
    const at = workingFolder(pid);
    if (at === folder || at?.startsWith(`${folder}/`)) found.push(pid);
  }
  return found;
}

/** Null: it has ended, belongs to another user, or there is no /proc. */
export const workingFolder = (pid: number): string | null => look(() => readlinkSync(`/proc/${pid}/cwd`));

/** What was started, on one short line; null: as above. */
export function commandOf(pid: number): string | null {
  const bytes = look(() => readFileSync(`/proc/${pid}/cmdline`));
  const words = bytes?.subarray(0, mostBytes).toString('utf8').split('\0').join(' ').trim() ?? '';
  return words === '' ? null : cutLine(plainLine(words), mostShown);
}

export const environmentOf = (pid: number): Buffer | null => look(() => readFileSync(`/proc/${pid}/environ`));

/** Whether it, or a process that it descends from, was started with the marker. A child may have cleared its environment. */
export function descendsFrom(pid: number, marker: string): boolean {
  for (let at = pid, steps = 0; at > 1 && steps < mostSteps; steps++) {
    const environment = environmentOf(at);
    if (environment !== null && markerIn(environment) === marker) return true;
    const stat = look(() => readFileSync(`/proc/${at}/stat`, 'latin1'));
    at = (stat === null ? null : parseStat(stat)?.ppid) ?? 0;
  }
  return false;
}

const mostBytes = 1_000;
const mostShown = 80;
/** Nobody nests deeper, and pids that were given away can make a circle. */
const mostSteps = 50;

const pids = (): number[] => (look(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name)).map(Number);

function look<T>(at: () => T): T | null {
  try {
    return at();
  } catch {
    return null;
  }
}
