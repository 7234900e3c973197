// Where the git folders of a checkout are, found without git: whoever broke the configuration cannot hide them.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface GitFolders {
  /** The folder with `.git` in it. */
  readonly top: string;
  /** Of this checkout alone: HEAD, index. */
  readonly own: string;
  /** Of all trees: configuration, hooks, branches. */
  readonly common: string;
}

/** Null: there is no repository around the folder. */
export function findGitFolders(folder: string): GitFolders | null {
  for (let top = folder; ; top = dirname(top)) {
    const own = gitFolderIn(top);
    if (own !== null) return { top, own, common: real(resolve(own, lineIn(join(own, 'commondir')) ?? '.')) };
    if (top === dirname(top)) return null;
  }
}

function gitFolderIn(top: string): string | null {
  const at = join(top, '.git');
  const stats = statSync(at, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return real(at);
  const named = stats?.isFile() ? /^gitdir: (.+)$/.exec(lineIn(at) ?? '')?.[1] : undefined;
  return named === undefined ? null : real(resolve(top, named));
}

function lineIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch {
    return null; // not there, or not for us
  }
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // what is gone is said by whoever looks into it
  }
}
