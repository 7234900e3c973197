// Puts a small file in its place so that whoever reads it sees the one before or the new one, also after a crash, and so that nothing is
// left behind: not by a write that fails, and not for long by a process that was killed.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './write-status.ts';

export function writeWhole(file: string, text: string): void {
  const folder = dirname(file);
  // Only its own: others keep files there too.
  const own = `.${basename(file)}.`;
  removeDrafts(
    folder,
    deadDrafts(folder).filter((name) => name.replace(/\d+\.new$/, '') === own),
  );
  const draft = join(folder, `.${basename(file)}.${process.pid}.new`);
  rmSync(draft, { force: true });
  try {
    const descriptor = openSync(draft, 'wx', 0o644);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(folder);
}

const draftName = /^\..+\.(\d+)\.new$/;

export const isDraft = (name: string): boolean => draftName.test(name);

/** Names of what processes were writing in this folder when they died. */
export function deadDrafts(folder: string): string[] {
  return readdirSync(folder).filter((name) => {
    const pid = draftName.exec(name)?.[1];
    return pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid));
  });
}

export function removeDrafts(folder: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(folder, name), { force: true });
}

/** One of another host may look dead, and then has to write again; that is rare and costs nothing that was there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
