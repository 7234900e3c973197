// Puts `status.json` in its place: whoever reads it sees the old one or the new one, whole, at every moment, and the one before is kept
// beside it. A slow process never puts an older one over a newer one.
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OutputPlaces } from './output-places.ts';

/** A new status on disk that has not got its name yet. */
export interface PreparedStatus {
  readonly file: string;
  readonly seq: number;
}

/** The slow part: writes everything and waits for the disk, while nobody has to wait for it. */
export function prepareStatus({ folder, status }: OutputPlaces, seq: number, text: string): PreparedStatus {
  mkdirSync(folder, { recursive: true });
  const file = `${status}.${process.pid}.new`;
  const descriptor = openSync(file, 'w', 0o644);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return { file, seq };
}

/**
 * The quick part, to be done by one process at a time: false if a newer one is there already.
 * @param isGood whether what is there now may be kept as the backup.
 */
export function placeStatus({ status, backup }: OutputPlaces, { file, seq }: PreparedStatus): boolean {
  const known = writtenSeq(status);
  if (known !== null && known >= seq) {
    rmSync(file, { force: true });
    return known === seq;
  }
  if (known !== null) keepBackup(status, backup);
  renameSync(file, status);
  syncFolder(dirname(status));
  return true;
}

/** By a link, so that there is a `status.json` at every moment. */
function keepBackup(status: string, backup: string): void {
  const link = `${backup}.${process.pid}.new`;
  try {
    rmSync(link, { force: true });
    linkSync(status, link);
    renameSync(link, backup);
  } catch (error) {
    // Some file systems have no links: better no newer backup than none of the status.
    rmSync(link, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOENT') throw error;
  }
}

/** The number stands near the beginning. Null: there is no file, or none of ours that is whole. */
export function writtenSeq(file: string): number | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const head = Buffer.alloc(200);
    const length = readSync(descriptor, head, 0, head.length, 0);
    const found = /^\{\s*"schemaVersion":\s*\d+,\s*"seq":\s*(\d+),/.exec(head.toString('latin1', 0, length));
    return found ? Number(found[1]) : null;
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!/^(EINVAL|EPERM|ENOTSUP)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(descriptor);
  }
}
