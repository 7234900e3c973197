// Whether git ignores a path, by all of its rules: those of the repository and those of the person.
import { type GitCaller, GitTrouble } from '../git-caller.ts';

/** Also of a path where nothing is yet. False as well where git cannot say it, such as behind a symlink. @param path from the caller's folder on */
export async function isIgnored(caller: GitCaller, path: string): Promise<boolean> {
  const args = ['--no-literal-pathspecs', 'check-ignore', '--quiet', '--no-index', '--', `./${path}`];
  try {
    return (await caller.run({ args, answers: [0, 1] })).code === 0;
  } catch (error) {
    if (error instanceof GitTrouble) return false;
    throw error;
  }
}
