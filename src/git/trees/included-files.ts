// Ignored files that a new tree gets: those that `.worktreeinclude` of the workspace or the settings name, in the form of `.gitignore`,
// and that git ignores. What is tracked comes with the commit, and what is neither is somebody's unfinished work.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitPlace } from '../git.ts';
import { GitCaller } from '../git-caller.ts';
import { findGitFolders } from '../git-folders.ts';

export const includeFile = '.worktreeinclude';

const largestList = 256 * 1024;

/** From the workspace, links and other odd files among them; never one of git's or of ours. */
export async function includedFiles(place: GitPlace, patterns: readonly string[]): Promise<Buffer[]> {
  const list = join(place.root, includeFile);
  const found = lstatSync(list, { throwIfNoEntry: false });
  const isList = found?.isFile() === true && found.size <= largestList;
  const how = [...(isList ? [`--exclude-from=${list}`] : []), ...patterns.map((pattern) => `--exclude=${pattern}`)];
  const folders = findGitFolders(place.root);
  if (how.length === 0 || folders === null) return [];
  const caller = new GitCaller(place);
  // With the workspace as the top, so that patterns are about it also where it is a folder of the repository. No index: what is tracked
  // is left out below.
  const variables = {
    GIT_DIR: folders.own,
    GIT_WORK_TREE: place.root,
    GIT_INDEX_FILE: join(folders.own, 'signalbox-no-index'),
  };
  const named = await caller.names({ args: ['ls-files', '-z', '--others', '--ignored', ...how], variables });
  const files = named.filter((path) => !isNever.test(path.toString('latin1')));
  if (files.length === 0) return [];
  // It takes paths for patterns, and none that is marked as literal. One that begins with a dot and a slash is neither.
  const input = Buffer.concat(files.flatMap((path) => [here, path, Buffer.of(0)]));
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin'];
  return (await caller.names({ args, input, answers: [0, 1] })).map((path) => path.subarray(here.length));
}

const here = Buffer.from('./');

/** A folder stands for a repository in it. */
const isNever = /(?:^|\/)\.(?:git|signalbox)(?:\/|$)|\/$/i;
