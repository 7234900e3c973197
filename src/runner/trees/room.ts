// Room on the disk of the trees. A disk that runs full stops agents and everything else in the middle of their work.
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { NoRoom } from '../machine.ts';

/** Below this no tree is made, and no attempt begins in one. */
const leastFree = 256_000_000;

/** @throws NoRoom */
export function demandRoom(trees: string, freeOn: (folder: string) => number = freeBytes): void {
  const left = freeOn(trees);
  if (left >= leastFree) return;
  const mega = Math.floor(left / 1_000_000);
  throw new NoRoom(
    `only ${mega} MB are left on the disk of the trees (${trees}): free some, or remove trees: signalbox clean`,
  );
}

/** On the disk of a folder that may not be there yet. */
function freeBytes(folder: string): number {
  for (let at = folder; ; at = dirname(at)) {
    if (!existsSync(at) && dirname(at) !== at) continue;
    const { bavail, bsize } = statfsSync(at);
    return bavail * bsize;
  }
}
