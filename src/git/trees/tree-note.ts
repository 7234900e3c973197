// What is known of a tree between two attempts, in git's own folder of it: who worked there last, what of ours is there without being
// committed, and whether a tree is just being set up for another attempt. All else that differs there was changed by somebody else.
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from './found-in-tree.ts';

export interface TreeNote {
  /** Of the attempt, without `refs/heads/`. */
  readonly branch: string;
  /** Where its branch stood when it had begun, or ended. */
  readonly head: string;
  /** What the next attempt begins with where this one left nothing that can be merged; null: what the log says. */
  readonly carried: string | null;
  /** What the attempt, its checks or its setup left behind. */
  readonly found: Found;
  /** It has not ended: what was found can be made again. */
  readonly isBegun: boolean;
}

const note = 'signalbox-note';
const beginning = 'signalbox-beginning';

/** @param entry git's own folder of the tree. @returns null: nothing is known */
export function readNote(entry: string): TreeNote | null {
  const said = jsonOf(join(entry, note)) as Partial<TreeNote> | null;
  if (said === null || typeof said.branch !== 'string' || !isCommit(said.head)) return null;
  const { branch, head, carried, found, isBegun } = said;
  const isListed = typeof found === 'object' && found !== null;
  return {
    ...{ branch, head, carried: isCommit(carried) ? carried : null },
    ...{ found: isListed ? found : {}, isBegun: isBegun === true },
  };
}

export const writeNote = (entry: string, said: TreeNote): void => write(join(entry, note), said);

/** While this stands there, what differs in the tree may be half of a checkout. @param commits whose files are written there */
export const noteBeginning = (entry: string, commits: readonly string[]): void =>
  write(join(entry, beginning), commits);

/** Null: no attempt is beginning there. */
export function readBeginning(entry: string): readonly string[] | null {
  const said = jsonOf(join(entry, beginning));
  return Array.isArray(said) ? said.filter(isCommit) : null;
}

export const endBeginning = (entry: string): void => rmSync(join(entry, beginning), { force: true });

const isCommit = (name: unknown): name is string => typeof name === 'string' && /^[0-9a-f]{40,64}$/.test(name);

function write(file: string, said: unknown): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(said), { flag: 'wx', mode: 0o600 });
  renameSync(draft, file);
}

/** Whoever works in the tree can write there. */
function jsonOf(file: string): unknown {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
