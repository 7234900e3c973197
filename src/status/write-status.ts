// Puts `status.json` in its place: whoever reads it sees the old one or the new one, whole, at every moment, and the one before is kept
// beside it. A slow process never puts an older one over a newer one.
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OutputPlaces } from './output-places.ts';
import { readStatus } from './read-status.ts';
import { isNoRegularFile, openRegular, readRegular } from './regular-file.ts';

/** A new status on disk that has not got its name yet. */
export interface PreparedStatus {
  readonly file: string;
  readonly seq: number;
  readonly log: string;
}

/** The slow part: writes everything and waits for the disk, while nobody has to wait for it. Each piece is written before the next one is asked for. */
export function prepareStatus(
  { folder, status }: OutputPlaces,
  mark: StatusMark,
  pieces: Iterable<Buffer>,
): PreparedStatus {
  mkdirSync(folder, { recursive: true });
  const file = `${status}.${process.pid}.new`;
  const descriptor = openSync(file, 'w', 0o644);
  try {
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done);
    }
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return { file, ...mark };
}

/** `older`: one that is as new is there already. `gone`: somebody has removed what was prepared. */
export type Placing = 'placed' | 'older' | 'gone';

export interface PlaceOptions {
  /** The last event of the log: a file that claims to know more was not written from it. */
  readonly head: number;
  /** What is there is known to be wrong, if it has this number. */
  readonly replaces?: number;
  /** What is there now is what this process put there. */
  readonly isKnownGood?: boolean;
}

/** The quick part, to be done by one process at a time. */
export function placeStatus(
  { status, backup }: OutputPlaces,
  prepared: PreparedStatus,
  { head, replaces = -1, isKnownGood = false }: PlaceOptions,
): Placing {
  sweep(status);
  const known = writtenMark(status);
  const isNewer = known?.log === prepared.log && known.seq >= prepared.seq && known.seq <= head;
  if (isNewer && known.seq !== replaces && isWhole(status)) {
    rmSync(prepared.file, { force: true });
    return 'older';
  }
  if (isKnownGood || (known?.seq !== replaces && isGood(status))) keepBackup(status, backup);
  try {
    renameSync(prepared.file, status);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 'gone';
  }
  syncFolder(dirname(status));
  return 'placed';
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

const ours = /\.(\d+)\.new$/;

/** What processes left that were killed on their way. One that lives elsewhere and loses its file makes it again. */
function sweep(status: string): void {
  const folder = dirname(status);
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(basename(status)) ? ours.exec(name)?.[1] : undefined;
    if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid)))
      rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface StatusMark {
  readonly seq: number;
  readonly log: string;
}

/** Null: there is no file, or none of ours. A pipe is none. */
export function writtenMark(file: string): StatusMark | null {
  const head = readPart(file, (size) => [0, Math.min(size, markWithin)]);
  return head === null ? null : markIn(head);
}

/** It stands near the beginning. */
export const markWithin = 200;

export function markIn(text: string): StatusMark | null {
  const found = /^\{\s*"schemaVersion":\s*\d+,\s*"seq":\s*(\d+),\s*"log":\s*"([^"\\]*)"/.exec(text);
  return found ? { seq: Number(found[1]), log: found[2]! } : null;
}

/** A cheap look for one that was cut off. */
const isWhole = (file: string): boolean => /\]\n\}\n$/.test(endOf(file, 8) ?? '');

/** Null: there is no file. */
export const endOf = (file: string, length: number): string | null =>
  readPart(file, (size) => [Math.max(0, size - length), length]);

/** Whether all of it could be imported: what could not is no use as a backup. */
function isGood(file: string): boolean {
  try {
    const read = readStatus(readRegular(file).toString('utf8'));
    return read.ok && !read.isDamaged;
  } catch {
    return false;
  }
}

function readPart(file: string, part: (size: number) => [from: number, length: number]): string | null {
  let descriptor: number;
  try {
    descriptor = openRegular(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || isNoRegularFile(error)) return null;
    throw error;
  }
  try {
    const [from, length] = part(statSync(file).size);
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a new name durable; some file systems refuse to, and then it is as durable as they make it. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!/^(EINVAL|EPERM|ENOTSUP)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(descriptor);
  }
}
