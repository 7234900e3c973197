// The size of a folder. Symlinks are not followed.
import { lstat, readdir } from 'node:fs/promises';

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
