// What is in a tree at this moment, committed or not, as one tree of git. The repository and the index of whoever works there are not
// touched: new objects and the index are in a folder that is thrown away.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changedPaths, unmergedFiles } from '../commits/commit-work.ts';
import type { GitCaller } from '../git-caller.ts';

export interface TreeNow {
  readonly tree: string;
  /** With these, git finds its objects. */
  readonly variables: Readonly<Record<string, string>>;
}

/** @param isApart whether it never counts, by its path from the top of the tree */
export async function withTreeNow<T>(
  repository: GitCaller,
  { folder, isApart }: { readonly folder: string; readonly isApart: (path: Buffer) => boolean },
  look: (now: TreeNow) => Promise<T>,
): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), 'signalbox-now-'));
  try {
    const asked = ['--git-path', 'index', '--git-path', 'objects'];
    const [index, objects] = (await repository.line({ args: ['rev-parse', ...asked] }, folder)).split('\n');
    const own = { index: join(temporary, 'index'), objects: join(temporary, 'objects') };
    mkdirSync(own.objects);
    const theirs = resolve(folder, index!);
    // It knows which files have not changed.
    if (existsSync(theirs)) copyFileSync(theirs, own.index);
    const objectsThere = {
      GIT_OBJECT_DIRECTORY: own.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(resolve(folder, objects!)),
    };
    const variables = { ...objectsThere, GIT_INDEX_FILE: own.index };
    const { paths } = await changedPaths(repository, { folder, isApart });
    const unmerged = await unmergedFiles(repository, folder);
    const input = Buffer.concat([...paths, ...unmerged].flatMap((path) => [path, Buffer.of(0)]));
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
    if (input.length > 0) await repository.run({ args, input, variables }, folder);
    const tree = await repository.line({ args: ['write-tree'], variables }, folder);
    return await look({ tree, variables: objectsThere });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
