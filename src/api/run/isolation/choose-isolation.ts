// Where the attempts of a run work, and why. It only looks, so that `check` and `--dry-run` say what `run` says; begin-isolation.ts then
// makes the branch.
//
//   --isolation, else `isolation:` of the plan or the settings     as asked, or a refusal with the way out
//   else a run of this plan had worktrees before                   worktrees again: its results are there
//   else a coding agent performs a task, on good ground            worktrees
//   else                                                           all share the workspace
import { relative, sep } from 'node:path';
import { agentNamed, kindOf } from '../../../agents/kind.ts';
import { baseEnvironment } from '../../../agents/process/base-environment.ts';
import type { IsolationKind, Plan } from '../../../core/model/plan.ts';
import { branchInTheWay, branchNames, commitsBeyond, makerOf } from '../../../git/commits/branches.ts';
import { isContained } from '../../../git/commits/merge.ts';
import { hasGit } from '../../../git/git.ts';
import { GitCaller, GitTrouble } from '../../../git/git-caller.ts';
import { type BadGround, type GoodGround, lookAtGround } from '../../../git/ground/ground.ts';
import { commitOf, listTrees } from '../../../git/trees/trees.ts';
import { Refusal } from '../../refusal.ts';
import { GitRecord } from '../../trust/git-record.ts';
import type { Workspace } from '../../workspace.ts';
import type { EarlierRuns } from '../earlier-runs.ts';
import { badGroundWords, clashWords, goodGroundWords, type Obstacle, seeGit } from './ground-words.ts';
import { branchOf, resultNames, workspaceId } from './results-name.ts';
import { treesPlace } from './trees-place.ts';

export interface IsolationAsked {
  readonly workspace: Workspace;
  /** With the settings filled in. */
  readonly plan: Plan;
  /** By task, what the run is about; null: everything. */
  readonly selected: Uint8Array | null;
  /** Said for this run. */
  readonly asked: IsolationKind | null;
  readonly includeChanges: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly earlier: EarlierRuns;
  /** Whether coding agents get worktrees without being asked for. */
  readonly byDefault: boolean;
}

export interface Note {
  readonly text: string;
  readonly kind: 'warning' | 'remark';
}

export type ChosenIsolation =
  | { readonly kind: 'shared'; readonly because: string; readonly notes: readonly Note[] }
  | WorktreesChosen;

export interface WorktreesChosen {
  readonly kind: 'worktree';
  /** Completes "worktrees, because …". */
  readonly because: string;
  readonly notes: readonly Note[];
  readonly ground: GoodGround;
  readonly results: Results;
  /** The folder of the plan's trees. */
  readonly trees: string;
}

/** The branch on which results gather. */
export interface Results {
  readonly branch: string;
  /** Where it stands; null: it is not there yet. */
  readonly tip: string | null;
  /** Where it stands when the run begins. */
  readonly base: string;
  /** Written down where it is made, so that it is known as ours. */
  readonly maker: string;
}

export async function chooseIsolation(asked: IsolationAsked): Promise<ChosenIsolation> {
  const chosen = await choose(asked).catch(refuseTrouble);
  if (chosen.kind === 'worktree' || !asked.includeChanges) return chosen;
  throw new Refusal(2, `--include-changes is for worktrees, and agents share the workspace: ${chosen.because}`, {
    instead: 'leave it out, or add --isolation worktree',
  });
}

/** Git could not say or do it. */
export function refuseTrouble(error: Error): never {
  if (!(error instanceof GitTrouble)) throw error;
  throw noTrees({ because: error.message, help: seeGit });
}

async function choose(asked: IsolationAsked): Promise<ChosenIsolation> {
  const { plan, workspace, earlier } = asked;
  const said = asked.asked ?? plan.isolation ?? null;
  const wanted = earlier.unfinished ?? said;
  if (earlier.unfinished !== null && asked.asked !== null && asked.asked !== wanted) throw otherThanLive(wanted!);
  if (wanted === 'shared') return { kind: 'shared', because: whoSaid(asked), notes: await leftBehind(asked) };
  const because = wanted === 'worktree' ? whoSaid(asked) : whyByDefault(asked);
  if (because === null) return { kind: 'shared', because: 'no coding agent performs a task', notes: [] };
  const repository = gitOf(workspace, asked.env);
  const found = await findGround(repository, asked);
  if ('obstacle' in found) {
    const { obstacle, isPlain } = found;
    if (wanted === 'worktree') throw noTrees(obstacle);
    const text = `agents share the workspace: ${obstacle.because}`;
    const notes: Note[] = [{ text, kind: isPlain ? 'remark' : 'warning' }];
    return { kind: 'shared', because: obstacle.because, notes };
  }
  const { ground, folder } = found;
  const { results, name } = await findResults(repository, asked, ground);
  const warnings = [
    ...goodGroundWords(ground, asked.includeChanges, new GitRecord(asked.workspace).standing() === 'trusted'),
    ...(await behindWords(repository, ground, results)),
  ];
  return {
    kind: 'worktree',
    because,
    notes: warnings.map((text) => ({ text, kind: 'warning' as const })),
    ground,
    results,
    trees: earlier.trees ?? `${folder}/${name}`,
  };
}

export const gitOf = ({ root }: Workspace, env: IsolationAsked['env']): GitCaller =>
  new GitCaller({ root, environment: baseEnvironment(env) });

/** What we write ourselves is nobody's change: from the root of the workspace. */
export const ownFiles = ({ root, stateFolder, outputsFolder, currentPlanFile }: Workspace): string[] =>
  [stateFolder, outputsFolder, currentPlanFile].map((path) => relative(root, path).split(sep).join('/'));

function whoSaid({ asked, earlier }: IsolationAsked): string {
  if (earlier.unfinished !== null) return 'attempts of the last run are not judged yet';
  return asked === null ? 'the plan or signalbox.yaml says so' : '--isolation says so';
}

/** Null: nothing speaks for worktrees. */
function whyByDefault({ plan, workspace, selected, earlier, byDefault }: IsolationAsked): string | null {
  if (earlier.branch !== null) return 'the plan was run with worktrees before';
  if (!byDefault) return null;
  const isByCodingAgent = plan.tasks.some(({ group, keys: { run, agent: name } }, i) => {
    if (group || selected?.[i] === 0 || run !== undefined || name === undefined) return false;
    const agent = agentNamed(workspace.settings, name);
    return agent !== null && kindOf(agent)?.known != null;
  });
  return isByCodingAgent ? 'coding agents work in a git repository' : null;
}

/** Results of earlier runs that the workspace does not have. */
async function leftBehind({ earlier: { branch }, workspace, env }: IsolationAsked): Promise<Note[]> {
  if (branch === null) return [];
  const repository = gitOf(workspace, env);
  if (!hasGit(repository.place)) return [];
  const [tip, head] = [await commitOf(repository, `refs/heads/${branch}`), await commitOf(repository, 'HEAD')];
  if (tip === null || head === null || (await isContained(repository, tip, head))) return [];
  const text = `results of earlier runs are on ${branch} and not in the workspace: git merge ${branch} brings them`;
  return [{ text, kind: 'warning' }];
}

const otherThanLive = (last: IsolationKind): Refusal =>
  new Refusal(2, `attempts of the last run are not judged yet, and it was run with --isolation ${last}`, {
    instead: 'run it without --isolation until they are',
  });

const noTrees = ({ because, help }: Obstacle): Refusal =>
  new Refusal(2, `there can be no worktrees: ${because}`, {
    instead: `${help}; or let agents share the workspace: --isolation shared, or "isolation: shared" in the plan`,
  });

type GroundFound =
  | { readonly ground: GoodGround; readonly folder: string }
  /** `isPlain`: nothing is wrong, there is only no repository. */
  | { readonly obstacle: Obstacle; readonly isPlain: boolean };

async function findGround(repository: GitCaller, { workspace, plan, env }: IsolationAsked): Promise<GroundFound> {
  const { root } = workspace;
  const ground = await lookAtGround(repository, ownFiles(workspace)).catch((error: Error): BadGround => {
    if (!(error instanceof GitTrouble)) throw error;
    return { kind: 'unusable', because: error.message };
  });
  if (ground.kind !== 'good')
    return { obstacle: badGroundWords(ground, root), isPlain: ground.kind === 'no-repository' };
  const clash = clashWords(ground);
  if (clash) return { obstacle: clash, isPlain: false };
  const place = treesPlace({ workspace, top: ground.top, at: plan.worktree?.at, home: env.HOME });
  return 'folder' in place ? { ground, folder: place.folder } : { obstacle: place, isPlain: false };
}

/** The first name that is ours or free. */
async function findResults(
  repository: GitCaller,
  asked: IsolationAsked,
  ground: GoodGround,
): Promise<{ results: Results; name: string }> {
  const { earlier, plan, workspace } = asked;
  const names = await branchNames(repository);
  const makerOfPlan = (path: string) => `signalbox: results of ${path} in ${workspaceId(workspace.root)}`;
  const maker = makerOfPlan(plan.path);
  const own = resultNames(plan.path).filter((name) => !earlier.others.has(branchOf(name)));
  const candidates = earlier.branch === null ? own : [earlier.branch.replace(/^signalbox\//, '')];
  for (const name of candidates) {
    const branch = branchOf(name);
    refuseBlocked(names, branch, ground);
    const tip = await commitOf(repository, `refs/heads/${branch}`);
    if (tip === null) return { results: { branch, tip, base: ground.head, maker }, name };
    const noted = await makerOf(repository, branch);
    const { setAside } = earlier;
    const isOurs = earlier.branch === branch || setAside?.branch === branch || noted === maker;
    // Made for another plan of this workspace that is not recorded yet.
    if (!isOurs && noted?.startsWith('signalbox: results of ') && noted.endsWith(workspaceId(workspace.root))) continue;
    if (!isOurs) throw foreign(branch, plan.path);
    await refuseCheckedOut(repository, branch);
    // The results of before the plan was started over have another name by now.
    const isOver = earlier.branch === null && setAside?.branch === branch && setAside.tip === tip;
    const isBehind = isOver || (await isContained(repository, tip, ground.head));
    return { results: { branch, tip, base: isBehind ? ground.head : tip, maker }, name };
  }
  throw foreign(branchOf(candidates.at(-1)!), plan.path);
}

const foreign = (branch: string, path: string): Refusal =>
  new Refusal(2, `the branch ${branch} is there already, and no run of ${path} here made it`, {
    instead: `rename it: git branch -m ${branch} NEW; or delete it: git branch -D ${branch}`,
  });

function refuseBlocked(names: readonly string[], branch: string, { ignoresCase }: GoodGround): void {
  for (const wanted of [branch, 'signalbox-attempts/x/y']) {
    const blocking = branchInTheWay(names, wanted, ignoresCase);
    if (blocking === null || blocking.startsWith('signalbox-attempts/')) continue;
    throw new Refusal(2, `the branch ${blocking} makes a branch ${wanted.replace(/x\/y$/, '…')} impossible`, {
      instead: `rename it: git branch -m ${blocking} NEW`,
    });
  }
}

async function refuseCheckedOut(repository: GitCaller, branch: string): Promise<void> {
  const there = (await listTrees(repository)).find((tree) => tree.branch === branch && !tree.isGone);
  if (!there) return;
  throw new Refusal(2, `${branch} is checked out in ${there.folder}, so nothing can be merged into it`, {
    instead: 'check out another branch there, and run it again',
  });
}

async function behindWords(
  repository: GitCaller,
  { head, branch: theirs }: GoodGround,
  { base, branch }: Results,
): Promise<string[]> {
  const missing = await commitsBeyond(repository, head, base);
  if (missing === 0) return [];
  const who = theirs ?? 'HEAD';
  const [many, them] = missing === 1 ? ['a commit', 'it'] : [`${missing} commits`, 'them'];
  return [`${who} has ${many} that ${branch} does not have: agents start without ${them}, until both are merged`];
}
