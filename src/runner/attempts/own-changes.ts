// Whether an attempt has changed something. Alone in the workspace, any change is its own. Beside others only what can be attributed to it
// counts: its locked files, which nobody else may write; what its shell commands were found to have written; and files that it says
// it wrote, if those did change. Its word alone is no evidence, and neither is a change that may be another's.
import type { WriteFinding } from '../../core/model/failure.ts';

export interface Seen {
  /** Neither its stream nor its hooks tell of a call: a change is not its own, whoever made it. */
  readonly isIdle: boolean;
  /** Somebody else was at work at some time meanwhile. */
  readonly isAccompanied: boolean;
  /** A file that it had locked is another than it was. */
  readonly hasLocked: boolean;
  /** What its shell commands were found to have written. */
  readonly found: readonly WriteFinding[];
  /** Files that it says it wrote, from the root. */
  readonly writes: readonly string[];
  /** What is another in the workspace; null: nobody can tell. */
  readonly tree: TreeChanges | null;
}

export interface TreeChanges {
  /** From the root. */
  readonly paths: readonly string[];
  /** Of those that git ignores, only what came; a folder that came whole ends with a slash. */
  readonly ignored: readonly string[];
  /** There is a new commit, which may change no file. */
  readonly isCommitted: boolean;
}

/** `unclear`: something changed, and nobody can tell whether it did that. `unknown`: nobody can tell whether anything changed. */
export type OwnChange = 'own' | 'none' | 'unclear' | 'unknown';

export function ownChange({ isIdle, isAccompanied, hasLocked, found, writes, tree }: Seen): OwnChange {
  if (isIdle) return 'none';
  if (hasLocked) return 'own';
  if (tree !== null && !isChanged(tree)) return 'none';
  if (!isAccompanied) return tree === null ? 'unknown' : 'own';
  const isFound = found.some(({ path, finding }) => finding === 'late' && (tree === null || isIn(tree, path)));
  if (isFound) return 'own';
  return tree !== null && writes.some((path) => isIn(tree, path)) ? 'own' : 'unclear';
}

const isChanged = ({ paths, ignored, isCommitted }: TreeChanges): boolean =>
  isCommitted || paths.length > 0 || ignored.length > 0;

export function withoutLitter(tree: TreeChanges, isLitter: (path: string) => boolean): TreeChanges {
  const [paths, ignored] = [tree.paths, tree.ignored].map((all) => all.filter((path) => !isLitter(path)));
  return { ...tree, paths: paths!, ignored: ignored! };
}

export const isIn = ({ paths, ignored }: TreeChanges, path: string): boolean =>
  paths.includes(path) || ignored.some((came) => came === path || (came.endsWith('/') && path.startsWith(came)));
