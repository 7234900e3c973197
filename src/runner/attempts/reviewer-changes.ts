// What a reviewer changed, though it should only look: its word would be about its own work. Others may write meanwhile, so only what can
// be attributed to it counts: the locked files of the attempt that it reviews, which nobody else may write; what its shell commands were
// found to have written; files that it says it wrote.
import type { Evidence, WriteFinding } from '../../core/model/failure.ts';
import { isIn, type TreeChanges } from './own-changes.ts';

export type LockedFiles = NonNullable<Evidence['files']>;

export interface Reviewed {
  /** Files that the attempt had locked and changed, when the review began and when it ended; null: nobody looked. */
  readonly locked: readonly [LockedFiles, LockedFiles] | null;
  readonly found: readonly WriteFinding[];
  /** Files that the reviewer says it wrote, from the root. */
  readonly writes: readonly string[];
  /** What changed in the workspace since the review began; null: nobody can tell. */
  readonly tree: TreeChanges | null;
}

export function reviewerChanges({ locked, found, writes, tree }: Reviewed): string[] {
  const attributed = [...found.flatMap(({ path, finding }) => (finding === 'suspect' ? [] : path)), ...writes];
  const left = attributed.filter((path) => tree === null || isIn(tree, path));
  return [...new Set([...differing(locked), ...left])].sort();
}

function differing(locked: Reviewed['locked']): string[] {
  if (locked === null) return [];
  const [before, after] = locked.map((files) => new Map(files.map(({ file, after: hash }) => [file, hash])));
  return [...new Set([...before!.keys(), ...after!.keys()])].filter((file) => before!.get(file) !== after!.get(file));
}
