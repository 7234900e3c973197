// What an attempt wrote without holding the lock on it: what its shell commands were found to have written, and what it says itself. Only
// files of the workspace count, because only those are shared.
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { type Evidence, isBreach, type WriteFinding, worstFirst } from '../../core/model/failure.ts';
import type { BeforeImage } from '../../files/before-image.ts';
import { isTreePath } from '../../files/disk/tree-path.ts';
import { wayInTree } from '../../git/trees/tree-marker.ts';
import { covers } from '../../locks/covers.ts';

export interface AuditParts {
  readonly root: string;
  /** As the agent spells them. */
  readonly writes: readonly string[];
  /** Tells which locks it had; null: none. */
  readonly image: BeforeImage | null;
  readonly found: readonly WriteFinding[];
  readonly policy: 'report' | 'fail';
}

const mostFiles = 50;

/** Null: there is nothing to say. */
export function auditWrites({ root, writes, image, found, policy }: AuditParts): NonNullable<Evidence['audit']> | null {
  const known = new Set(found.map(({ path }) => path));
  const locked = image?.resources ?? [];
  const unlocked = [...new Set(writes.flatMap((file) => inTree(root, file) ?? []))].filter(
    (path) => !known.has(path) && !locked.some((resource) => covers(resource, path)),
  );
  const files = [...found, ...unlocked.map((path): WriteFinding => ({ path, finding: 'unlocked' }))];
  if (files.length === 0) return null;
  return {
    files: worstFirst(files).slice(0, mostFiles),
    ...(policy === 'fail' && files.some(isBreach) ? { fails: true } : {}),
  };
}

/** Null: it lies elsewhere, or is of no concern to anybody. A path in a tree of the workspace stands for the same path in the workspace. */
export function inTree(root: string, file: string): string | null {
  const full = resolve(root, file);
  const way = wayInTree(root, full)?.split(sep).join('/');
  if (way !== undefined) return isTreePath(way) ? way : null;
  for (const top of new Set([root, realRoot(root)])) {
    const path = relative(top, full).split(sep).join('/');
    if (isTreePath(path)) return path;
  }
  return null;
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}
