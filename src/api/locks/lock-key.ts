// What somebody typed as the key that everybody means by it: relative to the root of the workspace, links resolved, whatever folder
// it was typed in. What does not exist yet is resolved as far as it exists.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { parseResource } from '../../locks/resource.ts';
import { Refusal } from '../refusal.ts';
import { contains } from '../workspace.ts';

export interface Place {
  readonly root: string;
  readonly cwd: string;
}

export function lockKey(text: string, { root, cwd }: Place): string {
  if (isName(text)) return parsed(text, text);
  const { literal, pattern } = splitPattern(text);
  const whole = resolve(cwd, literal === '' ? '.' : literal);
  const real = realPath(whole);
  const realRoot = realPath(root);
  if (!contains(realRoot, real)) throw outside(text, root);
  const path = relative(realRoot, real).split(sep).join('/');
  const isFolder = pattern === '' && /[/\\]$/.test(text);
  const key = [path, pattern].filter((part) => part !== '').join('/') + (isFolder ? '/' : '');
  if (key === '' || key === '/') return '**';
  // A file called like a named resource is told apart by where it starts.
  return parsed(isName(key) ? `./${key}` : key, text);
}

const isName = (text: string) => /^[a-z][a-z0-9_-]*:./.test(text) && !isAbsolute(text);

/** The folders before the first wildcard are real ones; what follows is only a pattern. */
function splitPattern(text: string): { readonly literal: string; readonly pattern: string } {
  const at = text.search(/(?<!\\)[*?{]/);
  if (at === -1) return { literal: text.replace(/\\([*?{}\\])/g, '$1'), pattern: '' };
  const cut = text.lastIndexOf('/', at);
  return { literal: text.slice(0, cut + 1), pattern: text.slice(cut + 1) };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
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
