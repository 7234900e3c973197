// Work of runs with worktrees that is not among the results: branches of attempts with commits that were not merged, and trees with
// changes that nobody committed. What exists counts: an attempt may have been killed before its end was recorded.

import type { PlanPath } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { changedEntries } from '../../git/commits/changed-entries.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import { withTreeNow } from '../../git/trees/tree-now.ts';
import { commitOf, listTrees, type TreeEntry } from '../../git/trees/trees.ts';
import { attemptsOf, isOfResults, ownerOf } from './attempt-branch.ts';
import { beginningOf } from './attempt-changes.ts';
import type { RecordedAttempt, RecordedWork } from './recorded-work.ts';

export interface PlanResults {
  readonly plan: PlanPath;
  readonly recorded: RecordedWork;
  /** Attempts that are at work now. */
  readonly live: ReadonlySet<string>;
  readonly isApart: (path: Buffer) => boolean;
}

export interface UnmergedWork {
  /** The branch without what all of them begin with: `plan/api.1`. */
  readonly id: string;
  readonly plan: PlanPath;
  readonly task: string;
  readonly attempt: string;
  readonly at: number;
  readonly reason: string;
  readonly branch: string;
  /** Where the results stood when it began. */
  readonly base: string;
  readonly head: string;
  /** That are not among the results. */
  readonly commits: number;
  readonly files: number;
  /** Where there are changes that nobody committed. */
  readonly tree: string | null;
}

export async function unmergedWork(repository: GitCaller, plans: readonly PlanResults[]): Promise<UnmergedWork[]> {
  const isolated = plans.filter(({ recorded }) => recorded.isolation !== null);
  if (isolated.length === 0) return [];
  const trees = (await listTrees(repository)).filter(({ isGone }) => !isGone);
  const all: UnmergedWork[] = [];
  for (const plan of isolated) all.push(...(await ofPlan(repository, plan, plan.recorded.isolation!, trees)));
  return all.sort((a, b) => a.at - b.at);
}

export interface AttemptBranch {
  readonly name: string;
  readonly head: string;
  readonly at: number;
}

/** The branches of attempts. @param merged only those whose commits are all there */
export async function attemptBranches(
  repository: GitCaller,
  isolation: Isolation,
  merged?: string,
): Promise<AttemptBranch[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(committerdate:unix)';
  const which = merged === undefined ? [] : [`--merged=${merged}`];
  const args = ['for-each-ref', format, ...which, `refs/heads/${attemptsOf(isolation)}`];
  const lines = (await repository.line({ args })).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [ref, head, at] = line.split('\0') as [string, string, string];
    return { name: ref.slice('refs/heads/'.length), head, at: Number(at) * 1000 };
  });
}

/** Where results stand: those of the branch, and of earlier rounds. */
export async function resultTips(
  repository: GitCaller,
  { branch }: Isolation,
  { kept }: RecordedWork,
): Promise<string[]> {
  const tips: string[] = [];
  for (const name of [branch, ...kept]) {
    const tip = await commitOf(repository, `refs/heads/${name}`);
    if (tip !== null) tips.push(tip);
  }
  return tips;
}

async function ofPlan(
  repository: GitCaller,
  { plan, recorded, live, isApart }: PlanResults,
  isolation: Isolation,
  trees: readonly TreeEntry[],
): Promise<UnmergedWork[]> {
  const tips = await resultTips(repository, isolation, recorded);
  const isMerged = new Set<string>();
  for (const tip of tips) for (const { name } of await attemptBranches(repository, isolation, tip)) isMerged.add(name);
  const found: UnmergedWork[] = [];
  for (const { name: branch, head, at } of await attemptBranches(repository, isolation)) {
    const isByHand = isOfResults(branch, isolation);
    const owner = isByHand ? null : ownerOf(branch, isolation, recorded.attempts);
    if (!owner && !isByHand) continue;
    const known = recorded.attempts.find((one) => one === owner);
    const task = owner?.task ?? 'integration';
    const attempt = owner === null ? task : `${task}#${owner.number}`;
    if (live.has(attempt)) continue;
    const tree = trees.find((one) => one.branch === branch);
    const isDirty = tree !== undefined && (await hasChanges(repository, tree.folder, isApart));
    if (isMerged.has(branch) && !isDirty) continue;
    const base = isMerged.has(branch)
      ? head
      : (baseIn(known, branch) ?? (await beginningOf(repository, isolation, head)));
    const files = await changedFiles(repository, { base, head, tree: isDirty ? tree.folder : null, isApart });
    if (files === 0) continue;
    const args = ['rev-list', '--count', head, ...(tips.length === 0 ? [base] : tips).map((one) => `^${one}`)];
    found.push({
      ...{ id: branch.slice('signalbox-attempts/'.length), plan, task, attempt, branch, base, head, files },
      at: known?.endedAt || at,
      reason: isByHand ? 'changed where the results are seen' : reasonOf(recorded.attempts, attempt),
      commits: Number(await repository.line({ args })),
      tree: isDirty ? tree.folder : null,
    });
  }
  return found;
}

/** What is on the branch beside it may have begun elsewhere. */
const baseIn = (known: RecordedAttempt | undefined, branch: string): string | undefined =>
  known?.work?.branch === branch ? known.work.base : undefined;

function reasonOf(attempts: readonly RecordedAttempt[], attempt: string): string {
  const found = attempts.find((one) => one.attempt === attempt);
  if (!found?.end) return 'its end was not recorded';
  if (found.merge === 'merged') return 'changed after it was merged';
  if (found.merge === 'conflict') return 'in conflict with the results';
  if (found.merge === 'red') return 'red when merged';
  return found.end.kind === 'killed' ? 'stopped before it was merged' : 'not merged';
}

async function hasChanges(repository: GitCaller, folder: string, isApart: (path: Buffer) => boolean): Promise<boolean> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=none'];
  return (await repository.names({ args }, folder)).some((one) => !isApart(one.subarray(3)));
}

interface Changed {
  readonly base: string;
  readonly head: string;
  readonly tree: string | null;
  readonly isApart: (path: Buffer) => boolean;
}

async function changedFiles(repository: GitCaller, { base, head, tree, isApart }: Changed): Promise<number> {
  const count = async (to: string, variables: Readonly<Record<string, string>> = {}) => {
    const entries = await changedEntries(repository, ['diff-tree', '-r', '--no-renames', base, to], { variables });
    return entries.filter(({ path }) => !isApart(path)).length;
  };
  if (tree === null) return count(head);
  return withTreeNow(repository, { folder: tree, isApart }, ({ tree: now, variables }) => count(now, variables));
}
