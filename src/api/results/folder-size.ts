// The size of a folder with everything in it. Symlinks are not followed.
import { lstat, readdir } from 'node:fs/promises';

/** On the disk, in bytes. What cannot be read is not counted. */
export async function sizeOf(path: string | Buffer): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  let bytes = (stats?.blocks ?? 0) * 512;
  if (!stats?.isDirectory()) return bytes;
  const names = await readdir(path, { encoding: 'buffer' }).catch(() => []);
  for (const name of names) bytes += await sizeOf(Buffer.concat([Buffer.from(path), Buffer.from('/'), name]));
  return bytes;
}
