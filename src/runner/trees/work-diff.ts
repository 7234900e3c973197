// What an attempt in a tree of its own has changed, for whoever reviews it.
import type { WorkOnBranch } from '../../core/model/failure.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import type { AttemptDiff } from '../attempts/attempt-diff.ts';

const mostBytes = 100_000;

export async function workDiff(repository: GitCaller, { base, head }: WorkOnBranch): Promise<AttemptDiff> {
  const args = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', base, head];
  const { bytes, cut } = await repository.run({ args, mostBytes });
  return { text: bytes.toString('utf8'), cut, notes: [] };
}

/** What differs in a tree from what was committed. Whoever only looks leaves it as it was. */
export async function lookOf(repository: GitCaller, folder: string): Promise<readonly string[]> {
  const head = await repository.line({ args: ['rev-parse', 'HEAD'] }, folder);
  const status = await repository.names({ args: ['status', '--porcelain', '-z', '--no-renames'] }, folder);
  return [`HEAD ${head}`, ...status.map(String)];
}
