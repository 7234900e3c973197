// Replaces a small file so that readers see the old one or the new one, also after a crash. Nothing is left behind: not by a write that
// fails, and not for long by a process that was killed.
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface WriteSteps {
  /** Of the new file from its first moment on. */
  readonly mode?: number;
  /** Nothing may be there yet: what is there stays, and EEXIST is thrown. */
  readonly isNew?: boolean;
  /** Called while the new file is still empty. */
  readonly begun?: (descriptor: number) => void;
  /** Another folder for the draft, if it is on the same file system. */
  readonly draftsIn?: string;
  /** The last chance to throw before the file is replaced. */
  readonly ready?: () => void;
}

export function writeWhole(file: string, text: string, steps: WriteSteps = {}): void {
  const { mode = 0o644, isNew = false, begun, ready, draftsIn } = steps;
  const folder = draftsIn ?? dirname(file);
  for (const place of new Set([folder, dirname(file)])) removeDeadDrafts(join(place, basename(file)));
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
    if (isNew) giveNewName(draft, file);
    else renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    const isElsewhere = draftsIn !== undefined && (error as NodeJS.ErrnoException).code === 'EXDEV';
    if (!isElsewhere) throw error;
    const { draftsIn: _, ...beside } = steps;
    return writeWhole(file, text, beside);
  }
  syncFolder(dirname(file));
}

/** A link is made only where nothing is. Some file systems have none; then all we can do is to look first. */
function giveNewName(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    if (lstatSync(file, { throwIfNoEntry: false }))
      throw Object.assign(new Error(`${file} is there already`), { code: 'EEXIST' });
    renameSync(draft, file);
    return;
  }
  rmSync(draft);
}

/** What processes were writing to this file when they died. Only its own: others keep files there too. */
export function removeDeadDrafts(file: string): void {
  const folder = dirname(file);
  const own = `.${basename(file)}.`;
  removeDrafts(
    folder,
    deadDrafts(folder).filter((name) => name.replace(/\d+\.new$/, '') === own),
  );
}

const draftName = /^\..+\.(\d+)\.new$/;

export const isDraft = (name: string): boolean => draftName.test(name);

/** Names of what processes were writing in this folder when they died. */
export function deadDrafts(folder: string): string[] {
  return readdirSync(folder).filter((name) => {
    const pid = draftName.exec(name)?.[1];
    return pid !== undefined && Number(pid) !== process.pid && !pidIsAlive(Number(pid));
  });
}

export function removeDrafts(folder: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(folder, name), { force: true });
}

/** A process of another host may look dead and then has to write again. That is rare and loses nothing. */
export function pidIsAlive(pid: number): boolean {
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
