// Where a path leads when every link on its way is followed, also where what they lead to does not exist yet.
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, parse, sep } from 'node:path';

/** @param path without `..`: behind a link that leads elsewhere for the system than in a text. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    if (folder === path) return path;
    const plain = join(realPath(folder), basename(path));
    return targetOf(plain) === null ? plain : (endOf(plain) ?? plain);
  }
}

/** Whatever links or mounts they were reached by. */
export function isSameFolder(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [a, b].map(identityOf);
  return one !== null && one === other;
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/** As many as the system follows. */
const mostLinks = 40;

/** Where a link leads although nothing is there yet: to what will be there. Null: in a circle. @param link in a real folder. */
function endOf(link: string): string | null {
  let at = dirname(link);
  let left = mostLinks;
  const todo = [basename(link)];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    const next = join(at, part);
    const target = part === '..' ? null : targetOf(next);
    if (target === null) {
      at = next;
      continue;
    }
    if (left-- === 0) return null;
    const top = parse(target).root;
    if (top !== '') at = top;
    todo.push(...target.slice(top.length).split(sep).reverse());
  }
  return at;
}

/** Null: it is no link, or not there. */
export function targetOf(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
