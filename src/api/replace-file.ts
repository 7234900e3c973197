// Replaces a file so that whoever reads it sees the old text or the new one, also after a crash: a new file beside it, on
// disk before it takes the name. A symlink stays one; its target is replaced.
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The mode is kept; the file must exist. */
export function replaceFile(file: string, text: string): void {
  const target = realpathSync(file);
  const fresh = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
  const { mode } = statSync(target);
  try {
    const descriptor = openSync(fresh, 'wx', mode & 0o777);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, target);
  } catch (error) {
    // One that somebody else is writing is not ours to remove.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

/** Makes the new name durable; some file systems refuse to, and then it is as durable as they make it. */
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
