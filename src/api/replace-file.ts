// Replaces a file so that whoever reads it sees the old text or the new one, also after a crash: a new file beside it, on
// disk before it takes the name. A symlink stays one; its target is replaced.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../status/write-status.ts';
import { removeBegun } from './write-mistake.ts';

/** Mode and owner are kept; the file must exist. One that nobody may write is left alone, although a rename could replace it. */
/** @param expected what it must still say when it is replaced; what somebody wrote meanwhile is theirs. */
export function replaceFile(file: string, text: string, expected?: string): void {
  const target = realpathSync(file);
  const fresh = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
  const { mode, uid, gid } = statSync(target);
  if ((mode & 0o222) === 0) throw Object.assign(new Error(`${target} is read-only`), { code: 'EACCES' });
  accessSync(target, constants.W_OK);
  try {
    const descriptor = openSync(fresh, 'wx', mode & 0o777);
    try {
      keepOwner(descriptor, uid, gid);
      // What is asked for when a file is created is narrowed by the user's mask.
      fchmodSync(descriptor, mode & 0o7777);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (expected !== undefined && readFileSync(target, 'utf8') !== expected)
      throw Object.assign(new Error(`${target} was changed meanwhile`), { code: 'ECHANGED' });
    renameSync(fresh, target);
  } catch (error) {
    // One that somebody else is writing is not ours to remove.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') removeBegun(fresh);
    throw error;
  }
  syncFolder(dirname(target));
}

/** Only root may give files away; for others it is theirs, or their group's. */
function keepOwner(descriptor: number, uid: number, gid: number): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
