// What the hooks of attempts leave behind for others to look at, in a folder for each attempt: `seen` is touched by every call, and a file
// stands for each shell command that has begun. The times are those of the file system, like the times of the files that commands write.
// A command whose end may never be told has a file of another name: it must not make the attempt look busy for ever.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @param attempts the folder of this store's attempts */
export const marksFolder = (attempts: string, token: number): string => join(attempts, 'hooks', String(token));

/** Proves that the hooks of the attempt reach us. The folder of the attempts is there already: where it is not, no mark brings it back. */
export function markSeen(folder: string): void {
  for (const made of [dirname(folder), folder]) if (!existsSync(made)) makeFolder(made);
  write(join(folder, 'seen'));
}

export const wasSeen = (folder: string): boolean => timeOf(join(folder, 'seen')) !== null;

export const beginShell = (folder: string, id: string): void => write(join(folder, `shell-${id}`));

/** The program may make the edit of the command itself, and tell of no end. */
export const beginEdit = (folder: string, id: string): void => write(join(folder, `edit-${id}`));

/** When it began; null: nobody saw it begin. */
export function endShell(folder: string, id: string): number | null {
  for (const file of [`shell-${id}`, `edit-${id}`].map((name) => join(folder, name))) {
    const began = timeOf(file);
    rmSync(file, { force: true });
    if (began !== null) return began;
  }
  return null;
}

/** Whether the attempt made a call since then, or has one open that may write anywhere. */
export function wasBusySince(folder: string, since: number): boolean {
  const seen = timeOf(join(folder, 'seen'));
  if (seen === null) return false;
  return seen >= since || openMarks(folder).length > 0;
}

/** When the first of its shell commands began that are not over; null: all are. */
export function openSince(folder: string): number | null {
  if (!existsSync(folder)) return null;
  const times = openMarks(folder).flatMap((name) => timeOf(join(folder, name)) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

const openMarks = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('shell-'));

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another call was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function write(file: string): void {
  // A link in its place is not followed: the folder lies where agents can write.
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
}

const timeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
