// A cheap stamp of each file in the workspace: size, times and inode, no contents. If two are equal, nothing was changed in between. A
// tree that is too large to look at has none.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf, onDisk } from './disk/disk-name.ts';
import { isNeverKept } from './disk/tree-path.ts';
import { statsOf } from './file-state.ts';

/** By path. */
export type TreeStamps = ReadonlyMap<string, string>;

/** Some 100 ms; a larger tree is not worth the wait before each attempt. */
const mostEntries = 20_000;

/** A commit changes nothing else. */
const gitFiles = ['.git/HEAD', '.git/logs/HEAD', '.git/packed-refs'];

/** Null: nobody knows. */
export async function treeStamps(root: string, most: number = mostEntries): Promise<TreeStamps | null> {
  const stamps = new Map(gitFiles.map((file) => [file, stampAt(join(root, file))]));
  const open = [''];
  let seen = 0;
  try {
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await readdir(onDisk(root, folder), { withFileTypes: true, encoding: 'buffer' });
      seen += entries.length;
      if (seen > most) return null;
      for (const entry of entries) {
        const name = nameOf(entry.name);
        const path = folder === '' ? name : `${folder}/${name}`;
        if (isNeverKept(path)) continue;
        // The times of a folder tell nothing new: they change with its entries, and also with entries that are left out here.
        if (entry.isDirectory()) open.push(path);
        stamps.set(path, entry.isDirectory() ? 'folder' : stampAt(onDisk(root, path)));
      }
    }
  } catch {
    return null; // a folder that may not be read, or that went away just now
  }
  return stamps;
}

/** Paths that came, went or changed. */
export const differing = (before: TreeStamps, after: TreeStamps): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));

function stampAt(file: string | Buffer): string {
  const stats = statsOf(file);
  return stats === null ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.mode}`;
}
