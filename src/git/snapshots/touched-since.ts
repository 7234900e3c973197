// Which of the files that are not compared were written since a moment: by the time of their last change of state, which the system
// sets and no program can. Nothing has to be kept of them before.
import { type BigIntStats, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

export interface Touched {
  /** Folders end with a slash: something was removed from them, or much in them was written. */
  readonly paths: readonly Buffer[];
  /** False: there was more than can be looked at, or something that may not be read. */
  readonly isWhole: boolean;
}

/** Some 200 ms. */
const mostEntries = 50_000;
/** Of more than this, the folder alone is named. */
const mostInFolder = 10;

/**
 * @param entries from the root; folders end with a slash and count with all that is in them
 * @param began in nanoseconds, as the file system tells it
 */
export async function touchedSince(
  root: string,
  entries: readonly Buffer[],
  began: bigint,
  most = mostEntries,
): Promise<Touched> {
  const paths: Buffer[] = [];
  const look = { root: Buffer.from(`${root}/`), began, left: most, isWhole: true };
  for (const entry of entries) {
    if (entry.at(-1) !== slash) {
      if (isTouched(look, entry)) paths.push(entry);
      continue;
    }
    const inside = await touchedIn(look, entry);
    paths.push(...(inside.length > mostInFolder ? [entry] : inside));
  }
  return { paths, isWhole: look.isWhole };
}

interface Look {
  readonly root: Buffer;
  readonly began: bigint;
  left: number;
  isWhole: boolean;
}

const slash = 0x2f;

/** The nearer ones first: they are the ones that a person would miss. */
async function touchedIn(look: Look, top: Buffer): Promise<Buffer[]> {
  const touched: Buffer[] = [];
  const open = [top];
  for (const folder of open) {
    const entries = await readdir(Buffer.concat([look.root, folder]), {
      withFileTypes: true,
      encoding: 'buffer',
    }).catch(() => null);
    if (entries === null || entries.length > look.left) {
      look.isWhole = false;
      continue;
    }
    look.left -= entries.length;
    const before = touched.length;
    for (const entry of entries) {
      const path = Buffer.concat([folder, entry.name]);
      if (entry.isDirectory()) open.push(Buffer.concat([path, Buffer.of(slash)]));
      else if (isTouched(look, path)) touched.push(path);
    }
    if (touched.length === before && isTouched(look, folder)) touched.push(folder);
  }
  return touched;
}

function isTouched(look: Look, path: Buffer): boolean {
  let stats: BigIntStats;
  try {
    stats = lstatSync(Buffer.concat([look.root, path]), { bigint: true });
  } catch {
    return false; // it went away just now, or may not be looked at
  }
  return stats.ctimeNs > look.began;
}
