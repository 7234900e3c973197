// Which workspace a tree belongs to. Signalbox leaves a mark in git's own folder of each tree that it makes; a worktree without one is a
// person's own. Every command asks this at its start, so files are read and no git is started, and outside of trees nothing is read at all.
//
// Whoever can write to a folder can put a `.git` file there. So a mark counts only where git's folder points back to the tree, belongs to
// the repository of the workspace, and all of that is this user's or root's.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { GitTrouble } from '../git-trouble.ts';

export interface TreePlace {
  /** Of the workspace that the tree belongs to. */
  readonly root: string;
  /** The top of the tree. */
  readonly tree: string;
  /** The workspace inside of the tree, with slashes; empty: the whole tree. */
  readonly prefix: string;
}

const mark = 'signalbox-workspace';

/** @throws GitTrouble where the folder is no linked worktree */
export function markTree(tree: string, root: string): void {
  const admin = adminOf(tree);
  if (admin === null) throw new GitTrouble(`${tree} is no linked worktree`);
  const file = join(admin, mark);
  const text = `${root}\n`;
  if (ownText(file) === text) return;
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  renameSync(draft, file);
}

/** @param admin git's own folder of a tree */
export const isMarked = (admin: string): boolean => ownText(join(admin, mark)) !== null;

/** Null: the folder lies in no tree of Signalbox. A repository inside of a tree is part of the tree. */
export function workspaceOfTree(folder: string): TreePlace | null {
  for (let tree = resolve(folder); ; tree = dirname(tree)) {
    const place = linkStats(join(tree, '.git'))?.isFile() ? placeOf(tree) : null;
    if (place !== null || dirname(tree) === tree) return place;
  }
}

/**
 * The way from the root of the workspace to what a path in one of its trees stands for; null: the path lies in none, or beside the
 * workspace there.
 */
export function wayInTree(root: string, path: string): string | null {
  const place = workspaceOfTree(path);
  if (place === null || !isSame(place.root, root)) return null;
  const way = relative(join(place.tree, place.prefix), path);
  return way === '..' || way.startsWith(`..${sep}`) ? null : way;
}

function placeOf(tree: string): TreePlace | null {
  const admin = adminOf(tree);
  const root = admin === null ? null : ownText(join(admin, mark))?.replace(/\n$/, '');
  if (admin === null || !root || !isAbsolute(root) || root.includes('\0')) return null;
  const real = realOf(root);
  const top = real === null ? null : topOf(real);
  if (real === null || top === null || !isSame(dirname(dirname(admin)), commonFolder(top))) return null;
  return { root, tree, prefix: relative(top, real).split(sep).join('/') };
}

/** Git's own folder of a linked worktree; null: it is none, or the folder does not point back to it. */
function adminOf(tree: string): string | null {
  const admin = folderNamedIn(tree);
  if (admin === null || basename(dirname(admin)) !== 'worktrees') return null;
  const back = ownText(join(admin, 'gitdir'))?.replace(/\s+$/, '');
  return back && isSame(resolve(admin, back), join(tree, '.git')) ? admin : null;
}

/** By the `.git` file of a folder. */
function folderNamedIn(tree: string): string | null {
  const [, named] = /^gitdir: ([^\0]+)$/s.exec(ownText(join(tree, '.git'))?.replace(/[\r\n]+$/, '') ?? '') ?? [];
  const folder = named === undefined ? null : resolve(tree, named);
  return folder !== null && isOwn(look(() => statSync(folder))) ? folder : null;
}

/** What all worktrees of a repository share; null: it cannot be told. */
function commonFolder(top: string): string | null {
  const own = join(top, '.git');
  if (look(() => statSync(own))?.isDirectory()) return own;
  const folder = folderNamedIn(top);
  if (folder === null) return null;
  const common = ownText(join(folder, 'commondir'))?.replace(/\s+$/, '');
  return common ? resolve(folder, common) : folder;
}

/** The nearest folder upward with a repository. */
function topOf(folder: string): string | null {
  if (linkStats(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? null : topOf(dirname(folder));
}

const mostBytes = 16_384;

/** Of a plain file of this user or root; null: there is none. No link is followed, and no pipe is waited for. */
function ownText(file: string): string | null {
  const opened = look(() => openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (opened === null) return null;
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile() || !isOwn(stats)) return null;
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString('utf8', 0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
}

/** It is this user's or root's. */
function isOwn(stats: Stats | null): boolean {
  const me = process.getuid?.();
  return stats !== null && (me === undefined || stats.uid === me || stats.uid === 0);
}

/** Whatever links or mounts they were reached by. */
function isSame(a: string, b: string | null): boolean {
  const [one, other] = [a, b].map((path) => (path === null ? null : look(() => statSync(path, { bigint: true }))));
  return !!one && !!other && one.dev === other.dev && one.ino === other.ino;
}

const linkStats = (path: string): Stats | null => look(() => lstatSync(path, { throwIfNoEntry: false })) ?? null;

const realOf = (path: string): string | null => look(() => realpathSync.native(path));

/** Behind a file, in a folder that is closed to us, or where nothing is, there is nothing for us. */
function look<T>(at: () => T): T | null {
  try {
    return at();
  } catch {
    return null;
  }
}
