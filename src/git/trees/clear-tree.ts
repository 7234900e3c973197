// A tree that nobody works in any more stands again where it should: operations are given up, changes dropped, and what git does not know
// is removed, but for ignored files: installed packages are worth keeping. Whoever wants to keep something has committed it before.
import { pastStaleLock } from '../commits/ref-lock.ts';
import type { GitCaller } from '../git-caller.ts';
import type { Overrides } from '../switched-off.ts';

export async function clearTree(repository: GitCaller, folder: string): Promise<void> {
  for (const operation of ['rebase', 'am', 'bisect']) {
    const args = operation === 'bisect' ? ['bisect', 'reset', 'HEAD'] : [operation, '--quit'];
    await repository.run({ args }, folder).catch(() => undefined);
  }
  const drop = (settings: Overrides = []) => repository.run({ args: ['reset', '--hard', '--quiet'], settings }, folder);
  const { bytes, code } = await repository.run({ args: ['symbolic-ref', '--quiet', 'HEAD'], answers: [0, 1] }, folder);
  // A git that was killed may have left a lock of the branch, which would be in the way of the person's own git, too.
  await (code === 0 ? pastStaleLock(repository, bytes.toString('utf8').trim(), drop) : drop());
  // Not twice `-f`: a repository inside of it may have commits.
  await repository.run({ args: ['clean', '-d', '--force', '--quiet'] }, folder);
}
