// What is known of a folder before it is removed: its size, and who is at work in it. Symlinks are not followed.
import { readdirSync, readlinkSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** On the disk, in bytes. What cannot be read is not counted. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = Buffer.concat([Buffer.from(`${folder}/`), entry.name]);
    const stats = await lstat(path).catch(() => null);
    bytes += (stats?.blocks ?? 0) * 512;
    if (stats?.isDirectory()) bytes += await sizeOf(path.toString('utf8'));
  }
  return bytes;
}

/** A process that works in the folder; null: none does, or this system does not tell. */
export function processIn(folder: string): number | null {
  for (const pid of pids()) {
    try {
      const cwd = readlinkSync(join('/proc', pid, 'cwd'));
      if (cwd === folder || cwd.startsWith(`${folder}/`)) return Number(pid);
    } catch {
      // It has ended, or belongs to another user.
    }
  }
  return null;
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
