// Makes a folder for outputs. What a repository put in its way (a link, a file) is not written through.
import { lstatSync, mkdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Something that is no plain folder is in the way. */
export class NoPlainFolder extends Error {
  /** As errors of the file system have one. */
  readonly code = 'ENOTDIR';

  constructor(folder: string) {
    super(`${folder} is a link or no folder, and nothing is written through it`);
  }
}

/** @param root the workspace; every folder below it is a plain one, or is made. */
export function makeOutputFolder(root: string, folder: string): void {
  let at = root;
  for (const name of relative(root, folder).split(sep)) {
    at = join(at, name);
    const there = lstatSync(at, { throwIfNoEntry: false });
    // Recursive, because another process may be faster.
    if (!there) mkdirSync(at, { recursive: true });
    else if (!there.isDirectory()) throw new NoPlainFolder(at);
  }
}
