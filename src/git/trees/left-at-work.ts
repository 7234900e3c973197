// A git that a killed runner has started lives on, and may write to a tree while the next runner sets it right. Where the system shows
// processes as files, it is waited for; elsewhere the tree is set right once more by the next attempt.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as passed } from 'node:timers/promises';
import { alwaysSet } from '../git.ts';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { patience } from './trees.ts';

/** Resolves when no git of ours works in the folder. @throws GitTrouble where one does not end */
export async function untilNobodyWorks(repository: GitCaller, folder: string): Promise<void> {
  const until = performance.now() + patience(repository);
  for (let waitMs = 5; isWorkedIn(folder); waitMs = Math.min(2 * waitMs, 200)) {
    if (performance.now() > until) throw new GitTrouble(`a git of an earlier run still works in ${folder}`);
    await passed(waitMs);
  }
}

function isWorkedIn(folder: string): boolean {
  return processes().some((pid) => {
    try {
      // A hook that a person trusts may leave other programs there.
      if (wordsOf(pid, 'comm')[0] !== 'git\n') return false;
      const isThere = readlinkSync(`/proc/${pid}/cwd`) === folder || wordsOf(pid, 'cmdline').includes(folder);
      return isThere && isOurs(wordsOf(pid, 'environ'));
    } catch {
      return false; // it has ended, or is somebody else's
    }
  });
}

/** Agents and what they start get nothing of it. */
export const isOurs = (environment: readonly string[]): boolean =>
  Object.entries(alwaysSet).every(([name, value]) => environment.includes(`${name}=${value}`));

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // not on this system
  }
}

const wordsOf = (pid: string, what: string): string[] => readFileSync(`/proc/${pid}/${what}`, 'utf8').split('\0');
