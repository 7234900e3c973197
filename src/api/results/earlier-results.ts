// The results of a round when its plan is started over. Their branch gets another name, `signalbox/<plan>.<round>`, and the next run begins
// where the person's branch stands. What that has already needs no name of its own.
//
// The new name is there before the log says anything, the old one goes after that: whoever is killed in between has lost nothing, and the
// next run knows by the commit that the old branch was set aside (choose-isolation.ts).
import type { EarlierResults } from '../../core/model/event.ts';
import { branchNames, commitsBeyond, moveBranch } from '../../git/commits/branches.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { removeBranch } from '../../git/trees/remove-tree.ts';
import { commitOf } from '../../git/trees/trees.ts';

export interface FoundResults {
  readonly results: EarlierResults;
  /** How many of its commits the person's branch does not have; null: it has none at all. */
  readonly commits: number | null;
}

/** Null: the branch is gone. */
export async function findResults(repository: GitCaller, branch: string, round: number): Promise<FoundResults | null> {
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === null) return null;
  const head = await commitOf(repository, 'HEAD');
  const commits = head === null ? null : await commitsBeyond(repository, tip, head);
  if (commits === 0) return { results: { branch, tip }, commits };
  const kept = await freeName(repository, `${branch}.${round}`, tip);
  return { results: { branch, tip, kept }, commits };
}

/** One that stands there already was made by a reset that was killed. */
async function freeName(repository: GitCaller, wanted: string, tip: string): Promise<string> {
  const names = new Set(await branchNames(repository));
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!names.has(name) || (await commitOf(repository, `refs/heads/${name}`)) === tip) return name;
  }
}

/** False: somebody else has just made a branch of that name. */
export async function keepResults(repository: GitCaller, { kept, tip, branch }: EarlierResults): Promise<boolean> {
  if (kept === undefined || (await commitOf(repository, `refs/heads/${kept}`)) === tip) return true;
  return moveBranch(repository, {
    branch: kept,
    from: null,
    to: tip,
    note: `signalbox: kept when ${branch} began anew`,
  });
}

/** Only where another name keeps its commits, and nobody has it checked out or has moved it. One that stays is known as set aside. */
export async function dropOldName(repository: GitCaller, { kept, tip, branch }: EarlierResults): Promise<void> {
  if (kept === undefined) return;
  await removeBranch(repository, branch, tip).catch((error: Error) => {
    if (!(error instanceof GitTrouble)) throw error;
  });
}
