// Copies ignored files of the workspace into a new tree: plain files alone, to where no link leads out of the tree.
import { lstatSync } from 'node:fs';
import { countWords } from '../../core/model/count-words.ts';
import { nameOf, onDisk, shownName } from '../../files/disk/disk-name.ts';
import { placeFile } from '../../files/place-file.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import { includedFiles } from '../../git/trees/included-files.ts';

export interface IncludeOrder {
  /** The workspace. */
  readonly from: GitCaller;
  /** The same place inside of the tree. */
  readonly to: GitCaller;
  readonly patterns: readonly string[];
  /** Whether it never counts, by its path from the workspace: outputs of plans. */
  readonly isApart: (path: Buffer) => boolean;
}

/** A list that names a folder of packages or of results means something else. */
export const mostBytes = 200 * 1024 * 1024;
const mostFiles = 5_000;

/** @returns what is to be said about it */
export async function copyIncluded({ from, to, patterns, isApart }: IncludeOrder): Promise<string[]> {
  const named = (await includedFiles(from.place, patterns)).filter((path) => !isApart(path));
  if (named.length === 0) return [];
  const tracked = new Set((await to.names({ args: ['ls-files', '-z'] })).map((path) => path.toString('latin1')));
  const [left, hindered]: [string[], string[]] = [[], []];
  let [bytes, files] = [0, 0];
  for (const path of named) {
    if (tracked.has(path.toString('latin1'))) continue;
    const name = nameOf(path);
    const stats = lstatSync(onDisk(from.place.root, name), { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    if (bytes + stats.size > mostBytes || files === mostFiles) {
      left.push(shownName(name));
      continue;
    }
    bytes += stats.size;
    files++;
    const file = { kind: 'file', from: onDisk(from.place.root, name), mode: stats.mode & 0o777 } as const;
    const hindrance = await placeFile(to.place.root, name, file, null);
    if (hindrance !== null) hindered.push(`${shownName(name)} was not copied: it ${hindrance}`);
  }
  return left.length === 0 ? hindered : [...hindered, tooMuch(left)];
}

const tooMuch = (left: readonly string[]): string =>
  `${countWords(left.length, 'ignored file')} not copied (${left[0]} for one): a new tree gets at most ${countWords(mostFiles, 'file')} and ${mostBytes / 1024 / 1024} MB; let worktree.setup make the rest`;
