// The lock of a branch that a killed git has left behind. Nobody can tell it from one that is held, but by its age.
import { lstatSync, rmSync } from 'node:fs';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import type { Overrides } from '../switched-off.ts';

/** Longer than any git holds the lock of a branch, unless it was killed. */
const staleMs = 5_000;
/** For the lock of the branch: one that is stale is not waited for. */
const waitsMs = [100, staleMs, 100];

/**
 * Repeats a step that trouble keeps from moving a branch, first without waiting, then behind a lock that is stale by now.
 * @param ref its whole name @param step with the settings for its call of git
 */
export async function pastStaleLock<T>(
  repository: GitCaller,
  ref: string,
  step: (settings: Overrides) => Promise<T>,
): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await step([['core.filesRefLockTimeout', String(waitsMs[i])]]);
    } catch (error) {
      if (!(error instanceof GitTrouble) || i === waitsMs.length - 1) throw error;
      await removeStaleLock(repository, ref);
    }
  }
}

async function removeStaleLock(repository: GitCaller, ref: string): Promise<void> {
  const path = await repository.line({ args: ['rev-parse', '--path-format=absolute', '--git-path', `${ref}.lock`] });
  const lock = lstatSync(path, { throwIfNoEntry: false });
  if (lock?.isFile() && Date.now() - lock.mtimeMs >= staleMs) rmSync(path, { force: true });
}
