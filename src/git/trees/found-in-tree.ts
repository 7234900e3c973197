// What differs in a tree from the commit where it stands, and can become part of a commit: by path, each with a sign that is another one
// when somebody has written the file since.
import { lstatSync } from 'node:fs';
import { whyLeftOut } from '../commits/commit-work.ts';
import type { GitCaller } from '../git-caller.ts';

/** Paths byte for byte, as latin1. */
export type Found = Readonly<Record<string, string>>;

export async function foundIn(
  repository: GitCaller,
  { folder, isApart }: { readonly folder: string; readonly isApart: (path: Buffer) => boolean },
): Promise<Found> {
  const args = [
    ...['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty'],
  ];
  const found: [string, string][] = [];
  for (const entry of await repository.names({ args }, folder)) {
    const [how, path] = [entry.toString('latin1', 0, 2), entry.subarray(3)];
    if (staysIn(folder, isApart, entry)) continue;
    found.push([path.toString('latin1'), how === '??' ? how : `${how} ${signOf(folder, path)}`]);
  }
  return Object.fromEntries(found);
}

/** What is never committed and never removed either. @param entry as git tells it: two letters and a path */
export function staysIn(folder: string, isApart: (path: Buffer) => boolean, entry: Buffer): boolean {
  const path = entry.subarray(3);
  if (isApart(path)) return true;
  return entry.toString('latin1', 0, 2) === '??' && whyLeftOut(folder, path) !== null;
}

/** A new file has none: what a program goes on writing was there before. */
function signOf(folder: string, path: Buffer): string {
  const file = Buffer.concat([Buffer.from(`${folder}/`), path]);
  const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.ino} ${stats.size} ${stats.ctimeNs}` : 'gone';
}
