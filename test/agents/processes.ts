// Processes that belong to a folder: they work in it, or their environment names it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whoever their parent is. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return [];
      const isThere = readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      return isThere || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder) ? [pid] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

/** What they are, for a person to read. One that is about to end has given up its command line, and is none. */
export const named = (pids: readonly number[]): string[] =>
  pids.flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 120);
      return line === '' ? [] : line;
    } catch {
      return []; // it has ended meanwhile
    }
  });

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
