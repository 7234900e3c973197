// Files of the workspace that differ from what its repository has staged, and new ones; ignored ones are not among them.
import { type GitPlace, git } from '../git.ts';
import { splitNames } from '../git-caller.ts';

const most = 16 * 1024 * 1024;

/** From the root; null: there is no repository that can tell. */
export async function changedFiles(place: GitPlace): Promise<Buffer[] | null> {
  const args = ['ls-files', '-z', '--modified', '--others', '--exclude-standard', '--deduplicate'];
  const answer = await git(place, { args, mostBytes: most });
  if (!answer.ok || answer.cut) return null;
  return splitNames(answer.bytes);
}
