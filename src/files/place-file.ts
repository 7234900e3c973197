// Gives a place in the tree its content, so that whoever looks sees the old one or the new one and never a part. Folders on the way are
// made; a symlink on the way is never followed.
import { randomBytes } from 'node:crypto';
import { constants, mkdirSync, type PathLike } from 'node:fs';
import { chmod, copyFile, rename, symlink, unlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { bytesOf, onDisk, shownName } from './disk/disk-name.ts';
import { codeOf } from './disk/file-outage.ts';
import { syncFile, syncFolder } from './disk/private-files.ts';
import { severalAtOnce } from './disk/several-at-once.ts';
import { foldersAround } from './disk/tree-path.ts';
import { statsOf } from './file-state.ts';

export type Placed =
  | { readonly kind: 'file'; readonly from: string | Buffer; readonly mode: number }
  | { readonly kind: 'symlink'; readonly target: string };

/** Why a place cannot be written, as the end of a sentence that begins with the path. */
export type Hindrance = string;

/** @param staging a private folder on the same disk, if there is one: what a crash leaves behind is not in the tree then. */
export async function placeFile(
  root: string,
  path: string,
  placed: Placed,
  staging: string | null,
): Promise<Hindrance | null> {
  const hindrance = makeFoldersAround(root, path);
  if (hindrance !== null) return hindrance;
  const target = onDisk(root, path);
  if (statsOf(target)?.isDirectory()) return 'has a folder in its place, with something in it';
  const beside = onDisk(root, posix.join(posix.dirname(path), hiddenName()));
  try {
    await moveInto(placed, staging === null ? beside : join(staging, hiddenName()), target);
  } catch (error) {
    // The tree is on another disk than the state.
    if (staging === null || codeOf(error) !== 'EXDEV') throw error;
    await moveInto(placed, beside, target);
  }
  return null;
}

/** Makes what was placed durable, and what was deleted; once for all of them, because each of it waits for the disk. */
export async function syncPlaces(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  await severalAtOnce([...folders], async (folder) => {
    const place = onDisk(root, folder);
    if (statsOf(place)?.isDirectory()) await syncFolder(place);
  });
}

const hiddenName = () => `.signalbox-${randomBytes(8).toString('hex')}.new`;

async function moveInto(placed: Placed, fresh: PathLike, target: PathLike): Promise<void> {
  try {
    if (placed.kind === 'symlink') await symlink(bytesOf(placed.target), fresh);
    else {
      await copyFile(placed.from, fresh, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      await syncFile(fresh);
      // Last, because one without the right to read could not be opened again.
      await chmod(fresh, placed.mode);
    }
    await rename(fresh, target);
  } catch (error) {
    await removeFile(fresh);
    throw error;
  }
}

/** Also where nothing is. */
export async function removeFile(file: PathLike): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (!/^E(NOENT|NOTDIR)$/.test(codeOf(error))) throw error;
  }
}

export function makeFoldersAround(root: string, path: string): Hindrance | null {
  for (const folder of foldersAround(path)) {
    const stats = statsOf(onDisk(root, folder));
    if (stats?.isSymbolicLink()) return `is behind the symlink ${shownName(folder)}, which is not followed`;
    if (stats && !stats.isDirectory()) return `cannot be there while ${shownName(folder)} is no folder`;
    if (stats) continue;
    try {
      mkdirSync(onDisk(root, folder));
    } catch (error) {
      // Somebody else who does the same was faster; what it is now is seen with the next name.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  return null;
}
