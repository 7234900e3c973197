// Whether the repository keeps files in Git LFS. Without its filters such a file is a pointer of three lines.
import { lstatSync, readFileSync } from 'node:fs';
import { type GitPlace, git } from '../git.ts';
import { splitNames } from '../git-caller.ts';
import { findGitFolders } from '../git-folders.ts';

const largest = 1024 * 1024;
const most = 64 * 1024 * 1024;

/** By the attributes of the checkout; no where there is no repository, or none that can tell. */
export async function usesLfs(place: GitPlace): Promise<boolean> {
  const folders = findGitFolders(place.root);
  if (folders === null) return false;
  const { top, common } = folders;
  const listed = await git({ ...place, root: top }, { args: ['ls-files', '-z'], mostBytes: most });
  const tracked = listed.ok ? splitNames(listed.bytes) : [];
  const attributes = tracked.filter((path) => /(?:^|\/)\.gitattributes$/.test(path.toString('latin1')));
  const files = attributes.map((path) => Buffer.concat([Buffer.from(`${top}/`), path]));
  return [...files, Buffer.from(`${common}/info/attributes`)].some(namesLfs);
}

function namesLfs(file: Buffer): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= largest && /\sfilter=lfs(?:\s|$)/.test(readFileSync(file, 'latin1'));
}
