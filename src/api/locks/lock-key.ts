// Turns a typed path into the key that is the same for everybody: relative to the root of the workspace, links resolved, whatever the
// current folder. A path in a tree of the workspace stands for the same path in the workspace. A file that does not exist yet is resolved
// as far as links tell where it will be.
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Plan } from '../../core/model/plan.ts';
import { wayInTree } from '../../git/trees/tree-marker.ts';
import { parseResource } from '../../locks/resource.ts';
import { realPath, targetOf } from '../files/real-path.ts';
import { Refusal } from '../refusal.ts';
import { contains, leadsOut } from '../workspace.ts';

export interface Place {
  readonly root: string;
  readonly cwd: string;
}

export function lockKey(text: string, { root, cwd }: Place): string {
  if (isName(text) || text.trim() === '') return parsed(text, text);
  const { literal, pattern } = splitPattern(text);
  const real = realPath(resolve(cwd, literal === '' ? '.' : literal));
  // A real path has no link on its way: if the root is on it, that is its own real path.
  const way = wayInTree(root, real) ?? wayDown(root, real) ?? wayDown(realPath(resolve(root)), real);
  if (way === null) throw outside(text, root);
  return keyOf(text, way, pattern);
}

/** The key without links on its way, as it was when the lock was taken; null: it belongs to another folder. */
export function keyWithoutLinks(text: string, { root, cwd }: Place): string | null {
  if (isName(text)) return null;
  const { literal, pattern } = splitPattern(text);
  const path = resolve(cwd, literal === '' ? '.' : literal);
  const way = wayInTree(root, path) ?? wayDown(root, path);
  return way === null ? null : keyOf(text, way, pattern);
}

function keyOf(text: string, way: string, pattern: string): string {
  // What is on the disk is no pattern, whatever it is called.
  const path = way
    .split(sep)
    .join('/')
    .replace(/[\\*?{}]/g, '\\$&');
  const isFolder = pattern === '' && /[/\\]$/.test(text);
  const key = [path, pattern].filter((part) => part !== '').join('/') + (isFolder ? '/' : '');
  if (key === '' || key === '/') return '**';
  // A file called like a named resource is told apart by where it starts.
  return parsed(isName(key) ? `./${key}` : key, text);
}

/** The keys of a plan start at the root. What was found is remembered: plans name many files of few folders. */
export function linksIn(root: string): (text: string) => string | null | { readonly problem: string } {
  const realRoot = realPath(resolve(root));
  const folders = new Map<string, string>();
  const real = (path: string): string => {
    const folder = dirname(path);
    if (folder === path) return path;
    const realFolder = folders.get(folder) ?? realPath(folder);
    folders.set(folder, realFolder);
    const plain = join(realFolder, basename(path));
    return targetOf(plain) === null ? plain : realPath(plain);
  };
  return (text) => {
    if (isName(text)) return null;
    const whole = resolve(root, splitPattern(text).literal);
    const found = real(whole);
    if (found === join(realRoot, relative(root, whole))) return null;
    if (!contains(realRoot, found)) return { problem: 'leads out of the workspace through a link' };
    return lockKey(text, { root, cwd: root });
  };
}

/** Whether the keys of a plan still stand for what they did when it was loaded. */
export function linksAreSame({ tasks, links = {} }: Plan, root: string): boolean {
  const follow = linksIn(root);
  const seen = new Set<readonly string[]>();
  for (const { keys } of tasks) {
    for (const list of [keys.files, keys.reads, keys.locks]) {
      if (!list || seen.has(list)) continue;
      seen.add(list);
      if (list.some((text) => follow(text) !== null)) return false;
    }
  }
  return Object.entries(links).every(([written, key]) => follow(written) === key);
}

const isName = (text: string) => /^[a-z][a-z0-9_-]*:./.test(text) && !isAbsolute(text);

/** The folders before the first wildcard are real ones; what follows is only a pattern. */
function splitPattern(text: string): { readonly literal: string; readonly pattern: string } {
  const at = text.search(/(?<!\\)[*?{]/);
  if (at === -1) return { literal: text.replace(/\\([*?{}\\])/g, '$1'), pattern: '' };
  const cut = text.lastIndexOf('/', at);
  return { literal: text.slice(0, cut + 1), pattern: text.slice(cut + 1) };
}

/** Null: it is not in the folder. */
function wayDown(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return leadsOut(way) ? null : way;
}

function parsed(key: string, text: string): string {
  const read = parseResource(key);
  if (read.ok) return read.resource.key;
  throw new Refusal(2, `${JSON.stringify(text)} ${read.problem}`, { instead: 'see "signalbox lock --help"' });
}

function outside(text: string, root: string): Refusal {
  return new Refusal(2, `${text} is outside the workspace ${root}`, {
    instead: 'only what agents share in the workspace can be locked; a name such as db:test stands for anything else',
  });
}
