// Replaces `status.json`. Readers see the old file or the new one, whole, at every moment, and the one before is kept as a backup. A slow
// process never replaces a newer file by an older one.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { draftOf, isElsewhere, sweepDrafts } from './draft-place.ts';
import { keepForeign } from './keep-broken.ts';
import { makeOutputFolder } from './output-folder.ts';
import type { OutputPlaces } from './output-places.ts';
import { isWholeStatus } from './read-status.ts';
import { isNoRegularFile, openRegular, readRegular } from './regular-file.ts';

/** A new status on disk that has not got its name yet. */
export interface StatusDraft extends StatusMark {
  readonly file: string;
}

export interface StatusMark {
  readonly seq: number;
  readonly log: string;
}

/** Those of this process that are being written, or wait for their name. */
const drafts = new Set<string>();

/** The slow part: writes the draft and waits for the disk, before anybody has to wait for us. */
export function draftStatus(places: OutputPlaces, { seq, log }: StatusMark, text: string): StatusDraft {
  // Two of one process must not write into the same one.
  const file = draftOf(places, places.status, Math.random().toString(36).slice(2));
  drafts.add(file);
  try {
    makeOutputFolder(places.root, places.folder);
    const descriptor = openSync(file, 'wx', 0o644);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    dropDraft({ file });
    throw error;
  }
  return { file, seq, log };
}

/** Removes what was not placed. Has to be called for each. */
export function dropDraft({ file }: Pick<StatusDraft, 'file'>): void {
  drafts.delete(file);
  rmSync(file, { force: true });
}

/** `older`: one that is as new is there already. `gone`: somebody has removed the draft, or it must lie elsewhere: another is to be made. */
export type Placing = 'placed' | 'older' | 'gone';

export interface PlaceOptions {
  /** The last event of the log: a file that claims to know more was not written from it. */
  readonly head: number;
  /** The file with this number is known to be wrong. */
  readonly replaces?: number;
  /** The identity of a file that can be a backup: it is not read again for that. */
  readonly good?: string | null;
  /** What somebody else wrote was kept under another name. */
  readonly onKept?: (words: string) => void;
}

/**
 * The quick part, to be done by one process at a time. The folder is not synced: after a loss of power the old file is as good, because
 * the log is the truth.
 */
export function placeStatus(
  places: OutputPlaces,
  draft: StatusDraft,
  { head, replaces = -1, good = null, onKept }: PlaceOptions,
): Placing {
  const { root, status } = places;
  sweepDrafts(places, (file) => drafts.has(file));
  const known = writtenMark(status);
  const isNewer = known?.log === draft.log && known.seq >= draft.seq && known.seq <= head;
  if (isNewer && known.seq !== replaces && isWhole(status)) return 'older';
  const identity = identityOf(status);
  const isFit = identity !== null && (identity === good || (known?.seq !== replaces && isGood(status)));
  const keep = (file: string) => {
    const words = keepForeign(root, file);
    if (words !== null) onKept?.(words);
  };
  // Something that has no mark of ours is somebody's: it is kept under another name.
  if (!isFit && known === null) keep(status);
  if (isFit) keepBackup(places, keep);
  try {
    renameSync(draft.file, status);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !isElsewhere(places, error)) throw error;
    return 'gone';
  }
  return 'placed';
}

/** By a link, so that there is a `status.json` at every moment. */
function keepBackup(places: OutputPlaces, keep: (file: string) => void): void {
  const { status, backup } = places;
  const link = draftOf(places, backup);
  if (writtenMark(backup) === null && !isGood(backup)) keep(backup);
  try {
    rmSync(link, { force: true });
    linkSync(status, link);
    renameSync(link, backup);
  } catch (error) {
    // Some file systems have no links: better no newer backup than none of the status.
    rmSync(link, { force: true });
    if (isElsewhere(places, error)) return keepBackup(places, keep);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOENT') throw error;
  }
}

/** Null: there is no file, or none of ours. A pipe is none. */
export function writtenMark(file: string): StatusMark | null {
  const head = readPart(file, (size) => [0, Math.min(size, markWithin)]);
  const found = /^\{\s*"schemaVersion":\s*\d+,\s*"seq":\s*(\d+),\s*"log":\s*"([^"\\]*)"/.exec(head ?? '');
  return found ? { seq: Number(found[1]), log: found[2]! } : null;
}

/** It stands near the beginning. */
const markWithin = 200;

/** A cheap look for one that was cut off. */
const isWhole = (file: string): boolean => /\]\n\}\n$/.test(readPart(file, (size) => [Math.max(0, size - 8), 8]) ?? '');

/** Changes whenever somebody writes the file. Null: there is none. */
export function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}` : null;
}

/** Whether all of it could be imported; if not, it is no use as a backup. */
export function isGood(file: string): boolean {
  try {
    return isWholeStatus(readRegular(file).toString('utf8'));
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
    const [from, length] = part(fstatSync(descriptor).size);
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
}
