// Kills processes with SIGKILL, with all that they have started: git has a session of its own, so no group has them all.
import { readdirSync, readFileSync } from 'node:fs';

/** Frozen first, so that nothing new is started meanwhile. */
export function killWithDescendants(...roots: number[]): void {
  const found = new Set<number>();
  for (let fresh = roots; fresh.length > 0; fresh = childrenOf(found).filter((pid) => !found.has(pid))) {
    for (const pid of fresh) {
      found.add(pid);
      signal(pid, 'SIGSTOP');
    }
  }
  for (const pid of found) signal(pid, 'SIGKILL');
}

function childrenOf(parents: ReadonlySet<number>): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'latin1'))?.[1];
      return parents.has(Number(parent)) ? [Number(name)] : [];
    } catch {
      return []; // it has ended
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
