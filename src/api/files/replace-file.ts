// Replaces a file that belongs to a person: mode and owner are kept, a symlink stays one and its target is replaced.
import { accessSync, constants, fchmodSync, fchownSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { writeWhole } from '../../files/disk/write-whole.ts';

/**
 * The file must exist. One that nobody may write is left alone, although a rename could replace it.
 * @param expected what it must still say when it is replaced; what somebody wrote meanwhile is theirs.
 */
export function replaceFile(file: string, text: string, expected?: string): void {
  const target = realpathSync(file);
  const { mode, uid, gid } = statSync(target);
  if ((mode & 0o222) === 0) throw Object.assign(new Error(`${target} is read-only`), { code: 'EACCES' });
  accessSync(target, constants.W_OK);
  writeWhole(target, text, {
    mode: mode & 0o777,
    begun: (descriptor) => {
      keepOwner(descriptor, uid, gid);
      // What is asked for when a file is created is narrowed by the user's mask.
      fchmodSync(descriptor, mode & 0o7777);
    },
    ready: () => {
      if (expected !== undefined && readFileSync(target, 'utf8') !== expected)
        throw Object.assign(new Error(`${target} was changed meanwhile`), { code: 'ECHANGED' });
    },
  });
}

/** Only root may give files away; for others it is theirs, or their group's. */
function keepOwner(descriptor: number, uid: number, gid: number): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
