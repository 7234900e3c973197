// The changes of an attempt to the files it had locked.

import type { BigIntStats } from 'node:fs';
import type { Before, BeforeImage } from './before-image.ts';
import { onDisk } from './disk/disk-name.ts';
import { severalAtOnce } from './disk/several-at-once.ts';
import { type FileState, sameState, stampOf, stateOf, statsOf } from './file-state.ts';
import { walkWorkspace } from './walk-workspace.ts';

export interface Difference {
  readonly path: string;
  readonly was: 'changed' | 'new' | 'deleted';
  readonly before: Before;
  /** Null: it was there, but nothing of it was kept. */
  readonly stateBefore: FileState | null;
  readonly now: FileState;
}

export interface Differences {
  readonly files: readonly Difference[];
  /** Folders that were not there before, and that only this attempt could make. */
  readonly newFolders: readonly string[];
}

export async function findDifferences(root: string, image: BeforeImage): Promise<Differences> {
  const walk = await walkWorkspace(root, image.resources);
  const files: Difference[] = [];
  // A released file is not its own any more.
  const own = [...new Set([...image.paths, ...walk.files.keys()])].filter((path) => image.covers(path));
  await severalAtOnce(own, async (path) => {
    const found = await differenceAt(root, image, path, walk.files.get(path));
    if (found) files.push(found);
  });
  for (const [path, mode] of image.folderModes) {
    const now = walk.folders.get(path) ?? mode;
    const before = { kind: 'folder', mode } as const;
    if (now !== mode) files.push({ path, was: 'changed', before, stateBefore: before, now: { ...before, mode: now } });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const newFolders = [...walk.folders.keys()].filter(
    (folder) => image.covers(folder) && !image.hadFolder(folder, folder),
  );
  return { files, newFolders };
}

async function differenceAt(
  root: string,
  image: BeforeImage,
  path: string,
  seen: BigIntStats | undefined,
): Promise<Difference | null> {
  const before = image.before(path)!;
  if (before.kind === 'file' && seen && before.stamp === stampOf(seen)) return null;
  if (before.kind === 'unknown') {
    // Without a stamp nothing is known about it: it is left alone, unless it is a plain file of its own.
    const { notKept } = before;
    if (notKept.path !== path || notKept.why === 'special' || notKept.why === 'symlink' || notKept.why === 'name')
      return null;
    const stats = statsOf(onDisk(root, path));
    if (stats && (stats.isDirectory() || (notKept.stamp !== undefined && stampOf(stats) === notKept.stamp)))
      return null;
  }
  const now = await stateOf(root, path);
  // It could not be read before, and cannot be now: nothing can be told, and nothing be saved.
  if (now.kind === 'unreadable' && before.kind === 'unknown') return null;
  const stateBefore = await image.stateOf(before);
  const isGone = now.kind === 'absent' || now.kind === 'folder' || now.kind === 'behind-symlink';
  if (before.kind === 'absent') {
    return isGone ? null : { path, was: 'new', before, stateBefore, now };
  }
  if (stateBefore !== null && sameState(stateBefore, now)) return null;
  return { path, was: isGone ? 'deleted' : 'changed', before, stateBefore, now };
}
