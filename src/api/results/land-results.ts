// Brings the results of a plan to the person's branch: the branch, its files and its index together, or nothing of it.

import { listWords } from '../../core/model/count-words.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { nameOf, shownName } from '../../files/disk/disk-name.ts';
import { branchIn, moveCheckout, type PreparedMove, prepareMove, topOf } from '../../git/commits/checkout.ts';
import { commitTree } from '../../git/commits/commit-work.ts';
import { isContained, mergeInto } from '../../git/commits/merge.ts';
import { openOperations } from '../../git/commits/open-operations.ts';
import { GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { commitOf } from '../../git/trees/trees.ts';
import type { LandReport } from '../reports/results.ts';

export interface Landing {
  readonly repository: GitCaller;
  readonly plan: PlanPath;
  readonly title: string;
  /** Null: no run of the plan had worktrees. */
  readonly isolation: Isolation | null;
  /** The last commit that a merge made on the branch of results, in case that branch is gone. */
  readonly lastMerge: string | null;
  /** The plan was started over since; the last of the branches keeps its results. */
  readonly isOver?: boolean;
  readonly kept?: readonly string[];
}

interface LandOptions {
  readonly dryRun: boolean;
  /** A run of the plan goes on: more may come. */
  readonly isRunning: boolean;
  /** Absent: the plan was run. */
  readonly hasRun?: boolean;
}

/** Never throws for what git or the person's files are like. */
export async function landResults(
  landing: Landing,
  { dryRun, isRunning, hasRun = true }: LandOptions,
): Promise<LandReport> {
  const { isolation, plan } = landing;
  if (isolation === null) return { ...nothingOf(landing), ...whyNothing(plan, hasRun) };
  if (landing.isOver) return { ...nothingOf(landing), because: overWords(landing) };
  if (isRunning)
    return {
      ...{ ...nothingOf(landing), result: 'refused', because: `a run of ${plan} is going on` },
      instead: 'land when it has ended, or end it: signalbox stop',
    };
  // An agent may have changed who commits here.
  const repository = new GitCaller({ ...landing.repository.place, committer: isolation.committer });
  try {
    return await landed({ ...landing, repository }, isolation, dryRun);
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    const instead = error.message.includes('index.lock')
      ? 'another git is at work in this repository, or was killed there: if none is, remove the lock that git names, then land again'
      : 'signalbox doctor looks at git and the repository; landing again is safe';
    return { ...nothingOf(landing), result: 'refused', because: error.message, instead };
  }
}

function whyNothing(plan: PlanPath, hasRun: boolean): Pick<LandReport, 'because' | 'instead'> {
  if (!hasRun) return { because: `${plan} was never run`, instead: 'run it: signalbox run' };
  return {
    because: `${plan} was run without worktrees, so what its tasks made is in the workspace already`,
    instead: 'to gather the results of the next run on a branch: signalbox run --isolation worktree',
  };
}

function overWords({ plan, kept = [] }: Landing): string {
  const before = kept.at(-1);
  const way = before === undefined ? '' : `; those of before: git merge ${before}`;
  return `${plan} was started over, and has no new results yet${way}`;
}

const nothingOf = ({ plan, isolation }: Landing): LandReport => ({
  plan,
  branch: isolation?.branch ?? null,
  onto: isolation?.onto ?? null,
  result: 'nothing',
  how: null,
  before: null,
  commit: null,
  commits: 0,
  files: [],
  because: null,
  instead: null,
});

async function landed(landing: Landing, isolation: Isolation, dryRun: boolean): Promise<LandReport> {
  const { repository } = landing;
  const { branch, onto } = isolation;
  const nothing = nothingOf(landing);
  const refused = (because: string, instead: string, files: readonly string[] = []): LandReport => ({
    ...{ ...nothing, result: 'refused', because, instead, files },
  });
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === null) return refused(`the branch ${branch} is gone`, await wayBack(landing, branch));
  if (onto === undefined)
    return refused(
      'no branch was checked out when the run began, so there is none to land on',
      `check out the branch that is to have the results, then: git merge ${branch}`,
    );
  const top = await topOf(repository, repository.place.root);
  const current = await branchIn(repository, top);
  const head = await commitOf(repository, 'HEAD', top);
  if (current !== onto || head === null)
    return refused(
      `the run began on ${onto}, and ${current === null ? 'no branch' : current} is checked out now`,
      `git switch ${onto}, then land again; or bring the results to what is checked out: git merge ${branch}`,
    );
  const [begun] = await openOperations(repository, top);
  if (begun !== undefined)
    return refused(`${begun} was begun in ${top} and not ended`, 'end it with git, then land again');
  if (await isContained(repository, tip, head))
    return { ...nothing, before: head, because: `${onto} has everything of ${branch}` };
  const commits = Number(await repository.line({ args: ['rev-list', '--count', `${head}..${tip}`] }));
  const next = await nextOf(landing, { head, tip });
  if (next.kind === 'refused')
    return refused(next.because, `merge by hand: git merge ${branch}; git merge --abort takes that back`, next.files);
  const move = await prepareMove(repository, { top, from: head, to: next.to });
  const files = move.changed.map(({ path }) => shown(path));
  if (move.inTheWay.length > 0) {
    const names = move.inTheWay.map(shown);
    const verb = names.length === 1 ? 'is' : 'are';
    return refused(
      `${listWords(names)} would be overwritten, and ${verb} not committed`,
      'commit, stash or remove your version, then land again',
      names,
    );
  }
  const plain = { ...nothing, how: next.kind, before: head, commits, files };
  if (dryRun) return { ...plain, result: 'would-land' };
  const commit = next.kind === 'fast-forward' ? tip : await mergeCommit(landing, { head, tip, tree: next.to, branch });
  await moveCheckout(repository, { top, from: head, to: commit, branch: onto, done: move.done });
  return { ...plain, result: 'landed', commit };
}

const shown = (path: PreparedMove['inTheWay'][number]): string => shownName(nameOf(path));

async function wayBack({ repository, lastMerge }: Landing, branch: string): Promise<string> {
  const isThere = lastMerge !== null && (await commitOf(repository, lastMerge)) !== null;
  return isThere
    ? `its last commit is still here: git branch ${branch} ${lastMerge}`
    : 'signalbox saved shows what attempts have left';
}

/** @param to a commit or a tree */
type Next =
  | { readonly kind: 'fast-forward' | 'merge'; readonly to: string }
  | { readonly kind: 'refused'; readonly because: string; readonly files: readonly string[] };

async function nextOf(
  { repository, isolation }: Landing,
  { head, tip }: { readonly head: string; readonly tip: string },
): Promise<Next> {
  if (await isContained(repository, head, tip)) return { kind: 'fast-forward', to: tip };
  const merged = await mergeInto(repository, head, tip);
  if (merged.kind === 'clean') return { kind: 'merge', to: merged.tree };
  const { branch, onto } = isolation!;
  const files = listWords(merged.files);
  const because =
    merged.kind === 'conflict'
      ? `${onto} and ${branch} both changed ${files}, and git cannot merge that by itself`
      : `merging ${branch} into ${onto} would take back what one side changed in ${files}`;
  return { kind: 'refused', because, files: merged.files };
}

interface MergeOf {
  readonly head: string;
  readonly tip: string;
  readonly tree: string;
  readonly branch: string;
}

function mergeCommit({ repository, plan, title }: Landing, { head, tip, tree, branch }: MergeOf): Promise<string> {
  const message = `Merge ${branch}: ${title.replaceAll(/\s+/g, ' ')}\n\nSignalbox-Plan: ${plan}\n`;
  return commitTree(repository, { tree, parents: [head, tip], message });
}
