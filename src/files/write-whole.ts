// Replaces a small file so that readers see the old one or the new one, also after a crash. Nothing is left behind: not by a write that
// fails, and not for long by a process that was killed.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface WriteSteps {
  /** Of the new file from its first moment on. */
  readonly mode?: number;
  /** Called while the new file is still empty. */
  readonly begun?: (descriptor: number) => void;
  /** The last chance to throw before the file is replaced. */
  readonly ready?: () => void;
}

export function writeWhole(file: string, text: string, { mode = 0o644, begun, ready }: WriteSteps = {}): void {
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
    const descriptor = openSync(draft, 'wx', mode);
    try {
      begun?.(descriptor);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    ready?.();
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

/** A process of another host may look dead and then has to write again. That is rare and loses nothing. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Makes a new name durable; some file systems refuse to, and then it is as durable as they make it. */
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
