// What is at a path of the workspace now, without ever following a symlink.
import { createHash } from 'node:crypto';
import { type BigIntStats, constants, createReadStream, lstatSync, type PathLike, readlinkSync } from 'node:fs';
import { copyFile, lstat, readFile, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { nameOf, onDisk } from './disk/disk-name.ts';
import { codeOf } from './disk/file-outage.ts';
import { foldersAround } from './disk/tree-path.ts';

export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder'; readonly mode: number }
  /** A FIFO, a socket or a device. Without a mode: an older version did not look at it. */
  | { readonly kind: 'special'; readonly mode?: number }
  | { readonly kind: 'file'; readonly mode: number; readonly size: number; readonly sha256: string }
  | { readonly kind: 'symlink'; readonly target: string }
  /** This user may not read it; so it is never known to be the same. */
  | { readonly kind: 'unreadable'; readonly mode: number }
  /** A folder around it is a symlink: what is there may be anywhere. */
  | { readonly kind: 'behind-symlink'; readonly symlink: string };

export async function stateOf(root: string, path: string): Promise<FileState> {
  const symlink = symlinkAround(root, path);
  if (symlink !== null) return { kind: 'behind-symlink', symlink };
  const file = onDisk(root, path);
  const stats = statsOf(file);
  if (!stats) return { kind: 'absent' };
  if (stats.isDirectory()) return { kind: 'folder', mode: modeOf(stats) };
  if (stats.isSymbolicLink()) return { kind: 'symlink', target: targetOf(file) };
  if (!stats.isFile()) return { kind: 'special', mode: modeOf(stats) };
  try {
    return { kind: 'file', mode: modeOf(stats), size: Number(stats.size), sha256: await sha256Of(file) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    if (codeOf(error) !== 'EACCES') throw error;
    return { kind: 'unreadable', mode: modeOf(stats) };
  }
}

export function sameState(a: FileState, b: FileState): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.sha256 === b.sha256 && a.mode === b.mode && a.size === b.size;
  if (a.kind === 'symlink') return b.kind === 'symlink' && a.target === b.target;
  if (a.kind === 'folder') return b.kind === 'folder' && a.mode === b.mode;
  if (a.kind === 'special') return b.kind === 'special' && (a.mode ?? b.mode) === (b.mode ?? a.mode);
  return a.kind === b.kind && a.kind !== 'unreadable';
}

/** Where a symlink leads, as text in the way of names. */
export const targetOf = (file: PathLike): string => nameOf(readlinkSync(file, { encoding: 'buffer' }));

/** The outermost folder around the path that is a symlink. */
export function symlinkAround(root: string, path: string): string | null {
  return foldersAround(path).find((folder) => statsOf(onDisk(root, folder))?.isSymbolicLink()) ?? null;
}

/** Of the thing itself, also of a symlink; null where there is nothing, also because a file is where a folder would have to be. */
export function statsOf(file: PathLike): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

export const modeOf = (stats: BigIntStats): number => Number(stats.mode) & 0o7777;

export const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino}:${size}:${mtimeNs}:${ctimeNs}`;

/** A stamp that differs after any later change of the file; none if the file was changed within a tick of a coarse clock. */
export const settledStamp = (stats: BigIntStats): { readonly stamp?: string } =>
  Number(stats.ctimeMs) < Date.now() - 2500 ? { stamp: stampOf(stats) } : {};

export async function sha256Of(file: PathLike): Promise<string> {
  const hash = createHash('sha256');
  // A stream takes longer to set up than most files take to be read.
  if ((await lstat(file)).size <= 256 * 1024) return hash.update(await readFile(file)).digest('hex');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Null: it was being written all the time, or is no plain file any more. */
export async function copyWhole(from: PathLike, to: string): Promise<BigIntStats | null> {
  for (let tries = 0; tries < 5; tries++) {
    const before = await lstat(from, { bigint: true });
    if (!before.isFile()) return null;
    // A clone where the file system can, else the bytes; never over something.
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    const after = await lstat(from, { bigint: true });
    if (stampOf(before) === stampOf(after)) return before;
    await rm(to);
  }
  return null;
}
