// Branches of ours in the repository of a person: who made one, what is in its way, and moving it in one step or not at all.
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { commitOf } from '../trees/trees.ts';
import { pastStaleLock } from './ref-lock.ts';

/** Without `refs/heads/`. */
export async function branchNames(repository: GitCaller): Promise<string[]> {
  const { bytes } = await repository.run({ args: ['for-each-ref', '--format=%(refname)', 'refs/heads'] });
  const names = bytes.toString('utf8').split('\n');
  return names.flatMap((name) => (name === '' ? [] : name.slice('refs/heads/'.length)));
}

/** A branch that makes one of this name impossible: git keeps `a` as a file and `a/b` in a folder. */
export function branchInTheWay(names: readonly string[], branch: string, ignoresCase: boolean): string | null {
  const fold = (name: string) => (ignoresCase ? name.toLowerCase() : name);
  const wanted = fold(branch);
  const isInTheWay = (name: string) =>
    wanted.startsWith(`${fold(name)}/`) ||
    fold(name).startsWith(`${wanted}/`) ||
    (name !== branch && fold(name) === wanted);
  return names.find(isInTheWay) ?? null;
}

/** What was noted when the branch was made; null: nothing says. */
export async function makerOf(repository: GitCaller, branch: string): Promise<string | null> {
  const args = ['log', '--walk-reflogs', '--format=%gs', `refs/heads/${branch}`, '--'];
  const { bytes, code } = await repository.run({ args, answers: [0, 128] });
  // The newest first; a move may have no note.
  return code === 0 && bytes.length > 0 ? bytes.toString('utf8').replace(/\n$/, '').split('\n').at(-1)! : null;
}

export interface BranchMove {
  readonly branch: string;
  /** Null: it is not there yet. */
  readonly from: string | null;
  readonly to: string;
  /** Noted beside the move. */
  readonly note: string;
}

/** False: it stands elsewhere by now, and nothing was changed. */
export async function moveBranch(repository: GitCaller, { branch, from, to, note }: BranchMove): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  // An empty old value: it must not be there.
  const args = ['update-ref', '--create-reflog', '-m', note, ref, to, from ?? ''];
  return pastStaleLock(repository, ref, async (settings) => {
    try {
      await repository.run({ args, settings });
      return true;
    } catch (error) {
      if (!(error instanceof GitTrouble)) throw error;
      const stands = await commitOf(repository, ref);
      if (stands === from) throw error;
      // Git may have ended badly behind its last step; but a new branch may be another's.
      return from !== null && stands === to;
    }
  });
}

/** For a branch that nobody else moves. */
export async function setBranch(repository: GitCaller, branch: string, commit: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  await pastStaleLock(repository, ref, (settings) => repository.run({ args: ['update-ref', ref, commit], settings }));
}

/** How many commits of one are not in the other. */
export async function commitsBeyond(repository: GitCaller, head: string, tip: string): Promise<number> {
  return Number(await repository.line({ args: ['rev-list', '--count', head, `^${tip}`] }));
}
