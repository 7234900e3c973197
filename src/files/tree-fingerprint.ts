// A cheap fingerprint of everything in the workspace: names, sizes, times and inodes, no contents. If two are equal, nothing was
// changed in between. A tree that is too large to look at has none.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf, onDisk } from './disk-name.ts';
import { statsOf } from './file-state.ts';
import { isNeverKept } from './tree-path.ts';

/** Some 100 ms; a larger tree is not worth the wait before each attempt. */
const mostEntries = 20_000;

/** A commit changes nothing else. */
const gitFiles = ['.git/HEAD', '.git/logs/HEAD', '.git/packed-refs'];

/** Null: nobody knows. */
export async function treeFingerprint(root: string, most: number = mostEntries): Promise<string | null> {
  const hash = createHash('sha256');
  for (const file of gitFiles) hash.update(`${file}\0${stampAt(join(root, file))}\n`);
  const open = [''];
  let seen = 0;
  try {
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await readdir(onDisk(root, folder), { withFileTypes: true, encoding: 'buffer' });
      seen += entries.length;
      if (seen > most) return null;
      const names = entries.map(({ name }) => nameOf(name)).sort();
      const folders = new Set(entries.flatMap((entry) => (entry.isDirectory() ? nameOf(entry.name) : [])));
      for (const name of names) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (isNeverKept(path)) continue;
        // A lone surrogate would be hashed as any other.
        hash.update(JSON.stringify(path));
        // The times of a folder tell nothing new: they change with its entries, and also with entries that are left out here.
        if (folders.has(name)) open.push(path);
        else hash.update(`${stampAt(onDisk(root, path))}\n`);
      }
    }
  } catch {
    return null; // a folder that may not be read, or that went away just now
  }
  return hash.digest('base64');
}

function stampAt(file: string | Buffer): string {
  const stats = statsOf(file);
  return stats === null ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.mode}`;
}
