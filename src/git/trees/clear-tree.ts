// A tree that nobody works in any more stands again where it should: operations are given up, changes dropped, and what git does not know
// is removed, but for ignored files: installed packages are worth keeping. Whoever wants to keep something has committed it before.
import type { GitCaller } from '../git-caller.ts';

/** @param commit where it stands then, on no branch; absent: where it stands now. */
export async function clearTree(repository: GitCaller, folder: string, commit?: string): Promise<void> {
  for (const operation of ['rebase', 'am', 'bisect']) {
    const args = operation === 'bisect' ? ['bisect', 'reset', 'HEAD'] : [operation, '--quit'];
    await repository.run({ args }, folder).catch(() => undefined);
  }
  await repository.run({ args: ['reset', '--hard', '--quiet'] }, folder);
  if (commit !== undefined) {
    await repository.run({ args: ['checkout', '--detach', '--force', '--quiet', commit] }, folder);
  }
  // Not twice `-f`: a repository inside of it may have commits.
  await repository.run({ args: ['clean', '-d', '--force', '--quiet'] }, folder);
}
